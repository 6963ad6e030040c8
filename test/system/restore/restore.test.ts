import { afterAll, beforeAll, expect, test } from "vitest";
import { type Build, buildService } from "../crash/build.ts";
import { cancel, claim, type Redeemable, request, status } from "../crash/calls.ts";
import { checkByOps } from "../crash/check-state.ts";
import type { Client } from "../crash/client.ts";
import type { Answer } from "../crash/journal.ts";
import { DATABASES } from "../crash/partners.ts";
import type { ServiceProcess } from "../crash/service-process.ts";
import { takeSnapshot } from "../crash/snapshot.ts";
import { checkStored } from "../invariants.ts";
import { mend } from "./mend.ts";
import { RelyingParty } from "./relying-party.ts";
import { ServiceLives } from "./service-lives.ts";
import { keepDatabase } from "./state-on-disk.ts";

/* D1 is set back to an earlier moment, objects and R2 stay as they are: what Time Travel does. */

const TIMEOUT_MS = 120_000;
const NO_KEY = { idempotencyKey: null };

let build: Build;

beforeAll(async () => {
	build = await buildService();
}, TIMEOUT_MS);
afterAll(() => build.remove());

/** Numbers of the databases, which are all set back. */
const EACH_DATABASE = Array.from({ length: DATABASES }, (_, i) => i + 1);

/** Mends each database. @returns the codes that were mended, and whether a mending goes on. */
async function mendAll(client: Client, restoredTo: string): Promise<{ mended: string[]; mending: boolean }> {
	const found: Awaited<ReturnType<typeof mend>>[] = [];
	for (const database of EACH_DATABASE) found.push(await mend(client, database, restoredTo));
	return {
		mended: found.flatMap(({ mended }) => mended).sort(),
		mending: found.some(({ mending }) => mending),
	};
}

const readiness = async (service: ServiceProcess) =>
	JSON.parse((await service.fetch("/readyz", {})).text).data as object;

/** Answers to relying parties: `known` as long as D1's word is good, `held` while it may have forgotten. */
const REVOKED: [string, boolean] = ["revoked", false];
const known = {
	kept: ["good", true],
	claimed: ["good", true],
	revoked: REVOKED,
	cancelled: REVOKED,
	lost: REVOKED,
};
const held = { ...known, kept: ["trylater", true], claimed: ["trylater", true] };

test("the runbook of a restore: freeze, restore, mend, thaw; every invariant holds, and no revocation is taken back", {
	timeout: TIMEOUT_MS,
}, async () => {
	const lives = await ServiceLives.begin(build);
	const { journal } = lives;
	using relying = new RelyingParty();
	const receive = (name: keyof typeof known, { body }: Answer, { holder }: Redeemable) =>
		relying.receive(name, body.data.certificate, holder.pin);

	// Up to the moment that is restored.
	const codes = await lives.live(async ({ client }) => {
		const names = [
			"kept",
			"claimed",
			"redeemed",
			"revoked",
			"cancelled",
			"interrupted",
			"untouched",
		] as const;
		const made = {} as Record<(typeof names)[number] | "b2b", Redeemable>;
		for (const name of names) made[name] = await lives.code(client, "b2c-ec");
		made.b2b = await lives.code(client, "b2b");
		for (const name of ["kept", "claimed", "revoked", "cancelled", "interrupted", "untouched"] as const)
			await request(client, made[name], NO_KEY);
		for (const name of ["kept", "revoked", "cancelled"] as const)
			receive(name, await claim(client, made[name], NO_KEY), made[name]);
		return made;
	});
	const restoredTo = new Date().toISOString();
	const restore = await keepDatabase(lives.fixture);
	const serialOf = ({ code: its }: Redeemable) =>
		journal.sightings.find(({ code, serial }) => code === its && serial !== null)!.serial!;

	// Creates what the restore takes back: issues, revocations, codes.
	const { first, sold, lost } = await lives.live(async ({ service, client }) => {
		const first = await claim(client, codes.claimed, { idempotencyKey: "first" });
		receive("claimed", first, codes.claimed);
		await request(client, codes.redeemed, { ...NO_KEY, withPictures: true });
		await claim(client, codes.redeemed, NO_KEY);
		await request(client, codes.b2b, NO_KEY);
		const lost = await lives.code(client, "b2c-ec");
		await request(client, lost, NO_KEY);
		receive("lost", await claim(client, lost, NO_KEY), lost);
		for (const revoked of [codes.revoked, lost])
			await client.ops.POST("/ops/v1/certificates/{serial}/revoke", {
				params: { path: { serial: serialOf(revoked) } },
				body: { reason: "keyCompromise" },
			});
		await cancel(client, codes.cancelled);
		const sold = await lives.code(client, "b2c-ec");
		await service.ask("cron", {});
		expect(await relying.judge(service)).toEqual(known);
		return { first, sold, lost };
	});
	const interrupted = lives.live(
		({ client }) => claim(client, codes.interrupted, NO_KEY),
		{ arming: { step: "after-signing", nth: 1, manner: "held" } },
		(service) => void service.kill(),
	);
	await expect(interrupted).rejects.toThrow();

	await restore();

	// Frozen: partners read, ops mend.
	const mended = await lives.live(
		async ({ service, client }) => {
			const body = { method: "POST", body: "{}" };
			const refused = await service.fetch("/api/partners/v1/certificate_claim", body);
			expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "300"]);
			for (const code of Object.values(codes))
				expect((await status(client, code.partner, code.code)).status).toBe(200);
			expect(await readiness(service)).toMatchObject({ status: "ready", frozen: true });
			// Before the cron the published CRL alone knows, then D1 too.
			expect(await relying.judge(service)).toEqual(held);
			await service.ask("cron", {});
			expect(await readiness(service)).toMatchObject({ status: "ready", frozen: true, mending: true });
			expect(await relying.judge(service)).toEqual(held);
			for (const database of EACH_DATABASE)
				await client.ops.POST("/ops/v1/restores", {
					body: { database, restored_to: restoredTo, reason: "rehearsal" },
				});
			expect(await relying.judge(service)).toEqual(held);
			return await mendAll(client, restoredTo);
		},
		{ frozen: "1", clockOffset: 200_000 },
	);
	const expected = ["claimed", "redeemed", "b2b", "revoked", "cancelled"] as const;
	expect(mended).toEqual({ mended: expected.map((name) => codes[name].code).sort(), mending: false });

	// Thawed.
	await lives.live(
		async ({ service, client }) => {
			for (const name of ["claimed", "redeemed", "b2b"] as const)
				expect((await claim(client, codes[name], NO_KEY)).body.error).toBe("ALREADY_ISSUED");
			expect((await claim(client, codes.claimed, { idempotencyKey: "first" })).text).toBe(first.text);
			const again = await request(client, codes.b2b, NO_KEY);
			expect(again.body.details[0].code).toBe("CODE_ALREADY_USED");
			for (const name of ["interrupted", "untouched"] as const)
				expect((await claim(client, codes[name], NO_KEY)).status).toBe(200);
			// A code that was sold after the restored moment is unknown: nothing can be issued with it.
			expect((await status(client, sold.partner, sold.code)).body.data.status).toBe("NOT_FOUND");
			expect((await claim(client, sold, NO_KEY)).status).toBe(404);
			expect(await relying.judge(service)).toEqual(known);
			expect(await readiness(service)).not.toHaveProperty("mending");
			expect(await mendAll(client, restoredTo)).toEqual({ mended: [], mending: false });
			await service.ask("cron", {});
			expect(await relying.judge(service)).toEqual(known);

			// No row of codes that were sold since comes back by itself.
			const isGone = (text: string) =>
				[sold.code, lost.code, serialOf(lost)].some((name) => text.includes(name));
			const snapshot = await takeSnapshot(service);
			const answers = journal.seenAnswers().filter(({ code, body }) => !isGone(code ?? JSON.stringify(body)));
			const revokedByOps = new Set([serialOf(codes.revoked)]);
			const left = journal.sightings.filter(({ code }) => !isGone(code));
			const signed = new Set([...journal.signed].filter((serial) => !isGone(serial)));
			expect(checkStored(snapshot, { left, signed, revokedByOps, answers })).toEqual([]);
			const register = new Map(snapshot.certificates.map((row) => [row.serial, row]));
			for (const name of ["revoked", "cancelled"] as const)
				expect(register.get(serialOf(codes[name]))?.revoked_at).toEqual(expect.any(Number));
			// The mend tells the holder nothing: the message went out before.
			const told = snapshot.outbox.filter(({ event }) => event === "holder.issued").map(({ code }) => code);
			for (const name of ["claimed", "redeemed"] as const) expect(told).not.toContain(codes[name].code);
			expect(await checkByOps(client)).toEqual([]);
		},
		{ clockOffset: 600_000 },
	);
	await lives.end();
});
