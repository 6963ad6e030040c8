/* @module-tag desk-notice */
import { expect, test } from "vitest";
import { HOOK } from "../../../../support/b2b.ts";
import { passTime, stopClock } from "../../../../support/clock.ts";
import { interceptDb } from "../../../../support/failing-db.ts";
import { select } from "../../../../support/look-inside.ts";
import { deliverMessages, useReceiver } from "../../../../support/receiver.ts";
import { ops, Partner } from "../../../../support/service.ts";

const { receiver, queue, sent: emails } = useReceiver();

const MAIL = "entregas@partner.example";
const hook = (webhook_url: string | null) => ({ webhook_url, webhook_events: ["certificate.emitted"] });

const QUARTER_MS = 15 * 60_000;

/** Count that an e-mail tells, beside the kind of change. */
function countIn({ text }: { text: string }) {
	const kind = ["El webhook", "Las API keys", "El correo"].find((kind) => text.includes(kind));
	return [kind, Number(/Cambios desde el aviso anterior:?\s+(\d+)/.exec(text)?.[1])];
}

async function deliverQueued(): Promise<void> {
	await deliverMessages(...queue.splice(0).map(({ id }) => id));
}

test("a change of the webhook, of its secret or of keys is told to the delivery e-mail of before, by whom and when", async () => {
	stopClock();
	const partner = await Partner.create({ name: "Notaría <Uno>", webhook_url: HOOK, delivery_email: MAIL });
	await partner.desk("PUT", "/webhook", hook("https://thief.example/hook"));
	await partner.desk("POST", "/webhook/secret", { overlap_hours: 0 });
	const { key } = (await partner.desk("POST", "/keys", { label: "a" })).body.data;
	await partner.desk("POST", `/keys/${key.id}/rotate`, { label: "b" });
	await partner.desk("DELETE", `/keys/${key.id}`);
	// Changed before the notices are sent: they go to the address of before.
	await partner.desk("PUT", "/delivery_email", { delivery_email: "thief@thief.example" });
	const waiting = queue.filter(({ delaySeconds }) => delaySeconds === 900).map(({ id }) => id);
	await deliverQueued();
	expect(emails.map(countIn).sort()).toEqual([
		["El webhook", 1],
		["Las API keys", 1],
	]);
	// The notice that waits is of the same millisecond as the one that was sent.
	await partner.desk("POST", "/webhook/secret", { overlap_hours: 0 });
	passTime(QUARTER_MS);
	await deliverMessages(...waiting);
	expect(emails.slice(2).map(countIn).sort()).toEqual([
		["El webhook", 2],
		["Las API keys", 2],
	]);
	expect(emails.map(({ to }) => to)).toEqual(Array(4).fill(MAIL));
	const keys = (await partner.desk("GET", "/keys")).body.data.keys;
	const manager = keys.find(({ label }: { label: string }) => label === "everything");
	for (const { text, html, subject } of emails) {
		expect(text).toContain(manager.id);
		expect(text).toMatch(/Si no lo hizo su equipo, revoque esa API key/);
		expect(html).toContain("Notaría &lt;Uno&gt;");
		expect(subject).toBe("Cambió la configuración de su servicio");
	}
	// The e-mail's own change is told to the webhook.
	expect(receiver.bodies).toEqual([
		{
			type: "settings.changed",
			timestamp: expect.any(String),
			data: { changed: "delivery_email", action: "changed", key_id: manager.id, count: 1 },
		},
	]);
	const listed = (await partner.desk("GET", "/deliveries?event=settings.changed")).body.data.deliveries;
	expect(listed.map(({ p_code, state }: { p_code: null; state: string }) => [p_code, state])).toEqual(
		Array(5).fill([null, "delivered"]),
	);
});

test("30 changes of a kind in a minute: the first is told at once, 29 in one notice at the quarter; no other waits", async () => {
	stopClock();
	const partner = await Partner.create({ webhook_url: HOOK, delivery_email: MAIL });
	const other = await Partner.create({ delivery_email: "otro@partner.example" });
	for (let n = 0; n < 30; n++) {
		await partner.desk("PUT", "/webhook", hook(`${HOOK}/${n}`));
		if (n === 0) await deliverQueued();
		passTime(2_000);
	}
	await partner.desk("POST", "/keys", { label: "another kind" });
	await other.desk("PUT", "/webhook", hook(HOOK));
	expect(queue.map(({ delaySeconds }) => delaySeconds)).toEqual([898, 0, 0]);
	await deliverQueued();
	expect(emails.map((email) => [email.to, ...countIn(email)])).toEqual([
		[MAIL, "El webhook", 1],
		[MAIL, "Las API keys", 1],
		["otro@partner.example", "El webhook", 1],
	]);
	const waiting = await select("SELECT id FROM outbox WHERE delivered_at IS NULL");
	passTime(QUARTER_MS - 61_000);
	await deliverMessages(`${waiting[0]!.id}`);
	expect(emails).toHaveLength(3);
	passTime(1_000);
	await deliverMessages(`${waiting[0]!.id}`);
	expect(emails.slice(3).map(countIn)).toEqual([["El webhook", 29]]);
	// The quarter begins again with the notice that was sent.
	passTime(QUARTER_MS - 1_000);
	await partner.desk("POST", "/webhook/secret", {});
	expect(queue.map(({ delaySeconds }) => delaySeconds)).toEqual([1]);
	passTime(1_000);
	await deliverQueued();
	expect(emails.slice(4).map(countIn)).toEqual([["El webhook", 1]]);
	passTime(QUARTER_MS);
	await partner.desk("POST", "/webhook/secret", {});
	expect(queue.map(({ delaySeconds }) => delaySeconds)).toEqual([0]);
});

test("a change while the waiting notice is being sent is told by the next", async () => {
	stopClock();
	const partner = await Partner.create({ delivery_email: MAIL });
	for (const label of ["a", "b"]) await partner.desk("POST", "/keys", { label });
	const [now, later] = queue.splice(0);
	await deliverMessages(now!.id);
	passTime(QUARTER_MS);
	let sent = false;
	const third = await interceptDb(
		async (_nth, deliver, sql) => {
			if (!sent && /insert into "audit_events"/i.test(sql)) {
				sent = true;
				await deliverMessages(later!.id);
			}
			return deliver();
		},
		() => partner.desk("POST", "/keys", { label: "c" }),
	);
	expect(third.status).toBe(201);
	passTime(QUARTER_MS);
	await deliverQueued();
	expect(emails.map(countIn)).toEqual(Array(3).fill(["Las API keys", 1]));
});

test("a sole webhook is told of keys and, at its former address, of a new one, unless it is off; a sole e-mail of its change", async () => {
	const off = await Partner.create({ webhook_url: HOOK });
	await off.change({ webhook_enabled: false });
	await off.desk("PUT", "/webhook", hook(`${HOOK}/new`));
	await off.desk("POST", "/keys", { label: "a" });
	await deliverQueued();
	expect([await select("SELECT noticed FROM outbox"), receiver.received]).toEqual([
		[{ noticed: "keys" }],
		[],
	]);
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

test("nothing is told of what ops do, of what was refused, or of what stayed as it was", async () => {
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
