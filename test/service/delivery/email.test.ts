import { expect, test, vi } from "vitest";
import { composeCertificateEmail } from "../../../src/delivery/emails.ts";
import { alone } from "../../support/alone.ts";
import { createWebhookPartner, deliveryOf, request } from "../../support/b2b.ts";
import { dumpRegister, outboxOf, setTime } from "../../support/look-inside.ts";
import { deliverMessages, spyOnEmail, useReceiver } from "../../support/receiver.ts";
import { Partner, PEDRO } from "../../support/service.ts";

const { receiver, queue, sent } = useReceiver();

const B2B = { mode: "B2B", delivery_email: "entregas@partner.example" };

test("§6 B2B: the certificate goes to the delivery e-mail and to partnerCopy in the same call", {
	tags: ["delivery-email"],
}, async () => {
	const partner = await Partner.create(B2B);
	const { body, pCode } = await request(partner, { ...PEDRO, partnerCopy: "copia@partner.example" });
	expect(sent.map(({ to }) => to).sort()).toEqual(["copia@partner.example", "entregas@partner.example"]);
	const [email] = sent;
	const { serialNumber, pfxFileName } = body.data.certificate;
	expect(email!.from.email).toBe("certificados@certificates.example");
	expect(email!.subject).toBe(`Certificado digital emitido / Digital certificate issued: ${pCode}`);
	for (const part of [email!.text, email!.html]) {
		expect(part).toContain("PEDRO PABLO MUÑOZ ÑANCUPIL");
		expect(part).toContain(serialNumber);
		expect(part).toContain("El archivo se abre con el PIN");
		expect(part).toContain("The file opens with the 4-digit PIN");
		expect(part).toContain(PEDRO.referenceId);
	}
	expect(email!.attachments).toMatchObject([{ filename: pfxFileName, type: "application/x-pkcs12" }]);
	expect(email!.attachments[0]!.content[0]).toBe(0x30);
	const { attachments, ...visible } = email!;
	expect(JSON.stringify(visible)).not.toMatch(alone(PEDRO.pin));
	await vi.waitUntil(async () => (await outboxOf(pCode)).every((row) => row.last_outcome === "delivered"));
	const rows = await outboxOf(pCode);
	expect(rows.map((row) => [row.payload_sealed, row.recipient_sealed])).toEqual([
		[null, null],
		[null, null],
	]);
	expect(email!.headers).toEqual({ "X-Delivery-Id": expect.any(String) });
	expect(rows.map(({ id }) => id).sort()).toEqual(sent.map(({ headers }) => headers["X-Delivery-Id"]).sort());
});

test("B2B with webhook and e-mail: both carry the same file", async () => {
	const { partner } = await createWebhookPartner({ delivery_email: B2B.delivery_email });
	await request(partner);
	const [event] = receiver.bodies;
	expect(sent[0]!.attachments[0]!.content.toBase64()).toBe(event.data.certificate);
});

test("§4.1 partnerCopy in B2C: the copy is sent when the certificate is claimed, with the claimed file", {
	tags: ["copy-b2c-file"],
}, async () => {
	const partner = await Partner.create({ delivery_email: "entregas@partner.example" });
	const { pCode } = await request(partner, { ...PEDRO, partnerCopy: "copia@partner.example" });
	expect(await outboxOf(pCode)).toEqual([]);
	const claimed = await partner.claim(pCode, { dni: PEDRO.dni, pin: PEDRO.pin });
	await vi.waitUntil(() => queue.length === 1);
	expect(await dumpRegister()).not.toContain("copia@");
	await deliverMessages(queue[0]!.id);
	expect(sent.map(({ to }) => to)).toEqual(["copia@partner.example"]);
	expect(sent[0]!.attachments[0]!.content.toBase64()).toBe(claimed.body.data.certificate);
});

test("an e-mail that the platform refuses does not fail the call and is retried on the same schedule", async () => {
	const refusals = { left: 1 };
	spyOnEmail(({ to }) => {
		if (refusals.left-- > 0)
			throw Object.assign(new Error(`550 ${to} refused`), { code: "E_RATE_LIMIT_EXCEEDED" });
	}, sent);
	const partner = await Partner.create(B2B);
	const { pCode } = await request(partner);
	await vi.waitUntil(() => queue.length === 1);
	const row = await deliveryOf(pCode);
	expect(row).toMatchObject({ last_outcome: "email E_RATE_LIMIT_EXCEEDED", attempts: 1 });
	expect(row.next_attempt_at - row.last_attempt_at).toBe(5_000);
	setTime(row.next_attempt_at);
	await deliverMessages(row.id);
	expect(sent).toHaveLength(1);
	expect((await deliveryOf(pCode)).last_outcome).toBe("delivered");
});

test("one address as delivery e-mail and partnerCopy gets one message", async () => {
	const partner = await Partner.create(B2B);
	await request(partner, { partnerCopy: B2B.delivery_email });
	expect(sent).toHaveLength(1);
});

const PAYLOAD = {
	code: "7K3M-9QXT-2B4C-H8WD",
	reference: "order-1\r\nBcc: everyone@example.com",
	holder: {
		rut: "22222222-2",
		fullName: "PEDRO <b>Ñ</b> & 'CO'\r\nBcc: x@example.com",
		email: "p@example.cl",
	},
	serial: "00AA",
	validFrom: 0,
	validTo: 0,
	fileName: "certificado-22222222-2.pfx",
	pfx: "MAA=",
};

test("text from a holder or a partner is in no header, and is escaped in the HTML", () => {
	const email = composeCertificateEmail(PAYLOAD, { id: "id", from: "a@example.cl", to: "b@example.cl" })!;
	const { text, html, attachments, ...headers } = email;
	expect(JSON.stringify(headers)).not.toMatch(/\\r|\\n|Bcc|PEDRO|22222222/);
	expect(attachments[0]!.filename).toBe(PAYLOAD.fileName);
	expect(html).toContain("PEDRO &#60;b&#62;Ñ&#60;/b&#62; &#38; &#39;CO&#39;");
	expect(html).not.toContain("<b>");
	expect(text).toContain("PEDRO <b>Ñ</b>");
});

test.each([
	"a@example.cl\r\nBcc: b@example.cl",
	"a@example.cl, b@example.cl",
	"a@example.cl;b@example.cl",
	"<a@example.cl>",
	'"a"@example.cl',
	"a b@example.cl",
	"a@@example.cl",
	"a@example.cl\0",
	"no-address",
])("no message is composed to %j", (to) => {
	expect(composeCertificateEmail(PAYLOAD, { id: "id", from: "a@example.cl", to })).toBeNull();
});

test("no message is composed with a file name that could end a header", () => {
	const payload = { ...PAYLOAD, fileName: 'a.pfx"\r\nX: y' };
	expect(composeCertificateEmail(payload, { id: "id", from: "a@example.cl", to: "b@example.cl" })).toBeNull();
});
