import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createWebhookPartner, deliveryOf, HOOK, issueToWebhook } from "../../../../support/b2b.ts";
import { execute } from "../../../../support/db.ts";
import { deliverMessages, useReceiver } from "../../../../support/receiver.ts";
import { refusal } from "../../../../support/refusal.ts";
import { ops, Partner } from "../../../../support/service.ts";
import { readTables } from "../../../../support/tables.ts";

const { receiver, queue } = useReceiver("partners", beforeAll);

const EVENTS = ["certificate.emitted"];
const address = (webhook_url: string | null) => ({ webhook_url, webhook_events: EVENTS });

describe("GET, PUT /webhook", () => {
	test("the new webhook is shown, to ops too, and the audit names the key", {
		tags: ["desk-webhook"],
	}, async () => {
		const partner = await Partner.create();
		const put = { webhook_url: HOOK, webhook_events: ["pcode.locked", "certificate.emitted"] };
		const { status, body } = await partner.desk("PUT", "/webhook", put);
		const shown = { ...put, webhook_off_since: null, webhook_off_by: null };
		expect([status, body.data]).toEqual([200, shown]);
		expect((await partner.desk("GET", "/webhook")).body.data).toEqual(shown);
		expect((await ops("GET", `/partners/${partner.id}`)).body.data.partner).toMatchObject(put);
		const { events } = (await ops("GET", `/audit/partner:${partner.id}`)).body.data;
		expect(events.at(-1)).toMatchObject({
			action: "changed",
			outcome: "webhook_events webhook_url",
			actor: expect.stringMatching(/^partner:key_/),
		});
	});

	test("an address switches on what a 410 switched off, and what waited is sent to it", {
		tags: ["desk-webhook"],
	}, async () => {
		receiver.answer = () => new Response(null, { status: 410 });
		const { partner, pCode } = await issueToWebhook();
		const offSince = async () => (await partner.desk("GET", "/webhook")).body.data.webhook_off_since;
		await vi.waitUntil(async () => (await offSince()) !== null);
		receiver.answer = () => new Response(null, { status: 204 });
		expect((await partner.desk("PUT", "/webhook", address(`${HOOK}/new`))).status).toBe(200);
		expect(await offSince()).toBeNull();
		await deliverMessages((await deliveryOf(pCode)).id);
		expect(receiver.received.at(-1)!.url).toBe(`${HOOK}/new`);
		expect((await deliveryOf(pCode)).last_outcome).toBe("delivered");
	});

	test("a webhook that the operator switched off stays off", { tags: ["desk-webhook"] }, async () => {
		const partner = await Partner.create({ webhook_url: HOOK });
		await partner.change({ webhook_enabled: false });
		const { body } = await partner.desk("PUT", "/webhook", address(`${HOOK}/new`));
		const off = { webhook_off_by: "ops", webhook_off_since: expect.any(String) };
		expect(body.data).toMatchObject({ webhook_url: `${HOOK}/new`, ...off });
	});
});

describe("POST /webhook/test", () => {
	test.for([
		[() => new Response("inner text", { status: 201 }), "delivered", 201],
		[() => new Response(null, { status: 410 }), "gone", 410],
		[() => Promise.reject(new TypeError("inner text")), "unreachable", null],
	] as const)(
		"%s: the outcome is in the answer, and nothing else happens",
		{ tags: ["desk-ping"] },
		async ([answer, outcome, http_status]) => {
			const { partner, secret } = await createWebhookPartner();
			await partner.manageKey();
			const before = await readTables();
			receiver.answer = answer;
			const { status, body, text } = await partner.desk("POST", "/webhook/test");
			expect(status).toBe(200);
			expect(body.data).toEqual({
				webhook_url: HOOK,
				webhook_id: expect.any(String),
				outcome,
				http_status,
				duration_ms: expect.any(Number),
			});
			expect(text).not.toContain("inner text");
			const [ping, ...more] = receiver.received;
			expect(more).toEqual([]);
			expect(new Webhook(secret).verify(ping!.body, ping!.headers)).toEqual({
				type: "ping",
				timestamp: expect.any(String),
				data: {},
			});
			expect(ping!.headers["webhook-id"]).toBe(body.data.webhook_id);
			expect([{ ...(await readTables()), api_keys: [] }, queue]).toEqual([{ ...before, api_keys: [] }, []]);
		},
	);

	test("without a webhook, and at an address that must not be reached, nobody is called", {
		tags: ["desk-ping"],
	}, async () => {
		const without = await Partner.create();
		const refused = refusal(await without.desk("POST", "/webhook/test"));
		expect(refused).toEqual([406, "VALIDATION_ERROR", "WEBHOOK_MISSING"]);
		const { partner } = await createWebhookPartner();
		await execute("UPDATE partners SET webhook_url = 'https://10.0.0.1/x'");
		const { body } = await partner.desk("POST", "/webhook/test");
		expect([body.data.outcome, receiver.received]).toEqual(["address_refused", []]);
	});
});

test("GET /settings: what applies to the partner's calls, and the key that asked", {
	tags: ["desk-settings"],
}, async () => {
	const partner = await Partner.create({ mode: "B2B", delivery_email: "entregas@partner.example" });
	const { settings, key, limits } = (await partner.desk("GET", "/settings")).body.data;
	const { suspended, created_at, updated_at, ...theirs } = (await ops("GET", `/partners/${partner.id}`)).body
		.data.partner;
	expect(settings).toEqual({ ...theirs, delivery_email_pending: null });
	expect(key).toEqual({
		id: expect.stringMatching(/^key_/),
		scopes: ["codes", "redeem", "read", "manage"],
		expires_at: null,
		allowed_cidrs: null,
	});
	expect(limits).toMatchObject({ calls_per_minute: 600, certificate_requests_per_minute: 10 });
});

test("reminders and the widget's settings, as ops see them", { tags: ["desk-settings"] }, async () => {
	const partner = await Partner.create();
	const remind = (holder_reminders: unknown) => partner.desk("PUT", "/reminders", { holder_reminders });
	expect((await remind(true)).body.data).toEqual({ holder_reminders: true });
	const widget = { origins: ["https://shop.example"], accent: "#0b5cad" };
	const put = await partner.desk("PUT", "/widget", widget);
	expect([put.status, put.body.data.widget]).toEqual([200, { ...widget, logo: null }]);
	expect((await partner.desk("GET", "/widget")).body.data).toEqual(put.body.data);
	expect((await ops("GET", `/partners/${partner.id}/widget`)).body.data).toEqual(put.body.data);
	expect((await ops("GET", `/partners/${partner.id}`)).body.data.partner.holder_reminders).toBe(true);
});
