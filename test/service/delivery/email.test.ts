import { beforeAll, expect, test, vi } from "vitest";
import { composeCertificateEmail } from "../../../src/delivery/emails.ts";
import { composeCodeEmail, composeHolderEmail } from "../../../src/delivery/holder-emails.ts";
import { alone } from "../../support/alone.ts";
import { deliveryOf, issueToWebhook, request } from "../../support/b2b.ts";
import { setTime } from "../../support/clock.ts";
import { BRAND, envelope, everyEmail, HOSTILE, PAYLOAD } from "../../support/emails.ts";
import { dumpRegister, outboxOf } from "../../support/look-inside.ts";
import { deliverMessages, spyOnEmail, useReceiver } from "../../support/receiver.ts";
import { Partner, PEDRO } from "../../support/service.ts";

const { receiver, queue, sent } = useReceiver("partners", beforeAll);

const B2B = { mode: "B2B", delivery_email: "entregas@partner.example" };

test("§6 B2B: the certificate goes to the delivery e-mail and to partnerCopy in the same call", {
	tags: ["delivery-email", "copy-reduced-flow"],
}, async () => {
	const partner = await Partner.create(B2B);
	const { body, pCode } = await request(partner, { ...PEDRO, partnerCopy: "copia@partner.example" });
	expect(sent.map(({ to }) => to).sort()).toEqual(["copia@partner.example", "entregas@partner.example"]);
	const [email] = sent;
	const { serialNumber, pfxFileName } = body.data.certificate;
	expect(email!.from.email).toBe("certificados@certificates.example");
	expect(email!.subject).toBe(`Certificado digital emitido: ${pCode}`);
	for (const part of [email!.text, email!.html]) {
		expect(part).toContain("PEDRO PABLO MUÑOZ ÑANCUPIL");
		expect(part).toContain(serialNumber);
		expect(part).toContain("El archivo se abre con el PIN");
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
	await issueToWebhook({ delivery_email: B2B.delivery_email });
	const [event] = receiver.bodies;
	expect(sent[0]!.attachments[0]!.content.toBase64()).toBe(event.data.certificate);
});

test("§4.1 partnerCopy in B2C: the copy is sent when the certificate is claimed, with the claimed file", {
	tags: ["copy-b2c-file", "copy-b2c"],
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
	expect(sent.map(({ headers }) => headers["X-Delivery-Id"])).toEqual([row.id]);
	expect((await deliveryOf(pCode)).last_outcome).toBe("delivered");
});

test("one address as delivery e-mail and partnerCopy gets one message", async () => {
	const partner = await Partner.create(B2B);
	await request(partner, { partnerCopy: B2B.delivery_email });
	expect(sent).toHaveLength(1);
});

test.each(["es", "en"] as const)(
	"every e-mail in %s: in this language alone, with a preheader, one button, who and why, the same in the text",
	(language) => {
		const [own, other] =
			language === "es" ? [/correo/i, /e-mail|You get/] : [/e-mail|message/i, /correo|Recibe/];
		for (const [kind, email] of Object.entries(everyEmail(language))) {
			const { html, text, subject, from } = email;
			const shown = html.slice(html.indexOf("<body")).replaceAll(/<[^>]*>/g, "");
			expect([kind, html.match(/<html lang="(\w\w)">/)![1]]).toEqual([kind, language]);
			for (const part of [shown, text]) {
				expect([kind, part]).toEqual([kind, expect.stringMatching(own)]);
				expect([kind, part.replaceAll(/https:\S+/g, "")]).not.toEqual([kind, expect.stringMatching(other)]);
				for (const said of [BRAND.email, BRAND.phone, BRAND.hours[language]])
					expect([kind, part]).toEqual([kind, expect.stringContaining(said)]);
			}
			const buttons = [...html.matchAll(/class="press"[^>]*><a href="([^"]+)"/g)].map(([, url]) => url);
			expect([kind, buttons.length]).toEqual([kind, 1]);
			for (const url of buttons) expect([kind, text]).toEqual([kind, expect.stringContaining(url!)]);
			expect([kind, /<img src="([^"]*)"/.exec(html)![1]]).toEqual([
				kind,
				"https://certificates.example/brand/mark.png",
			]);
			const [preheader = ""] = shown.split("\u034f");
			expect(preheader.trim().length).toBeGreaterThan(20);
			expect([
				kind,
				html.length < 16_000,
				text.includes("undefined"),
				/\{\w+\}/.test(shown + text + subject),
			]).toEqual([kind, true, false, false]);
			const toHolder = ["issued", "expiring", "revoked", "answered", "code"].includes(kind);
			expect([kind, subject.startsWith("Notaría Uno: "), from.name]).toEqual([
				kind,
				toHolder,
				toHolder ? `Notaría Uno v${language === "es" ? "í" : "i"}a Firma Demo` : "Firma Demo",
			]);
		}
	},
);

test("a holder's e-mail is in its partner's language where it chose none; several sellers are not named", () => {
	const { serial, validFrom, validTo } = PAYLOAD;
	const notice = { language: null, fullName: "Ana", serial, issuer: "I", validFrom, validTo };
	expect(composeHolderEmail(notice, envelope({ language: "en" }))!.subject).toBe(
		"Notaría Uno: a digital certificate was issued in your name",
	);
	const own = { language: "es" as const };
	expect(composeHolderEmail({ ...notice, ...own }, envelope({ language: "en" }))!.subject).toContain(
		": se emitió",
	);
	const logo = composeHolderEmail(notice, envelope({ widgetLogo: "a1b2" }))!.html;
	expect(logo).toContain('<img src="https://certificates.example/widget/logos/pt_1/a1b2" alt=""');
	const several = { ...envelope(), partner: null };
	const { subject, from, html } = composeCodeEmail({ ...own, code: "123456789012", until: 0 }, several)!;
	expect([subject, from.name]).toEqual(["Código para revocar su certificado o ver sus datos", "Firma Demo"]);
	expect(html).not.toContain("Vendido por");
});

test("the code's link has the code in its fragment alone, and the code stands beside it to be typed", () => {
	const { html, text } = everyEmail("es").code!;
	for (const part of [html, text]) {
		expect(part).toContain("https://certificates.example/revocar/abrir?lang=es#123456789012");
		expect(part).toContain("1234 5678 9012");
	}
});

test("text from a holder is in no header, a partner's name without signs that have a meaning there, and all is escaped in the HTML", () => {
	const name = 'Notaría "Uno" <x@y.cl>,\r\nBcc: b@example.cl; \u202eÑ';
	for (const email of Object.values(everyEmail("es", envelope({ name })))) {
		const { text: _, html, attachments, ...headers } = email;
		expect(JSON.stringify(headers)).not.toMatch(/\\r|\\n|Bcc:|Pedro|22222222|[<>]|\u202e|x@y/);
		expect(html).not.toMatch(/<b\b|<x@|onclick="/);
		for (const { filename } of attachments) expect(filename).toBe(PAYLOAD.fileName);
	}
	const { html, text } = everyEmail("es").certificate!;
	expect(html).toContain("Pedro &lt;b onclick=&quot;x()&quot;&gt;Ñ&lt;/b&gt; &amp; &#39;Co&#39;");
	expect(text).toContain(HOSTILE);
	const { from, subject } = everyEmail("es", envelope({ name })).issued!;
	expect(from.name).toBe("Notaría Uno x y.cl Bcc b example.cl Ñ vía Firma Demo");
	expect(subject).toBe("Notaría Uno x y.cl Bcc b example.cl Ñ: se emitió un certificado digital a su nombre");
});

test("no message is composed to what is no address, nor with a file name that could end a header", () => {
	const bcc = "a@example.cl\r\nBcc: b@example.cl";
	const others = ["a@example.cl, b@example.cl", "<a@example.cl>", "a b@example.cl", "a@@example.cl"];
	for (const to of [bcc, ...others, "a@example.cl\0", "no-address"])
		expect([to, composeCertificateEmail(PAYLOAD, envelope({ to }))]).toEqual([to, null]);
	const payload = { ...PAYLOAD, fileName: 'a.pfx"\r\nX: y' };
	expect(composeCertificateEmail(payload, envelope())).toBeNull();
});
