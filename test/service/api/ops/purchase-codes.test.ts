import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import type { AuditEntry } from "../../../../src/db/audit-events.ts";
import { MINUTE_MS } from "../../../../src/domain/durations.ts";
import { alone } from "../../../support/alone.ts";
import { passTime, stopClock } from "../../../support/clock.ts";
import { invalid, refusal } from "../../../support/refusal.ts";
import { type Answer, freshService, JUANA, ops, Partner } from "../../../support/service.ts";
import { rowsOfCode } from "../../../support/tables.ts";

type AuditRow = AuditEntry & { previousHash: string; hash: string };

async function auditOf(entity: string): Promise<AuditRow[]> {
	const { results } = await env.DB_2.prepare(
		`SELECT entity, version, partner_id AS partnerId, at, actor, action, outcome, request_id AS requestId, step,
			previous_hash AS previousHash, hash FROM audit_events WHERE entity = ? ORDER BY version`,
	)
		.bind(entity)
		.all<AuditRow>();
	return results;
}

async function validatedCode() {
	const partner = await Partner.create();
	const code = await partner.code();
	const { status, text } = await partner.request({ pCode: code, ...JUANA });
	if (status !== 200) throw new Error(text);
	return { partner, code };
}

async function emittedCode() {
	const { partner, code } = await validatedCode();
	const { status, text } = await partner.claim(code);
	if (status !== 200) throw new Error(text);
	return { partner, code };
}

function operate(code: string, verb: "cancel" | "block" | "unblock", reason = "test"): Promise<Answer> {
	return ops("POST", `/pcodes/${code}/${verb}`, { reason });
}

beforeAll(freshService);

describe("purchase codes", () => {
	test("shown with its facts, of any partner, read back as partners' codes are; no personal data, no secrets", async () => {
		stopClock();
		const { partner, code } = await emittedCode();
		const { status, body, text } = await ops("GET", `/pcodes/${code.toLowerCase().replaceAll("-", "")}`);
		expect(status).toBe(200);
		expect(body.data.pcode).toMatchObject({
			p_code: code,
			partner_id: partner.id,
			product: "FV01",
			status: "EMITTED",
			list_status: "emitido",
			processing: 0,
			external_reference_id: JUANA.referenceId,
			cancelled_at: null,
			blocked_at: null,
			validation_locked_until: null,
			validation_blocked_at: null,
			claim_locked_until: null,
			certificate_serial: expect.stringMatching(/^[0-9A-F]{32}$/),
			validation_failures: 0,
		});
		expect(text).not.toMatch(/JUANA|PÉREZ|11111111|juana@/i);
		expect(text).not.toMatch(alone(JUANA.pin));
	});

	test.for(["0000-1111-2222-3333", "nothing-like-a-code", "%20"])("%s: 404 for every verb", async (code) => {
		const answers = [await ops("GET", `/pcodes/${code}`)];
		for (const verb of ["cancel", "block", "unblock"])
			answers.push(await ops("POST", `/pcodes/${code}/${verb}`, { reason: "test" }));
		for (const answer of answers) expect(refusal(answer)).toEqual([404, "NOT_FOUND"]);
	});

	test.for([{}, { reason: "" }, { reason: 1 }, { reason: "x".repeat(129) }, { reason: "a", force: true }])(
		"a reason is asked for: %j is 400 and changes nothing",
		async (body) => {
			const partner = await Partner.create();
			const code = await partner.code();
			expect((await ops("POST", `/pcodes/${code}/cancel`, body)).status).toBe(400);
			expect(await partner.status(code)).toBe("ACTIVE");
		},
	);

	test("a verb that there is not: 400", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		expect(refusal(await ops("POST", `/pcodes/${code}/delete`, { reason: "test" }))).toEqual(
			invalid("verb INVALID_VALUE"),
		);
	});

	test("cancelled while unused: CANCELLED, anulado, and both partner calls are refused", {
		tags: ["ops-cancel"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const code = await partner.code();
		const { status, body } = await operate(code, "cancel");
		expect([status, body.data.pcode.status, body.data.pcode.cancelled_at]).toEqual([
			200,
			"CANCELLED",
			new Date().toISOString(),
		]);
		expect([await partner.status(code), (await partner.listed(code)).status]).toEqual([
			"CANCELLED",
			"anulado",
		]);
		expect(refusal(await partner.request({ pCode: code, ...JUANA }))).toEqual([423, "LOCKED"]);
	});

	test("cancelled while validated: its claim is 423", async () => {
		const { partner, code } = await validatedCode();
		await operate(code, "cancel");
		expect(refusal(await partner.claim(code))).toEqual([423, "LOCKED"]);
		expect(refusal(await partner.request({ pCode: code, ...JUANA }))).toEqual([423, "LOCKED"]);
	});

	test('decision "who sets CANCELLED": cancelling an issued code revokes its certificate in D1', {
		tags: ["ops-cancel-issued"],
	}, async () => {
		stopClock();
		const { partner, code } = await emittedCode();
		const [before] = await rowsOfCode("certificates", code);
		expect(before).toMatchObject({ revoked_at: null });
		passTime(MINUTE_MS);
		await operate(code, "cancel");
		const [after] = await rowsOfCode("certificates", code);
		expect(after).toMatchObject({ serial: before!.serial, revoked_at: Date.now() });
		expect(after!.revocation_reason).toEqual(expect.any(String));
		expect(await partner.status(code)).toBe("CANCELLED");
		expect(refusal(await partner.claim(code))).toEqual([423, "LOCKED"]);
	});

	test("cancelled twice: the first time stands, one audit row", async () => {
		stopClock();
		const { code } = await emittedCode();
		const first = await operate(code, "cancel");
		const certificate = await rowsOfCode("certificates", code);
		passTime(MINUTE_MS);
		const second = await operate(code, "cancel");
		expect(second.body.data.pcode).toEqual(first.body.data.pcode);
		expect(await rowsOfCode("certificates", code)).toEqual(certificate);
		expect((await auditOf(`code:${code}`)).filter(({ action }) => action === "cancel")).toHaveLength(1);
	});

	test("blocked: LOCKED, bloqueado, 423 to request and claim; unblocked: as it was", {
		tags: ["ops-block"],
	}, async () => {
		const { partner, code } = await validatedCode();
		expect((await operate(code, "block")).body.data.pcode.status).toBe("LOCKED");
		expect((await partner.listed(code)).status).toBe("bloqueado");
		expect(refusal(await partner.request({ pCode: code, ...JUANA }))).toEqual([423, "LOCKED"]);
		expect(refusal(await partner.claim(code))).toEqual([423, "LOCKED"]);
		expect((await operate(code, "unblock")).body.data.pcode.status).toBe("VALIDATED");
		expect((await partner.claim(code)).status).toBe(200);
	});

	test("unblock lifts a security lock and its counts: three new attempts", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		const wrong = { pCode: code, ...JUANA, serialNumber: "999999999" };
		for (let i = 0; i < 3; i++) await partner.request(wrong);
		expect((await partner.request(wrong)).body.error).toBe("ATTEMPT_LIMIT_REACHED");
		const { body } = await operate(code, "unblock");
		expect(body.data.pcode).toMatchObject({
			status: "ACTIVE",
			validation_locked_until: null,
			validation_failures: 0,
			validation_locks: 0,
		});
		expect((await partner.request(wrong)).status).toBe(406);
		expect((await partner.request(wrong)).status).toBe(406);
		expect((await partner.request({ pCode: code, ...JUANA })).status).toBe(200);
	});

	test("an emitted code cannot be blocked: LOCKED is blocked before it was issued (§3.1)", {
		tags: ["ops-block-emitted"],
	}, async () => {
		const { partner, code } = await emittedCode();
		expect(refusal(await operate(code, "block"))).toEqual([
			406,
			"VALIDATION_ERROR",
			"pCode CODE_ALREADY_USED",
		]);
		expect(await partner.status(code)).toBe("EMITTED");
	});

	test("a cancelled code can be neither blocked nor unblocked", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		await operate(code, "cancel");
		expect(refusal(await operate(code, "block"))).toEqual([423, "LOCKED"]);
		expect(refusal(await operate(code, "unblock"))).toEqual([423, "LOCKED"]);
		expect(await partner.status(code)).toBe("CANCELLED");
	});

	test("unblocking a code that nothing blocks changes nothing", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		const [before] = await rowsOfCode("purchase_codes", code);
		expect((await operate(code, "unblock")).status).toBe(200);
		expect(await rowsOfCode("purchase_codes", code)).toEqual([before]);
		expect(await auditOf(`code:${code}`)).toEqual([]);
	});
});
