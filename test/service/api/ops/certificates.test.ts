import "reflect-metadata";
import { expect, test } from "vitest";
import { REVOCATION_REASONS } from "../../../../src/domain/revocation-reason.ts";
import { auditOf } from "../../../support/look-inside.ts";
import { emitted, listed, usePki } from "../../../support/pki.ts";
import { type Answer, loadHolder, ops, Partner } from "../../../support/service.ts";

usePki();

const revoke = (serial: string, reason: unknown) => ops("POST", `/certificates/${serial}/revoke`, { reason });

test("ops revoke a certificate, ten at once do once: the code stays as it is, nothing tells of the holder", async () => {
	const { partner, pCode, serial } = await emitted();
	const answers = await Promise.all(Array.from({ length: 10 }, () => revoke(serial, "keyCompromise")));
	const [{ status, body, text }] = answers as [Answer];
	expect(status).toBe(200);
	for (const answer of answers) expect(answer.text).toBe(text);
	expect(body.data.certificate).toEqual({
		...{ serial, partner_id: partner.id, p_code: pCode, renews: null },
		...{ issued_at: expect.any(String), not_before: expect.any(String), not_after: expect.any(String) },
		...{ revoked_at: expect.any(String), revocation_reason: "keyCompromise" },
	});
	expect([await partner.status(pCode), (await partner.listed(pCode)).status]).toEqual(["EMITTED", "emitido"]);
	expect((await auditOf(pCode)).slice(-2)).toEqual(["emitted ok", `revoke ${serial} keyCompromise`]);
	expect((await revoke(serial, "superseded")).text).toBe(text);
	const colons = serial.toLowerCase().match(/../g)!.join(":");
	expect((await ops("GET", `/certificates/${encodeURIComponent(colons)}`)).body).toEqual(body);
	// What was revoked keeps reason and date when its code is cancelled.
	await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "returned", revocation_reason: "superseded" });
	expect((await ops("GET", `/certificates/${serial}`)).body).toEqual(body);
});

test("RFC 5280 §5.3.1: each reason of ours is taken, no other is; an unknown serial is 404", async () => {
	const others = ["certificateHold", "removeFromCRL", "cACompromise", "aACompromise", "KEYCOMPROMISE"];
	for (const reason of [...others, "", 1, null, undefined, ["keyCompromise"]]) {
		const { status, body } = await revoke("7A".repeat(16), reason);
		expect([reason, status, body.details[0].field]).toEqual([reason, 400, "reason"]);
	}
	for (const reason of REVOCATION_REASONS)
		expect([reason, (await revoke("7A".repeat(16), reason)).status]).toEqual([reason, 404]);
	for (const other of ["x", "0", "7a".repeat(15)]) {
		expect((await ops("GET", `/certificates/${other}`)).status).toBe(404);
		expect((await revoke(other, "superseded")).status).toBe(404);
	}
});

test("cancelling a code revokes its certificate, for cessationOfOperation or for the reason given; a reason that is none is refused", {
	tags: ["ops-cancel-reason"],
}, async () => {
	const partner = await Partner.create({ mode: "B2B" });
	for (const [i, sent, reason, code] of [
		[1, {}, "cessationOfOperation", 5],
		[2, { revocation_reason: "keyCompromise" }, "keyCompromise", 1],
	] as const) {
		const { pCode, serial } = await emitted(partner, loadHolder(i));
		const cancel = (more: object) => ops("POST", `/pcodes/${pCode}/cancel`, { reason: "returned", ...more });
		expect((await cancel({ revocation_reason: "certificateHold" })).status).toBe(400);
		expect(await partner.status(pCode)).toBe("EMITTED");
		await cancel(sent);
		const { certificate } = (await ops("GET", `/certificates/${serial}`)).body.data;
		expect([certificate.revocation_reason, (await listed(serial)).reason]).toEqual([reason, code]);
		expect(await partner.status(pCode)).toBe("CANCELLED");
	}
});
