import { expect, test } from "vitest";
import { HOOK } from "../../../../support/b2b.ts";
import { select } from "../../../../support/look-inside.ts";
import { deliverMessages, useReceiver } from "../../../../support/receiver.ts";
import { ops, Partner } from "../../../../support/service.ts";

const { receiver, queue, sent: emails } = useReceiver();

const MAIL = "entregas@partner.example";
const hook = (webhook_url: string | null) => ({ webhook_url, webhook_events: ["certificate.emitted"] });

async function deliverQueued(): Promise<void> {
	await deliverMessages(...queue.splice(0).map(({ id }) => id));
}

test("a change of the webhook, of its secret or of keys is told to the delivery e-mail of before, by whom and when", {
	tags: ["desk-notice"],
}, async () => {
	const partner = await Partner.create({ name: "Notaría <Uno>", webhook_url: HOOK, delivery_email: MAIL });
	await partner.desk("PUT", "/webhook", hook("https://thief.example/hook"));
	await partner.desk("POST", "/webhook/secret", { overlap_hours: 0 });
	const { key } = (await partner.desk("POST", "/keys", { label: "a" })).body.data;
	await partner.desk("POST", `/keys/${key.id}/rotate`, { label: "b" });
	await partner.desk("DELETE", `/keys/${key.id}`);
	// Changed before the notices are sent: they go to the address of before.
	await partner.desk("PUT", "/delivery_email", { delivery_email: "thief@thief.example" });
	await deliverQueued();
	expect(emails.map(({ to }) => to)).toEqual(Array(5).fill(MAIL));
	const keys = (await partner.desk("GET", "/keys")).body.data.keys;
	const manager = keys.find(({ label }: { label: string }) => label === "everything");
	for (const { text, html, subject } of emails) {
		expect(text).toContain(manager.id);
		expect(text).toMatch(/Si no lo hizo su equipo, revoque esa API key/);
		expect(html).toContain("Notaría &#60;Uno&#62;");
		expect(subject).toMatch(/^Cambió la configuración .* \/ The settings/);
	}
	expect(emails.filter(({ text }) => text.includes("El webhook"))).toHaveLength(2);
	expect(emails.filter(({ text }) => text.includes("Las API keys"))).toHaveLength(3);
	// The e-mail's own change is told to the webhook.
	expect(receiver.bodies).toEqual([
		{
			type: "settings.changed",
			timestamp: expect.any(String),
			data: { changed: "delivery_email", action: "changed", key_id: manager.id },
		},
	]);
	const listed = (await partner.desk("GET", "/deliveries?event=settings.changed")).body.data.deliveries;
	expect(listed.map(({ p_code, state }: { p_code: null; state: string }) => [p_code, state])).toEqual(
		Array(6).fill([null, "delivered"]),
	);
});

test("a sole webhook is told of keys and, at its former address, of a new one; a sole e-mail of its change", {
	tags: ["desk-notice"],
}, async () => {
	const byWebhook = await Partner.create({ webhook_url: HOOK });
	await byWebhook.desk("POST", "/keys", { label: "a" });
	await byWebhook.desk("PUT", "/webhook", hook("https://thief.example/hook"));
	const byEmail = await Partner.create({ delivery_email: MAIL });
	await byEmail.desk("PUT", "/delivery_email", { delivery_email: "new@partner.example" });
	await deliverQueued();
	expect(receiver.received.map(({ url }) => url)).toEqual([HOOK, HOOK]);
	const data = receiver.bodies.map(({ data }) => [data.changed, data.action]).sort();
	expect(data).toEqual([
		["keys", "key_added"],
		["webhook", "changed"],
	]);
	expect(emails.map(({ to }) => to)).toEqual([MAIL]);
});

test("a sole webhook that is off is told of keys alone", {
	tags: ["desk-notice"],
}, async () => {
	const partner = await Partner.create({ webhook_url: HOOK });
	await partner.change({ webhook_enabled: false });
	await partner.desk("PUT", "/webhook", hook(`${HOOK}/new`));
	expect(await select("SELECT id FROM outbox")).toEqual([]);
	await partner.desk("POST", "/keys", { label: "a" });
	expect(await select("SELECT event, channel FROM outbox")).toEqual([
		{ event: "settings.changed", channel: "webhook" },
	]);
	await deliverQueued();
	expect(receiver.received).toEqual([]);
});

test("nothing is told of what ops do, of what was refused, or of what stayed as it was", {
	tags: ["desk-notice"],
}, async () => {
	const partner = await Partner.create({ mode: "B2B", delivery_email: MAIL, webhook_url: HOOK });
	await ops("POST", `/partners/${partner.id}/keys`, { label: "a" });
	await partner.change({ webhook_url: `${HOOK}/ops` });
	await partner.desk("PUT", "/webhook", hook(`${HOOK}/ops`));
	await partner.desk("PUT", "/delivery_email", { delivery_email: MAIL });
	await partner.desk("PUT", "/webhook", hook("https://10.0.0.1/"));
	const { keys } = (await partner.desk("GET", "/keys")).body.data;
	const manager = keys.find(({ label }: { label: string }) => label === "everything");
	expect((await partner.desk("DELETE", `/keys/${manager.id}`)).status).toBe(406);
	expect(queue).toEqual([]);
	expect(await select("SELECT id FROM outbox")).toEqual([]);
});
