import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { dataOf } from "../../../scripts/data-of.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/domain/durations.ts";
import { isLongRun } from "../../support/run-size.ts";
import { type Build, buildService } from "../crash/build.ts";
import { bulk, claim, list, type Redeemable, request } from "../crash/calls.ts";
import { checkByOps } from "../crash/check-state.ts";
import type { Client } from "../crash/client.ts";
import type { Partner } from "../crash/journal.ts";
import { readDirectory } from "../crash/move-meanwhile.ts";
import type { ServiceProcess } from "../crash/service-process.ts";
import { takeSnapshot } from "../crash/snapshot.ts";
import { checkStored } from "../invariants.ts";
import { mend } from "./mend.ts";
import { RelyingParty } from "./relying-party.ts";
import { type Life, type Moment, ServiceLives } from "./service-lives.ts";
import { putBack } from "./state-on-disk.ts";

/* One database is set back to before a partner's move from DB_2 to DB_3, or to its middle, and the runbook is carried out. */

const TIMEOUT_MS = 400_000;
const NO_KEY = { idempotencyKey: null };
/** Numbers of the two databases. */
const HOMES = [2, 3];
/** The service's clock stands in each life of the move, so that the mover waits: to compare, to freeze, and to open. */
const BEGIN = Date.now();
const TIMES = {
	before: BEGIN,
	copying: BEGIN,
	compared: BEGIN + 36 * SECOND_MS,
	switched: BEGIN + 2 * MINUTE_MS,
	moved: BEGIN + 3 * MINUTE_MS,
};
const RESTORED_MS = 27 * HOUR_MS;

type Named = "first" | "revoked" | "copying" | "compared" | "moved" | "untouched";
type When = keyof typeof TIMES;

let build: Build;
let codes: Record<Named, Redeemable>;
let moments: Record<When, Moment>;
let relying: RelyingParty;

/** Makes a partner in a database of its choice. */
async function makePartner({ ops }: Client, kind: string, database: number): Promise<Partner> {
	const settings = { mode: "B2C", key_algorithm: "ec-p256" } as const;
	const body = { name: kind, database, ...settings };
	const { partner, api_key } = dataOf(await ops.POST("/ops/v1/partners", { body }));
	return { id: partner.id, kind, key: api_key, database, settings };
}

/** The partner's places in DB_2 and DB_3; null where it has none. */
async function placesOf(service: ServiceProcess, { id }: Partner) {
	const sql = `SELECT state, copied FROM partner_places WHERE partner_id = '${id}'`;
	const ask = (database: number) =>
		service.ask<{ state: string; copied: string | null }[]>("select", { sql, database });
	return (await Promise.all(HOMES.map(ask))).map(([place]) => place ?? null);
}

/** Tells whether calls are led to the partner's new home. */
async function isSwitched(service: ServiceProcess, { id }: Partner): Promise<boolean> {
	return (await readDirectory(service)).some((one) => one.partner_id === id && one.state === "switched");
}

/** Carries the move on until it has come so far, claims the moment's code, and kills the mover with the service. */
async function moveUntil(lives: ServiceLives, when: "copying" | "compared" | "switched"): Promise<Moment> {
	const mover = lives.partner("mover");
	const isThere = {
		copying: (copied: string | null | undefined) => copied?.includes('"notes"'),
		compared: (copied: string | null | undefined) => copied?.includes('"compared"'),
		switched: null,
	}[when];
	await lives.live(
		async ({ service, client }) => {
			const params = { path: { id: mover.id } };
			const body = when === "copying" ? { to: 3 } : {};
			// Its answer never comes: it dies with the service.
			void client.ops.POST("/ops/v1/partners/{id}/move", { params, body }).catch(() => null);
			await vi.waitFor(
				async () => {
					const [, to] = await placesOf(service, mover);
					expect(isThere ? isThere(to?.copied) : await isSwitched(service, mover)).toBe(true);
				},
				{ timeout: 120_000, interval: 100 },
			);
			if (when !== "switched") expect((await claim(client, codes[when], NO_KEY)).status).toBe(200);
		},
		{ clockAt: TIMES[when] },
	);
	return lives.keep(TIMES[when]);
}

beforeAll(async () => {
	build = await buildService();
	relying = new RelyingParty();
	const lives = await ServiceLives.begin(build);
	await lives.live(
		async ({ client }) => {
			lives.partners = [
				await makePartner(client, "mover", 2),
				await makePartner(client, "in DB_2", 2),
				await makePartner(client, "in DB_3", 3),
			];
			codes = {} as typeof codes;
			for (const name of ["first", "revoked", "copying", "compared", "moved", "untouched"] as const) {
				codes[name] = await lives.code(client, "mover");
				expect((await request(client, codes[name], NO_KEY)).status).toBe(200);
			}
			for (const name of ["first", "revoked"] as const) await receive(client, name);
		},
		{ clockAt: BEGIN },
	);
	moments = { before: await lives.keep(BEGIN) } as typeof moments;
	for (const when of ["copying", "compared", "switched"] as const)
		moments[when] = await moveUntil(lives, when);
	await lives.live(
		async ({ service, client }) => {
			const path = { id: lives.partner("mover").id };
			const carriedOn = await client.ops.POST("/ops/v1/partners/{id}/move", { params: { path }, body: {} });
			const { state } = dataOf(carriedOn);
			expect(state).toBe("moved");
			await receive(client, "moved");
			const { serial } = lives.journal.sightings.find(({ code }) => code === codes.revoked.code)!;
			const revoked = { params: { path: { serial: serial! } }, body: { reason: "keyCompromise" } } as const;
			dataOf(await client.ops.POST("/ops/v1/certificates/{serial}/revoke", revoked));
			await service.ask("clock", { by: 26 * HOUR_MS });
			await service.ask("cron", {});
			const params = { path: { job: "digest-audit" as const } };
			dataOf(await client.ops.POST("/ops/v1/upkeep/{job}", { params, body: {} }));
		},
		{ clockAt: TIMES.moved },
	);
	moments.moved = await lives.keep(TIMES.moved + 26 * HOUR_MS);
	await lives.end();
}, TIMEOUT_MS);
afterAll(async () => {
	relying[Symbol.dispose]();
	await build.remove();
});

/** Claims a code, and lets somebody ask for its certificate from now on. */
async function receive(client: Client, name: Named): Promise<void> {
	const { body } = await claim(client, codes[name], NO_KEY);
	relying.receive(name, body.data.certificate, codes[name].holder.pin);
}

/** How a partner in a database is served while another may be frozen. */
async function serve(lives: ServiceLives, client: Client, kind: string): Promise<number> {
	const { status } = await bulk(client, lives.partner(kind), 1, null);
	if (status !== 201) return status;
	const code = await lives.code(client, kind);
	await request(client, code, NO_KEY);
	return (await claim(client, code, NO_KEY)).status;
}

interface Case {
	/** Where the service stands, which database is set back, and to when. */
	at: When;
	binding: "DB" | "DB_2" | "DB_3";
	to: When;
	/** Where the mover lives afterwards: `restored directory` settles it. */
	home: 2 | 3;
	/** Certificates and revocations that its database had forgotten. */
	mended: Named[];
}

const SINCE_MOVE: Named[] = ["moved", "revoked"];

/** Each database by itself, at night alone. In CI and at night restore.test.ts sets DB_2 back with all of them. */
const CASES: Case[] = [
	{ at: "moved", binding: "DB", to: "before", home: 3, mended: [] },
	{ at: "moved", binding: "DB_3", to: "before", home: 2, mended: SINCE_MOVE },
	{ at: "switched", binding: "DB_3", to: "compared", home: 2, mended: [] },
	{ at: "moved", binding: "DB", to: "switched", home: 3, mended: [] },
	{ at: "moved", binding: "DB_2", to: "before", home: 3, mended: [] },
	{ at: "moved", binding: "DB_2", to: "compared", home: 3, mended: [] },
	{ at: "moved", binding: "DB_3", to: "compared", home: 2, mended: SINCE_MOVE },
	{ at: "moved", binding: "DB_3", to: "switched", home: 2, mended: SINCE_MOVE },
	{ at: "compared", binding: "DB_2", to: "copying", home: 2, mended: ["compared"] },
];

test.skipIf(!isLongRun).each(CASES)(
	"at $at, $binding is set back to $to: the mover lives in DB_$home",
	{ timeout: TIMEOUT_MS },
	async ({ at, binding, to, home, mended }) => {
		const lives = await ServiceLives.begin(build, moments[at]);
		const { journal } = lives;
		const mover = lives.partner("mover");
		await putBack(lives.fixture, { from: moments[to].fixture, binding });
		const frozen = binding === "DB" ? "1" : binding;
		const isDone = at === "moved";
		const claimed = (["first", "copying", "compared", "moved"] as const).filter(
			(name) => isDone || name !== "moved",
		);
		const restoredTo = moments[to].at;

		await lives.live(
			async ({ service, client }: Life) => {
				const served = { "in DB_2": 200, "in DB_3": 200, ...(frozen !== "1" && { [`in ${frozen}`]: 503 }) };
				if (frozen === "1") served["in DB_2"] = served["in DB_3"] = 503;
				for (const [kind, status] of Object.entries(served))
					expect([kind, await serve(lives, client, kind)]).toEqual([kind, status]);
				const rebuilt = dataOf(await client.ops.POST("/ops/v1/restores/directory", {}));
				expect(rebuilt.lost).toEqual([]);
				expect(rebuilt.settled.map(({ partner_id, database }) => [partner_id, database])).toEqual([
					[mover.id, home],
				]);
				const number = binding === "DB" ? 1 : Number(binding.slice(3));
				const body = { database: number, restored_to: restoredTo, reason: "rehearsal" };
				dataOf(await client.ops.POST("/ops/v1/restores", { body }));
				const found = [await mend(client, number, restoredTo)];
				for (const { database, restored_to } of rebuilt.mend)
					found.push(await mend(client, database, restored_to));
				expect(found.flatMap((one) => one.mended).sort()).toEqual(
					mended.map((name) => codes[name].code).sort(),
				);
				expect(found.some(({ mending }) => mending)).toBe(false);
				await service.ask("cron", {});
				expect(await checkByOps(client)).toEqual([]);
			},
			{ frozen, clockOffset: RESTORED_MS },
		);

		await lives.live(
			async ({ service, client }: Life) => {
				await service.ask("cron", {});
				for (const name of claimed)
					expect([name, (await claim(client, codes[name], NO_KEY)).body.error]).toEqual([
						name,
						"ALREADY_ISSUED",
					]);
				expect((await claim(client, codes.untouched, NO_KEY)).status).toBe(200);
				for (const kind of ["in DB_2", "in DB_3"]) expect(await serve(lives, client, kind)).toBe(200);
				expect((await list(client, mover, "?limit=100")).body.data.pcodes.length).toBe(
					Object.keys(codes).length,
				);
				const areOpen = (await placesOf(service, mover)).map((place) => place?.state === "open");
				expect(areOpen).toEqual([home === 2, home === 3]);
				if (isDone) {
					const judged = await relying.judge(service);
					expect(judged).toEqual({
						first: ["good", true],
						moved: ["good", true],
						revoked: ["revoked", false],
					});
				}
				const { serial } = journal.sightings.find(({ code }) => code === codes.revoked.code)!;
				const seen = { left: journal.sightings, signed: journal.signed, answers: journal.seenAnswers() };
				const stored = await takeSnapshot(service);
				expect(checkStored(stored, { ...seen, revokedByOps: new Set([serial!]) })).toEqual([]);
				expect(await checkByOps(client)).toEqual([]);
			},
			{ clockOffset: RESTORED_MS + 10 * MINUTE_MS },
		);
		await lives.end();
	},
);
