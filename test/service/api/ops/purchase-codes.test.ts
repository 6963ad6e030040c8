import { beforeAll, expect, test } from "vitest";
import { MINUTE_MS } from "../../../../src/domain/durations.ts";
import { alone } from "../../../support/alone.ts";
import { passTime, stopClock } from "../../../support/clock.ts";
import { activeCode, operate, validatedCode } from "../../../support/codes.ts";
import { auditOf } from "../../../support/look-inside.ts";
import { invalid, refusal, rejection } from "../../../support/refusal.ts";
import { freshService, JUANA, ops } from "../../../support/service.ts";
import { rowsOfCode } from "../../../support/tables.ts";

const LOCKED = [423, "LOCKED"];

beforeAll(freshService);

test("a code of any partner is shown with its facts, read back as partners' codes are; no personal data, no secrets", async () => {
	const { partner, pCode } = await validatedCode();
	expect((await partner.claim(pCode)).status).toBe(200);
	const { status, body, text } = await ops("GET", `/pcodes/${pCode.toLowerCase().replaceAll("-", "")}`);
	expect(status).toBe(200);
	expect(body.data.pcode).toMatchObject({
		...{ p_code: pCode, partner_id: partner.id, product: "FV01", status: "EMITTED", list_status: "emitido" },
		...{ processing: 0, external_reference_id: JUANA.referenceId, cancelled_at: null, blocked_at: null },
		...{ validation_locked_until: null, validation_blocked_at: null, claim_locked_until: null },
		...{ certificate_serial: expect.stringMatching(/^[0-9A-F]{32}$/), validation_failures: 0 },
	});
	expect(text).not.toMatch(/JUANA|PÉREZ|11111111|juana@/i);
	expect(text).not.toMatch(alone(JUANA.pin));
});

test("an unknown code is 404 for every verb; a reason and a verb of ours are asked for: 400, which changes nothing", async () => {
	for (const code of ["0000-1111-2222-3333", "nothing-like-a-code", "%20"]) {
		const answers = [await ops("GET", `/pcodes/${code}`)];
		for (const verb of ["cancel", "block", "unblock"] as const) answers.push(await operate(code, verb));
		for (const answer of answers) expect(refusal(answer)).toEqual([404, "NOT_FOUND"]);
	}
	const { partner, pCode } = await activeCode();
	for (const body of [{}, { reason: "" }, { reason: 1 }, { reason: "x".repeat(129) }, { reason: "a", x: 1 }])
		expect((await ops("POST", `/pcodes/${pCode}/cancel`, body)).status).toBe(400);
	expect(refusal(await ops("POST", `/pcodes/${pCode}/delete`, { reason: "test" }))).toEqual(
		invalid("verb INVALID_VALUE"),
	);
	expect(await partner.status(pCode)).toBe("ACTIVE");
});

test("cancelled while unused: CANCELLED, anulado, and refused from then on; ops cannot block or unblock it", {
	tags: ["ops-cancel"],
}, async () => {
	stopClock();
	const { partner, pCode } = await activeCode();
	const { status, body } = await operate(pCode, "cancel");
	const { pcode } = body.data;
	expect([status, pcode.status, pcode.cancelled_at]).toEqual([200, "CANCELLED", new Date().toISOString()]);
	expect((await partner.listed(pCode)).status).toBe("anulado");
	for (const refused of [
		await partner.request({ pCode, ...JUANA }),
		await operate(pCode, "block"),
		await operate(pCode, "unblock"),
	])
		expect(refusal(refused)).toEqual(LOCKED);
	expect(await partner.status(pCode)).toBe("CANCELLED");
});

test('decision "who sets CANCELLED": cancelling an issued code, which cannot be blocked, revokes its certificate in D1; twice does it once', {
	tags: ["ops-cancel-issued", "ops-block-emitted", "claim-blocked"],
}, async () => {
	stopClock();
	const { partner, pCode } = await validatedCode();
	await partner.claim(pCode);
	expect(refusal(await operate(pCode, "block"))).toEqual(rejection("CODE_ALREADY_USED", "pCode"));
	const [before] = await rowsOfCode("certificates", pCode);
	expect(before).toMatchObject({ revoked_at: null });
	passTime(MINUTE_MS);
	const first = await operate(pCode, "cancel");
	const after = await rowsOfCode("certificates", pCode);
	expect(after).toMatchObject([{ serial: before!.serial, revoked_at: Date.now() }]);
	expect(after[0]!.revocation_reason).toEqual(expect.any(String));
	expect(await partner.status(pCode)).toBe("CANCELLED");
	for (const pin of [JUANA.pin, "0000"]) expect(refusal(await partner.claim(pCode, { pin }))).toEqual(LOCKED);
	passTime(MINUTE_MS);
	expect((await operate(pCode, "cancel")).body.data.pcode).toEqual(first.body.data.pcode);
	expect(await rowsOfCode("certificates", pCode)).toEqual(after);
	expect((await auditOf(pCode)).filter((entry) => entry.startsWith("cancel"))).toHaveLength(1);
});

test("blocked: LOCKED, bloqueado, 423 to request and claim; unblocked: as it was, and again changes nothing", {
	tags: ["ops-block"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	expect((await operate(pCode, "block")).body.data.pcode.status).toBe("LOCKED");
	expect((await partner.listed(pCode)).status).toBe("bloqueado");
	expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual(LOCKED);
	expect(refusal(await partner.claim(pCode))).toEqual(LOCKED);
	expect((await operate(pCode, "unblock")).body.data.pcode.status).toBe("VALIDATED");
	const [before] = await rowsOfCode("purchase_codes", pCode);
	expect((await operate(pCode, "unblock")).status).toBe(200);
	expect(await rowsOfCode("purchase_codes", pCode)).toEqual([before]);
	expect((await auditOf(pCode)).length).toBe(3);
	expect((await partner.claim(pCode)).status).toBe(200);
});

test("unblock lifts a security lock and its counts: three new attempts", async () => {
	const { partner, pCode } = await activeCode();
	const wrong = { pCode, ...JUANA, serialNumber: "999999999" };
	for (let i = 0; i < 3; i++) await partner.request(wrong);
	expect((await partner.request(wrong)).body.error).toBe("ATTEMPT_LIMIT_REACHED");
	const { body } = await operate(pCode, "unblock");
	expect(body.data.pcode).toMatchObject({
		...{ status: "ACTIVE", validation_locked_until: null, validation_failures: 0, validation_locks: 0 },
	});
	for (let i = 0; i < 2; i++) expect((await partner.request(wrong)).status).toBe(406);
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
});
