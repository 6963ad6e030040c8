import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { HOOK } from "../../support/b2b.ts";
import { passTime, setTime } from "../../support/clock.ts";
import { activeCode, validatedCode } from "../../support/codes.ts";
import { AT_REGISTER } from "../../support/db.ts";
import { auditOf, codeRow, heldAtRegistry, select } from "../../support/look-inside.ts";
import { deliverMessages, holdQueue, Receiver } from "../../support/receiver.ts";
import { refusal } from "../../support/refusal.ts";
import { freshService, JUANA, loadHolder, ops, Partner, PEDRO, PNG } from "../../support/service.ts";

/* Decisions "life of a validation" and the erasure of a holder with every mark of it. The clock stands still. */

const LIFE = 90 * DAY_MS;
const LOCKED = [423, "LOCKED"];

beforeEach(freshService);
beforeEach(() => setTime(Date.now()));

/** Runs a job as ops run it. @returns its report. */
async function run(job: string): Promise<Record<string, number>> {
	const { body, status } = await ops("POST", `/upkeep/${job}`, {});
	expect([status, body.data.done]).toEqual([200, true]);
	return body.data.report;
}

/** Every row and picture that a holder of the code, or of the only code, leaves behind. */
async function marksOf(pCode: string) {
	const { partner_id, bound_rut_index, processing_rut_index } = await codeRow(pCode);
	return {
		indexes: [bound_rut_index, processing_rut_index].filter((index) => index !== null).length,
		holders: (await select("SELECT 1 FROM holders WHERE code = ?", pCode)).length,
		emails: (await select("SELECT 1 FROM holder_emails")).length,
		evidence: (await select("SELECT 1 FROM evidence WHERE code = ?", pCode)).length,
		pictures: (await env.EVIDENCE.list({ prefix: `${partner_id}/` })).objects.length,
	};
}

const ALL = { indexes: 1, holders: 1, emails: 1, evidence: 1, pictures: 1 };
const NONE = { indexes: 0, holders: 0, emails: 0, evidence: 0, pictures: 0 };

test("until the job has run, a validation of 90 days reads VALIDATED and its claim works", {
	tags: ["validation-life"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	passTime(LIFE);
	expect(await partner.status(pCode)).toBe("VALIDATED");
	expect((await partner.claim(pCode)).status).toBe(200);
	expect(await run("lapse-validations")).toEqual({ looked_at: 0, lapsed: 0 });
	expect(await partner.status(pCode)).toBe("EMITTED");
});

test("after 90 days the job closes the code: LOCKED and 423 for good, everything of the holder erased, one audit row, one event", {
	tags: ["validation-life", "validation-lapsed"],
}, async () => {
	const { partner, pCode } = await activeCode({ webhook_url: HOOK, webhook_events: ["pcode.locked"] });
	expect((await partner.request({ pCode, ...JUANA, dniFront: PNG })).status).toBe(200);
	passTime(LIFE - 1);
	expect(await run("lapse-validations")).toEqual({ looked_at: 0, lapsed: 0 });
	expect(await marksOf(pCode)).toEqual(ALL);

	passTime(1);
	const receiver = new Receiver();
	const queue = holdQueue();
	expect(await run("lapse-validations")).toEqual({ looked_at: 1, lapsed: 1 });
	expect(await marksOf(pCode)).toEqual(NONE);
	expect(await partner.status(pCode)).toBe("LOCKED");
	expect((await partner.listed(pCode)).status).toBe("bloqueado");
	expect(await auditOf(pCode)).toEqual(["validated ok", "block validation_lapsed"]);
	for (const pass of [0, 365 * DAY_MS]) {
		passTime(pass);
		expect(refusal(await partner.claim(pCode))).toEqual(LOCKED);
		expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual(LOCKED);
	}
	expect(refusal(await ops("POST", `/pcodes/${pCode}/unblock`, { reason: "asked" }))).toEqual(LOCKED);
	expect(await run("lapse-validations")).toEqual({ looked_at: 0, lapsed: 0 });

	await vi.waitUntil(() => queue.length === 1);
	await deliverMessages(queue[0]!.id);
	expect(receiver.bodies.map(({ type, data }) => ({ type, ...data }))).toEqual([
		{
			type: "pcode.locked",
			p_code: pCode,
			referenceId: JUANA.referenceId,
			reason: "validation_lapsed",
			locked_until: null,
			permanent: true,
		},
	]);
});

test("a code in use is not closed; its success begins 90 days anew", {
	tags: ["validation-life"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	passTime(LIFE);
	const { registry, running } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));
	expect(await run("lapse-validations")).toEqual({ looked_at: 1, lapsed: 0 });
	registry.release();
	expect((await running).status).toBe(200);
	expect(await run("lapse-validations")).toEqual({ looked_at: 0, lapsed: 0 });
	expect((await partner.claim(pCode)).status).toBe(200);
});

test("a picture bucket that fails does not undo the closing; the sweep erases what is left", async () => {
	const { partner, pCode } = await activeCode();
	await partner.request({ pCode, ...JUANA, dniFront: PNG });
	passTime(LIFE);
	const bucket = Object.getPrototypeOf(env.EVIDENCE) as R2Bucket;
	const broken = vi.spyOn(bucket, "delete").mockRejectedValue(new Error("R2 is away"));
	const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
	expect(await run("lapse-validations")).toEqual({ looked_at: 1, lapsed: 1 });
	expect(errors.mock.calls.join()).toContain('"event":"left_to_sweep"');
	expect(await marksOf(pCode)).toEqual({ ...NONE, pictures: 1 });
	broken.mockRestore();
	await run("sweep-stray-pictures");
	expect(await marksOf(pCode)).toEqual(NONE);
});

test.each([
	["cancelled", (pCode: string) => ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" })],
	["blocked", (pCode: string) => ops("POST", `/pcodes/${pCode}/block`, { reason: "test" })],
])(
	"30 days after a validated code was %s nothing of its holder is left, RUT index included",
	{ tags: ["holder-erased"] },
	async (verb, close) => {
		const { partner, pCode } = await activeCode();
		await partner.request({ pCode, ...JUANA, dniFront: PNG });
		expect((await close(pCode)).status).toBe(200);
		passTime(30 * DAY_MS - 1);
		expect(await run("erase-holders")).toEqual({ looked_at: 1, holders: 0 });
		expect(await marksOf(pCode)).toEqual(ALL);
		const before = await partner.status(pCode);
		passTime(1);
		expect(await run("erase-holders")).toEqual({ looked_at: 1, holders: 1 });
		expect(await marksOf(pCode)).toEqual(NONE);
		expect((await auditOf(pCode)).slice(2)).toEqual(["holder_erased retention"]);
		expect(await partner.status(pCode)).toBe(before);
		for (const answer of [await partner.claim(pCode), await partner.request({ pCode, ...PEDRO })])
			expect(refusal(answer)).toEqual(LOCKED);
		const unblocked = await ops("POST", `/pcodes/${pCode}/unblock`, { reason: "asked" });
		expect(refusal(unblocked)).toEqual(LOCKED);
		expect(unblocked.body.message).toContain(verb === "blocked" ? "erased" : "cancelled");
	},
);

test("the RUT index of a code whose holder's row is gone is found and erased", {
	tags: ["holder-erased"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" });
	await env.DB_2.prepare("DELETE FROM holders").run();
	const { body } = await ops("POST", "/reconcile", { repair: true, cursor: AT_REGISTER });
	expect(body.data.findings).toMatchObject([{ kind: "holder_missing", subject: pCode, repaired: null }]);
	passTime(30 * DAY_MS);
	const { body: later } = await ops("POST", "/reconcile", { repair: true, cursor: AT_REGISTER });
	expect(later.data.findings).toMatchObject([{ kind: "holder_missing", subject: pCode, repaired: true }]);
	expect((await marksOf(pCode)).indexes).toBe(0);
	expect(await partner.status(pCode)).toBe("CANCELLED");
});

test("a validated code whose holder is gone and whose 90 days are not over answers as its status says, never 404", {
	tags: ["validation-life"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	await env.DB_2.prepare("DELETE FROM holders").run();
	expect(await partner.status(pCode)).toBe("VALIDATED");
	expect(refusal(await partner.claim(pCode))).toEqual([406, "VALIDATION_ERROR", "CREDENTIALS_MISMATCH"]);
	passTime(LIFE);
	expect(await run("lapse-validations")).toEqual({ looked_at: 1, lapsed: 1 });
	expect(refusal(await partner.claim(pCode))).toEqual(LOCKED);
	expect((await marksOf(pCode)).indexes).toBe(0);
});

test("many lapsed validations of several partners are closed in one run", async () => {
	const partners = [await Partner.create(), await Partner.create()];
	for (const [n, partner] of partners.entries())
		for (let i = 0; i < 7; i++)
			expect((await partner.request({ pCode: await partner.code(), ...loadHolder(10 * n + i) })).status).toBe(
				200,
			);
	passTime(LIFE);
	expect(await run("lapse-validations")).toEqual({ looked_at: 14, lapsed: 14 });
	expect(await select("SELECT 1 FROM holders")).toEqual([]);
	expect((await ops("POST", "/audit/verify", {})).body.data.faults).toEqual([]);
});
