import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { sendEmail } from "../../../../src/delivery/email.ts";
import { composeCertificateEmail } from "../../../../src/delivery/emails.ts";
import { composeHolderEmail } from "../../../../src/delivery/holder-emails.ts";
import { platformOf } from "../../../../src/platform.ts";
import { readableTime } from "../../../../src/texts/dates.ts";
import { alone } from "../../../support/alone.ts";
import { deliveries, HOOK, issueToWebhook } from "../../../support/b2b.ts";
import { activeCode, validatedCode } from "../../../support/codes.ts";
import { envelope, PAYLOAD } from "../../../support/emails.ts";
import { dumpRegister, holderMessagesOf, outboxOf } from "../../../support/look-inside.ts";
import { deliverMessages, spyOnEmail, useReceiver } from "../../../support/receiver.ts";
import { JUANA, ops } from "../../../support/service.ts";
import { claim, submit, typedSession } from "../../../support/widget.ts";

const { receiver, queue, sent } = useReceiver("holders", beforeAll);

async function deliverToHolder() {
	await vi.waitUntil(() => queue.length === 1);
	await deliverMessages(queue.splice(0)[0]!.id);
	return sent.at(-1)!;
}

test("B2C: after the claim the holder is told what was issued in its name, and how to say that it was not me", {
	tags: ["holder-told"],
}, async () => {
	const { partner, pCode } = await validatedCode({ name: "Notaría <b>Uno</b>" });
	expect(await holderMessagesOf(pCode)).toEqual([]);
	const { body } = await partner.claim(pCode);
	expect(await dumpRegister()).not.toContain("juana@");
	const email = await deliverToHolder();
	const { serialNumber, certificate, validTo } = body.data;
	expect([email.to, email.subject, email.attachments]).toEqual([
		JUANA.email,
		"Notaría b Uno b: se emitió un certificado digital a su nombre",
		[],
	]);
	for (const part of [email.text, email.html]) {
		expect(part).toContain("JUANA ANDREA PÉREZ SOTO");
		expect(part).toContain(serialNumber);
		expect(part).toContain("TEST");
		expect(part).toContain(`${env.PUBLIC_URL}/revocar`);
		expect(part).toContain(readableTime(Date.parse(validTo), "es"));
		for (const secret of [JUANA.pin, JUANA.dni]) expect(part).not.toMatch(alone(secret));
		expect(part).not.toContain(certificate.slice(0, 40));
	}
	expect(email.html).toContain("Notaría &lt;b&gt;Uno&lt;/b&gt;");
	expect(email.html).toContain(`${env.PUBLIC_URL}/instalar?lang=es`);
	const [row] = await holderMessagesOf(pCode);
	expect(row).toMatchObject({ event: "holder.issued", to_partner: 0, last_outcome: "delivered" });
	expect(row).toMatchObject({ payload_sealed: null, recipient_sealed: null });
	expect(await deliveries()).toMatchObject([{ event: "holder.issued", p_code: pCode, state: "delivered" }]);
});

test.each([
	["ops", "la autoridad que lo emitió"],
	["partner", "Notaría Uno, que se lo vendió"],
	["a cancellation", "la autoridad que lo emitió"],
] as const)(
	"a revoked certificate, by %s: its partner and its holder are told once, by whom, why and what to do",
	{ tags: ["holder-told"] },
	async (by, says) => {
		const events = { webhook_url: HOOK, webhook_events: ["certificate.revoked", "pcode.cancelled"] };
		const { partner, pCode } = await validatedCode({ name: "Notaría Uno", ...events });
		const { serialNumber: serial } = (await partner.claim(pCode)).body.data;
		await deliverToHolder();
		await partner.manageKey();
		const reason = "keyCompromise";
		const revoke = () => {
			if (by === "ops") return ops("POST", `/certificates/${serial}/revoke`, { reason });
			if (by === "partner") return partner.desk("POST", `/certificates/${serial}/revoke`, { reason });
			return ops("POST", `/pcodes/${pCode}/cancel`, { reason: "returned", revocation_reason: reason });
		};
		for (let i = 0; i < 2; i++) expect((await revoke()).status).toBe(200);
		// The cancellation of a code whose certificate is revoked revokes nothing.
		expect((await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" })).status).toBe(200);
		const told = await outboxOf(pCode);
		await deliverMessages(...told.map(({ id }) => id as string));
		const revoked_by = by === "partner" ? "partner" : "ops";
		const issued = { p_code: pCode, serialNumber: serial };
		expect(receiver.bodies.sort((a, b) => (a.type < b.type ? -1 : 1))).toMatchObject([
			{ type: "certificate.revoked", data: { ...issued, reason, revoked_by } },
			{ type: "pcode.cancelled", data: issued },
		]);
		const email = await deliverToHolder();
		const { revoked_at } = (await ops("GET", `/certificates/${serial}`)).body.data.certificate;
		expect([email.to, email.subject]).toEqual([JUANA.email, "Notaría Uno: se revocó su certificado digital"]);
		for (const part of [
			"JUANA ANDREA PÉREZ SOTO",
			serial,
			says,
			"para tener otro certificado, contacte a Notaría Uno.",
			"otra persona pudo tener el archivo o su PIN",
		])
			expect(email.text).toContain(part);
		expect(email.text).toContain(`Revocado el: ${readableTime(Date.parse(revoked_at), "es")}`);
		expect(email.text).not.toContain(JUANA.dni);
		expect((await holderMessagesOf(pCode)).map(({ event }) => event)).toEqual([
			"holder.issued",
			"holder.revoked",
		]);
	},
);

test("the holder reads of its certificate and its revocation in the widget's language; without a widget in its partner's", {
	tags: ["holder-told"],
}, async () => {
	const made = await typedSession({}, { locale: "en" });
	expect((await submit(made)).status).toBe(200);
	const { serialNumber } = (await claim(made)).body.data;
	const issued = await deliverToHolder();
	expect(issued.subject).toBe("Partner under test: a digital certificate was issued in your name");
	expect(issued.html).toContain('<html lang="en">');
	await ops("POST", `/certificates/${serialNumber}/revoke`, { reason: "superseded" });
	expect((await deliverToHolder()).subject).toBe("Partner under test: your digital certificate was revoked");

	const { partner, pCode } = await activeCode({ name: "Notaría Uno", language: "en" });
	await partner.request({ pCode, ...JUANA, email: "other@example.cl" });
	await partner.claim(pCode);
	expect((await deliverToHolder()).subject).toBe(
		"Notaría Uno: a digital certificate was issued in your name",
	);
});

test("a serial that was never handed out, and an erased holder: nobody is told of its revocation", async () => {
	const { partner, pCode } = await validatedCode();
	await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" });
	expect(await holderMessagesOf(pCode)).toEqual([]);
	const issued = await partner.code();
	await partner.request({ pCode: issued, ...JUANA });
	const { serialNumber: serial } = (await partner.claim(issued)).body.data;
	await env.DB_2.prepare("DELETE FROM holders WHERE code = ?").bind(issued).run();
	await ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" });
	expect((await holderMessagesOf(issued)).map(({ event }) => event)).toEqual(["holder.issued"]);
});

test("B2B: the call that issues does not wait for the holder's message, and its refusal does not fail the call", {
	tags: ["holder-told"],
}, async () => {
	spyOnEmail(() => {
		throw Object.assign(new Error("away"), { code: "E_RECIPIENT_SUPPRESSED" });
	}, sent);
	const { pCode } = await issueToWebhook();
	expect([receiver.received.length, sent.length]).toEqual([1, 0]);
	await vi.waitUntil(() => queue.length === 1);
	await deliverMessages(queue[0]!.id);
	expect((await holderMessagesOf(pCode))[0]).toMatchObject({
		attempts: 1,
		last_outcome: "email E_RECIPIENT_SUPPRESSED",
	});
});

test("dates in e-mails, to partners too, are in words and by Chile's clock, summer and winter", () => {
	expect(readableTime(Date.UTC(2026, 10, 21, 12), "es")).toBe(
		"21 de noviembre de 2026, 09:00 (hora de Chile)",
	);
	expect(readableTime(Date.UTC(2026, 6, 1, 3, 30), "en")).toBe("30 June 2026, 23:30 (Chile time)");
	for (const [language, says] of [
		["es", "Válido desde: 21 de noviembre de 2026, 09:00 (hora de Chile)"],
		["en", "Valid until: 21 November 2027, 09:00 (Chile time)"],
	]) {
		const { text } = composeCertificateEmail(PAYLOAD, envelope({ language }))!;
		expect(text).toContain(says);
		expect(text).not.toMatch(/\dT\d/);
	}
});

test.each([
	["dev", [], "a@example.cl", null],
	["dev", ["@example.cl"], "a@Example.CL", "[PRUEBA] Notaría Uno: su certificado digital vence en 7 días"],
	["dev", ["a@example.cl"], "b@example.cl", null],
	["dev", ["@example.cl"], "a@sub.example.cl", null],
	["prod", null, "a@example.cl", "Notaría Uno: su certificado digital vence en 7 días"],
] as const)("%s, EMAIL_RECIPIENTS %j: to %s %s", async (environment, emailRecipients, to, subject) => {
	const platform = await platformOf(env);
	const settings = { ...platform.settings, environment, emailRecipients };
	const { serial, validFrom, validTo } = PAYLOAD;
	const notice = { language: null, fullName: "A", issuer: "I", serial, validFrom, validTo, days: 7 };
	const message = composeHolderEmail(notice, envelope({ to }));
	const outcome = await sendEmail({ ...platform, settings }, message, 1_000);
	if (subject === null)
		expect([outcome, sent]).toEqual([{ kind: "parked", label: "address_not_listed" }, []]);
	else expect([outcome.kind, sent[0]!.subject]).toEqual(["delivered", subject]);
});
