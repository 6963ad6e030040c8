import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { passTime, startClock, stopClock } from "../../support/clock.ts";
import { certificatesOf, codeRow } from "../../support/look-inside.ts";
import { freshService, JUANA, Partner } from "../../support/service.ts";
import { buildFence } from "../../system/scaling/fence.ts";

/* docs/scaling.md, step 3 of a move: what callers of a frozen partner see, with the service as it is. */

let partner: Partner;
let other: Partner;

beforeEach(async () => {
	await freshService();
	partner = await Partner.create();
	other = await Partner.create();
	await env.DB.batch(buildFence().map((statement) => env.DB.prepare(statement)));
});

afterEach(startClock);

test("a frozen partner's writes are refused for a while, its reads go on, and nobody else notices", async () => {
	const code = await partner.code();
	await freeze();

	const refused = [await partner.bulk(), await partner.request({ pCode: code, ...JUANA })];
	for (const { status, body } of refused) {
		expect(status).toBe(503);
		expect(body.error).toBe("SERVICE_UNAVAILABLE");
	}
	expect(refused[0]!.headers.get("retry-after")).not.toBeNull();
	expect(await partner.status(code)).toBe("ACTIVE");
	expect((await partner.list()).body.data.pagination.total).toBe(1);

	const theirs = await other.code();
	expect((await other.request({ pCode: theirs, ...JUANA })).status).toBe(200);
	expect((await other.claim(theirs)).status).toBe(200);
});

test("once it is open again the code goes on within a lease, and no attempt is spent", async () => {
	stopClock();
	const code = await partner.code();
	await freeze();
	expect((await partner.request({ pCode: code, ...JUANA })).status).toBe(503);
	await thaw();
	passTime(61_000);
	expect((await partner.request({ pCode: code, ...JUANA })).status).toBe(200);
	expect(await codeRow(code)).toMatchObject({ validation_failures: 0, version: 1 });
});

test("a claim that the freeze meets before its commit leaves no certificate, and the next one issues it", async () => {
	stopClock();
	const code = await partner.code();
	expect((await partner.request({ pCode: code, ...JUANA })).status).toBe(200);
	await env.DB.prepare(
		`CREATE TRIGGER freeze_at_commit BEFORE INSERT ON audit_events WHEN NEW.action IN ('emitted', 'step_abandoned')
		BEGIN SELECT RAISE(ABORT, 'the partner is not open here'); END`,
	).run();
	expect((await partner.claim(code)).status).toBe(503);
	expect(await partner.status(code)).toBe("VALIDATED");
	expect(await certificatesOf(code)).toEqual([]);

	await env.DB.prepare("DROP TRIGGER freeze_at_commit").run();
	passTime(61_000);
	expect((await partner.claim(code)).status).toBe(200);
	const [abandoned, issued] = await certificatesOf(code);
	expect(abandoned).toMatchObject({ issued_at: null, revoked_at: expect.any(Number) });
	expect(issued).toMatchObject({ revoked_at: null });
	expect(await codeRow(code)).toMatchObject({ certificate_serial: issued!.serial, claim_failures: 0 });
});

async function freeze(): Promise<void> {
	await env.DB.prepare("UPDATE partner_tenures SET state = 'frozen' WHERE partner_id = ?")
		.bind(partner.id)
		.run();
}

async function thaw(): Promise<void> {
	await env.DB.prepare("UPDATE partner_tenures SET state = 'open', epoch = 3 WHERE partner_id = ?")
		.bind(partner.id)
		.run();
}
