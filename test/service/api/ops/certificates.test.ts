import "reflect-metadata";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { REVOCATION_REASONS } from "../../../../src/domain/revocation-reason.ts";
import { interceptDb } from "../../../support/failing-db.ts";
import { auditOf, codeRow } from "../../../support/look-inside.ts";
import { emitted, listed, untilCrlIsBuilt } from "../../../support/pki.ts";
import { dropQueue } from "../../../support/receiver.ts";
import { freshService, loadHolder, ops, Partner } from "../../../support/service.ts";

beforeEach(async () => {
	vi.useRealTimers();
	await freshService();
});

afterEach(untilCrlIsBuilt);

describe("ops: POST /ops/v1/certificates/{serial}/revoke", () => {
	test("voids the certificate and leaves the code as it is, with its audit row", async () => {
		const { partner, pCode, serial } = await emitted();
		const { status, body } = await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		expect(status).toBe(200);
		expect(body.data.certificate).toMatchObject({
			serial,
			p_code: pCode,
			revocation_reason: "keyCompromise",
		});
		expect(await partner.status(pCode)).toBe("EMITTED");
		expect((await partner.listed(pCode)).status).toBe("emitido");
		expect((await auditOf(pCode)).at(-1)).toBe(`revoke ${serial} keyCompromise`);
		expect((await ops("GET", `/certificates/${serial}`)).body).toEqual(body);
	});

	test.each(REVOCATION_REASONS)("takes the reason %s", async (reason) => {
		const { serial } = await emitted();
		const { status, body } = await ops("POST", `/certificates/${serial}/revoke`, { reason });
		expect([status, body.data.certificate.revocation_reason]).toEqual([200, reason]);
	});

	test.each([
		"certificateHold",
		"removeFromCRL",
		"cACompromise",
		"aACompromise",
		"KEYCOMPROMISE",
		"",
		1,
		null,
		undefined,
		["keyCompromise"],
	])("RFC 5280 §5.3.1: refuses the reason %j", async (reason) => {
		const { status, body } = await ops("POST", `/certificates/${"7A".repeat(16)}/revoke`, { reason });
		expect([status, body.error, body.details[0].field]).toEqual([400, "VALIDATION_ERROR", "reason"]);
	});

	test("the first revocation stands: a second one changes nothing", async () => {
		const { pCode, serial } = await emitted();
		const first = await ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" });
		const { version } = await codeRow(pCode);
		const second = await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		expect([second.status, second.body]).toEqual([200, first.body]);
		expect((await codeRow(pCode)).version).toBe(version);
	});

	test("ten at once revoke once", async () => {
		const { pCode, serial } = await emitted();
		const answers = await Promise.all(
			Array.from({ length: 10 }, () =>
				ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" }),
			),
		);
		expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
		expect((await auditOf(pCode)).filter((entry) => entry.startsWith("revoke"))).toHaveLength(1);
	});

	test("when D1 is lost on the way, says so, and the next call revokes once", async () => {
		dropQueue();
		const { pCode, serial } = await emitted();
		const revoke = () => ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" });
		for (let nth = 1; nth <= 4; nth++) {
			const { status } = await interceptDb(
				(n, deliver) => (n === nth ? Promise.reject(new Error("D1 is away")) : deliver()),
				revoke,
			);
			expect([503, 200]).toContain(status);
		}
		expect((await revoke()).status).toBe(200);
		expect((await auditOf(pCode)).filter((entry) => entry.startsWith("revoke"))).toHaveLength(1);
	});

	test("reads the serial as other programs show it, and knows no other", async () => {
		const { serial } = await emitted();
		const colons = serial.toLowerCase().match(/../g)!.join(":");
		expect(
			(await ops("GET", `/certificates/${encodeURIComponent(colons)}`)).body.data.certificate.serial,
		).toBe(serial);
		for (const other of ["7A".repeat(16), "x", "0", "7a".repeat(15)]) {
			expect((await ops("GET", `/certificates/${other}`)).status).toBe(404);
			expect((await ops("POST", `/certificates/${other}/revoke`, { reason: "superseded" })).status).toBe(404);
		}
	});

	test("is for ops only, and tells nothing of the holder", async () => {
		const { serial } = await emitted();
		expect((await ops("GET", `/certificates/${serial}`, undefined, "wrong")).status).toBe(401);
		expect(
			(await ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" }, "wrong")).status,
		).toBe(401);
		const { body } = await ops("GET", `/certificates/${serial}`);
		expect(Object.keys(body.data.certificate)).toEqual([
			"serial",
			"partner_id",
			"p_code",
			"issued_at",
			"not_before",
			"not_after",
			"revoked_at",
			"revocation_reason",
			"renews",
		]);
	});
});

describe("ops: cancelling a code revokes its certificate", () => {
	test("for cessationOfOperation, or for the reason given", { tags: ["ops-cancel-reason"] }, async () => {
		const partner = await Partner.create({ mode: "B2B" });
		const plain = await emitted(partner, loadHolder(1));
		await ops("POST", `/pcodes/${plain.pCode}/cancel`, { reason: "returned" });
		const answered = await emitted(partner, loadHolder(2));
		await ops("POST", `/pcodes/${answered.pCode}/cancel`, {
			reason: "stolen",
			revocation_reason: "keyCompromise",
		});
		for (const [{ serial, pCode }, reason, code] of [
			[plain, "cessationOfOperation", 5],
			[answered, "keyCompromise", 1],
		] as const) {
			expect((await ops("GET", `/certificates/${serial}`)).body.data.certificate.revocation_reason).toBe(
				reason,
			);
			expect((await listed(serial)).reason).toBe(code);
			expect(await partner.status(pCode)).toBe("CANCELLED");
		}
	});

	test("that was revoked before keeps its reason and date", async () => {
		const { pCode, serial } = await emitted();
		const { body } = await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "returned", revocation_reason: "superseded" });
		expect((await ops("GET", `/certificates/${serial}`)).body).toEqual(body);
	});

	test("a reason that is none is refused, and nothing happens", async () => {
		const { partner, pCode } = await emitted();
		const { status } = await ops("POST", `/pcodes/${pCode}/cancel`, {
			reason: "x",
			revocation_reason: "certificateHold",
		});
		expect(status).toBe(400);
		expect(await partner.status(pCode)).toBe("EMITTED");
	});
});
