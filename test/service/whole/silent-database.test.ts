import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import worker from "../../../src/dev.ts";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { passTime } from "../../support/clock.ts";
import { textOf } from "../../support/console.ts";
import { AT_REGISTER } from "../../support/db.ts";
import { interceptDb, lostConnection } from "../../support/failing-db.ts";
import { enterRevocar } from "../../support/holder-requests.ts";
import { select, selectOfNobody } from "../../support/look-inside.ts";
import { goMute } from "../../support/mute.ts";
import { encodeRequest, readResponse } from "../../support/ocsp-client.ts";
import { signInOps } from "../../support/ops-console.ts";
import { fetchPki, listed, published, readCrl, responder, untilCrlIsBuilt } from "../../support/pki.ts";
import { useReceiver } from "../../support/receiver.ts";
import { byTurns } from "../../support/run-size.ts";
import { type Answer, call, JUANA, loadHolder, ops, Partner } from "../../support/service.ts";

/* A database that is gone (decisions, "More than one database"): its partners get 503, and nobody else notices. */

const { sent } = useReceiver("all");

const MANNERS = ["throws", "hangs", "answers late"] as const;

/** Asks while a database is gone. @returns the answer, and the deadlines that ended waits for it, in milliseconds */
async function without<T>(gone: D1Database, manner: (typeof MANNERS)[number], act: () => Promise<T>) {
	const mute = manner === "throws" ? null : goMute(lostConnection());
	try {
		const answer = await interceptDb((_, deliver, _sql, _trip, database) => {
			if (database !== gone) return deliver();
			return mute ? mute.ask(manner === "hangs" ? undefined : deliver) : Promise.reject(lostConnection());
		}, act);
		return { answer, deadlines: mute?.deadlines ?? [] };
	} finally {
		mute?.end();
	}
}

/** OCSP's word of each certificate, or the status of the error. A nonce: no answer of before is given again. */
function say(...of: Seeded[]): Promise<unknown[]> {
	return Promise.all(
		of
			.flatMap(({ good, revoked }) => [good, revoked])
			.map(async (serial) => {
				const body = encodeRequest(responder, [{ serial }], crypto.getRandomValues(new Uint8Array(16)));
				const { responseStatus, statuses } = readResponse(
					(await fetchPki("/ocsp", { method: "POST", body })).body,
				);
				return statuses[0]?.split(" ")[0] ?? responseStatus;
			}),
	);
}

const TRY_LATER = 3;

const cron = (minute: string) =>
	worker.scheduled(
		createScheduledController({ scheduledTime: new Date(`2026-11-23T12:${minute}:00Z`) }),
		env as never,
	);

/** A partner of one database with six codes, and its certificates: JUANA's, good, and another, revoked. */
interface Seeded {
	partner: Partner;
	codes: string[];
	good: string;
	revoked: string;
}

/** One partner in `DB`, and one in `DB_2`. */
async function seed(): Promise<[Seeded, Seeded]> {
	const each = [1, 2].map(async (database) => {
		const partner = await Partner.create({ database });
		const serials: string[] = [];
		const codes = (await partner.bulk(6)).body.data.pcodes as string[];
		for (const [i, holder] of [JUANA, loadHolder(1), loadHolder(2)].entries()) {
			expect((await partner.request({ pCode: codes[i], ...holder })).status).toBe(200);
			const { dni, pin } = holder;
			if (i < 2) serials.push((await partner.claim(codes[i]!, { dni, pin })).body.data.serialNumber);
		}
		return { partner, codes, good: serials[0]!, revoked: serials[1]! };
	});
	const partners = await Promise.all(each);
	for (const { revoked } of partners) {
		await ops("POST", `/certificates/${revoked}/revoke`, { reason: "keyCompromise" });
		await listed(revoked);
	}
	return partners as [Seeded, Seeded];
}

/** A partner's calls that read, that write, and that an object carries out. */
const calls = ({ partner, codes }: Seeded): (() => Promise<Answer>)[] => [
	() => partner.get(`/api/partners/v1/status?p_code=${codes[0]}`),
	() => partner.list(),
	() => partner.bulk(),
	() => partner.request({ pCode: codes[4], ...loadHolder(5) }),
	() => partner.claim(codes[2]!, { dni: loadHolder(2).dni, pin: loadHolder(2).pin }),
];
const SERVED = [200, 200, 201, 200, 200];
const NONE_SERVED = [503, 503, 503, 503, 503];

const OPS: [method: string, path: string, body?: object][] = [
	...["/partners", "/deliveries", "/holder_requests", "/upkeep"].map((path): [string, string] => [
		"GET",
		path,
	]),
	["POST", "/holders/search", { dni: JUANA.dni, reason: "theft" }],
	["POST", "/holders/data", { dni: JUANA.dni, reason: "theft" }],
	["POST", "/restores/settings", { cursor: AT_REGISTER }],
	["POST", "/audit/verify", { cursor: AT_REGISTER }],
	["POST", "/reconcile", { cursor: AT_REGISTER }],
];

test.each(byTurns(MANNERS, 2, 0))(
	"DB_2 %s: its partners get 503, nobody else notices, and every answer names it",
	async (manner) => {
		const [one, two] = await seed();
		const chooses = await enterRevocar(sent);
		const deadlines: number[] = [];
		const ask = async <T>(act: () => Promise<T>): Promise<T> => {
			const asked = await without(env.DB_2, manner, act);
			deadlines.push(...asked.deadlines);
			return asked.answer;
		};
		const statuses = async (of: Seeded) => {
			const got: number[] = [];
			for (const act of calls(of)) got.push((await ask(act)).status);
			return got;
		};
		expect(await statuses(one)).toEqual(SERVED);
		expect(deadlines).toEqual([]);
		expect(await statuses(two)).toEqual(NONE_SERVED);
		const ready = await ask(() => call("GET", "/readyz"));
		expect([ready.status, ready.body.data.silent]).toEqual([200, ["DB_2"]]);
		for (const [method, path, body] of OPS) {
			const { status, body: answered } = await ask(() => ops(method, path, body));
			expect([path, status, answered.data?.silent]).toEqual([path, 200, [2]]);
		}
		const { databases } = (await ask(() => ops("GET", "/databases"))).body.data;
		expect(databases.map(({ state }: { state: string }) => state)).toEqual(["open", "silent"]);
		await ask(() => chooses.submit({ serial: two.good, why: "lost", understood: "1" }));
		expect(chooses.status).toBe(503);
		sent.length = 0;
		const holder = await ask(() => enterRevocar(sent));
		expect(holder.path).toBe("/revocar/certificado");
		expect(holder.text).toContain(one.good);
		expect(holder.text).toContain("Hay certificados que en este momento no podemos mostrar");
		const console = await signInOps();
		await ask(() => console.open("/ops/console/overview"));
		expect([console.status, console.text.includes("DB_2")]).toEqual([200, true]);
		// The runbook's page stands beside it.
		expect(textOf(console.text)).toMatch(/Urgente DB_2 no responde: .*#a-database-that-does-not-answer/);
		passTime(MINUTE_MS);
		expect(await ask(() => say(one, two))).toEqual(["good", "revoked", TRY_LATER, "revoked"]);
		if (manner !== "throws") expect(new Set(deadlines)).toEqual(new Set([5_000]));

		// The CRL is built without it, and keeps what it listed of it.
		await ask(async () => {
			await ops("POST", `/certificates/${one.good}/revoke`, { reason: "keyCompromise" });
			await cron("30");
		});
		expect((await readCrl()).serials.sort()).toEqual([one.good, one.revoked, two.revoked].sort());
		expect(Object.keys((await published())!.marks)).toEqual(["1", "2"]);
		// Jobs of DB run to their end, and those of DB_2 go on where they stood.
		await ask(() => cron("17"));
		const ran = (await selectOfNobody("SELECT job FROM upkeep_jobs")).length;
		expect(ran).toBeGreaterThan(15);
		await ask(() => cron("18"));
		expect(await select("SELECT job FROM upkeep_jobs")).toEqual([]);
		const ranAt = Date.now();
		passTime(MINUTE_MS);
		await cron("18");
		const { jobs } = (await ops("GET", "/upkeep")).body.data;
		expect(jobs.filter(({ ran_at }: { ran_at: string }) => Date.parse(ran_at) > ranAt)).toEqual([]);
		expect((await select("SELECT job FROM upkeep_jobs")).length).toBeGreaterThan(10);
		expect((await two.partner.list()).status).toBe(200);
		await console.open("/ops/console/overview");
		expect([console.status, console.text.includes("no responde")]).toEqual([200, false]);
		await untilCrlIsBuilt();
	},
);

test.each(byTurns(MANNERS, 2, 1))(
	"DB %s: partners of DB_2 whose place is known are served, all else is 503 at its deadline",
	async (manner) => {
		const [one, two] = await seed();
		const ask = <T>(act: () => Promise<T>) => without(env.DB, manner, act);
		for (const { partner } of [one, two]) await partner.list();
		const served = [];
		for (const act of calls(two)) served.push(await ask(act));
		expect(served.map(({ answer }) => answer.status)).toEqual(SERVED);
		expect(served.flatMap(({ deadlines }) => deadlines)).toEqual([]);
		const refused: number[] = [];
		for (const act of calls(one)) refused.push((await ask(act)).answer.status);
		expect(refused).toEqual(NONE_SERVED);
		for (const act of [
			() => call("GET", "/readyz"),
			() => ops("GET", "/databases"),
			() => ops("POST", "/holders/search", { dni: JUANA.dni, reason: "theft" }),
			() => ops("POST", "/partners", { name: "New" }),
			() => enterRevocar(sent),
		]) {
			const { answer, deadlines } = await ask<{ status: number }>(act);
			expect([answer.status, new Set(deadlines)]).toEqual([503, new Set(manner === "throws" ? [] : [5_000])]);
		}
		const { answer: partners } = await ask(() => ops("GET", "/partners"));
		expect([partners.status, partners.body.data.silent]).toEqual([200, [1]]);
		// What is published stays, and no answer says good.
		passTime(MINUTE_MS);
		expect((await ask(() => say(one, two))).answer).toEqual([TRY_LATER, TRY_LATER, TRY_LATER, TRY_LATER]);
		expect((await ask(readCrl)).answer.serials.sort()).toEqual([one.revoked, two.revoked].sort());
		await ask(() => cron("17"));
		expect((await one.partner.list()).status).toBe(200);
		await untilCrlIsBuilt();
	},
);
