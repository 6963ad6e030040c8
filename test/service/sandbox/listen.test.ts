import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { verifyWebhook } from "../../../client/verify-webhook.ts";
import { describePartners as describeProd } from "../../../src/api/partner/router.ts";
import { app as prodApp } from "../../../src/app.ts";
import type { Bindings } from "../../../src/bindings.ts";
import devWorker from "../../../src/dev.ts";
import { WEBHOOK_EVENTS } from "../../../src/domain/webhook-events.ts";
import { ALIVE_MS } from "../../../src/sandbox/listener.ts";
import { HOOK } from "../../support/b2b.ts";
import { hastenTimers } from "../../support/clock.ts";
import { outboxOf, select } from "../../support/look-inside.ts";
import { Receiver } from "../../support/receiver.ts";
import { call, freshService, JUANA, Partner, PEDRO, type Settings } from "../../support/service.ts";

/* The calls of `npm run listen`, examples of events, and the partner's own mode and flow. */

beforeEach(async () => {
	await freshService();
	// On a busy machine one who listens needs longer to show that it is there.
	hastenTimers(1 / 10, [ALIVE_MS]);
});

interface Heard {
	id: string;
	headers: Record<string, string>;
	body: string;
}

async function listen(partner: Partner, wait_seconds = 20): Promise<Heard | null> {
	const { status, body } = await partner.desk("POST", "/sandbox/listen", { wait_seconds });
	expect(status).toBe(200);
	return body.data.webhook;
}

/** Listens as the command does: it asks for the next webhook at once, and answers each. */
function listener(partner: Partner, status: () => number | null) {
	const heard: Heard[] = [];
	const stop = new AbortController();
	const loop = async () => {
		while (!stop.signal.aborted) {
			const webhook = await listen(partner);
			if (!webhook) continue;
			heard.push(webhook);
			void partner.desk("POST", `/sandbox/listen/${webhook.id}`, { status: status() });
		}
	};
	const ended = loop();
	const end = async () => {
		stop.abort();
		await partner.desk("DELETE", "/sandbox/listen");
		await ended;
	};
	return { heard, end };
}

async function listening(partner: Partner) {
	await vi.waitFor(async () => {
		const [row] = await select("SELECT listening_until FROM partners WHERE id = ?", partner.id);
		expect(row!.listening_until).toBeGreaterThan(Date.now());
	});
}

const outcomeOf = async (pCode: string) => (await outboxOf(pCode))[0]?.last_outcome;

test("a partner without a webhook hears what it subscribes to, signed; its answer is the outcome", {
	tags: ["listen"],
}, async () => {
	const partner = await Partner.create({ webhook_events: ["pcode.validated"] });
	const { webhook_secret } = (await partner.desk("POST", "/webhook/secret", {})).body.data;
	let status: number | null = 204;
	const { heard, end } = listener(partner, () => status);
	await listening(partner);
	const codes = [await partner.code(), await partner.code(), await partner.code()] as const;
	await partner.request({ pCode: codes[0], ...JUANA });
	await vi.waitFor(async () => expect(await outcomeOf(codes[0])).toBe("delivered"));
	const [webhook] = heard;
	const { body: sent, headers } = webhook!;
	const verified = await verifyWebhook({ body: sent, headers, secret: webhook_secret });
	expect(verified).toMatchObject({ type: "pcode.validated", data: { p_code: codes[0] } });
	status = 503;
	await partner.request({ pCode: codes[1], ...PEDRO });
	await vi.waitFor(async () => expect(await outcomeOf(codes[1])).toBe("http 503"));
	status = null;
	const { body } = await partner.desk("POST", "/webhook/test");
	expect(body.data).toMatchObject({ webhook_url: "listen:", outcome: "unreachable", http_status: null });
	await end();
	// A partner that no longer listens counts as one without a webhook.
	await partner.request({ pCode: codes[2], ...JUANA });
	expect(await outboxOf(codes[2])).toEqual([]);
	expect((await partner.desk("POST", "/webhook/test")).body.details[0].code).toBe("WEBHOOK_MISSING");
});

test("it comes before the webhook; one that is dead is found out, and the webhook gets it", {
	tags: ["listen"],
}, async () => {
	const receiver = new Receiver();
	const partner = await Partner.create({ webhook_url: HOOK });
	const { heard, end } = listener(partner, () => 204);
	await listening(partner);
	const test = () => partner.desk("POST", "/webhook/test");
	expect((await test()).body.data).toMatchObject({ webhook_url: "listen:", outcome: "delivered" });
	expect([heard.length, receiver.received.length]).toEqual([1, 0]);
	await end();
	// One poll, which nobody follows: the command was killed.
	vi.mocked(setTimeout).mockRestore();
	hastenTimers(4, [ALIVE_MS]);
	const last = listen(partner);
	await listening(partner);
	expect((await test()).body.data).toMatchObject({ webhook_url: HOOK, outcome: "delivered" });
	expect(receiver.received.length).toBe(1);
	expect(await last).not.toBeNull();
	const [row] = await select("SELECT listening_until FROM partners WHERE id = ?", partner.id);
	expect(row!.listening_until).toBeNull();
	const late = await partner.desk("POST", `/sandbox/listen/${(await last)!.id}`, { status: 204 });
	expect(late.status).toBe(404);
});

test("it is no delivery address of a B2B partner; while it listens, it gets the PFX", {
	tags: ["listen"],
}, async () => {
	const partner = await Partner.create();
	const { heard, end } = listener(partner, () => 204);
	await listening(partner);
	const change = (settings: Settings) => partner.desk("PUT", "/sandbox/settings", settings);
	const refused = await change({ mode: "B2B" });
	expect([refused.status, refused.body.details[0].code]).toEqual([400, "DELIVERY_ADDRESS_REQUIRED"]);
	await partner.desk("PUT", "/delivery_email", { delivery_email: "entregas@partner.example" });
	expect((await change({ mode: "B2B" })).body.data.mode).toBe("B2B");
	const pCode = await partner.code();
	expect((await partner.request({ pCode, ...JUANA })).body.data.status).toBe("EMITTED");
	const emitted = heard
		.map(({ body }) => JSON.parse(body))
		.find(({ type }) => type === "certificate.emitted");
	expect(emitted.data).toMatchObject({ p_code: pCode, certificate: expect.any(String) });
	await end();
});

test("PUT /sandbox/settings: mode and flow, as ops set them; GET /settings shows them", {
	tags: ["desk-settings"],
}, async () => {
	const partner = await Partner.create();
	const change = (settings: Settings) => partner.desk("PUT", "/sandbox/settings", settings);
	const full = await change({ require_cedula_serie: 0, validate_vencimiento: 1 });
	expect(full.body.data).toEqual({
		mode: "B2C",
		require_cedula_serie: 0,
		validate_vencimiento: 1,
		require_sso: 1,
		require_serial_with_sso: 0,
		identity_checks: ["card_expiry", "names", "single_sign_on"],
	});
	const { settings } = (await partner.desk("GET", "/settings")).body.data;
	expect(settings).toMatchObject(full.body.data);
	const refused = await change({ require_cedula_serie: 1, require_sso: 1 });
	expect([refused.status, refused.body.details[0].field]).toEqual([400, "require_sso"]);
	const both = await change({ require_serial_with_sso: 1 });
	expect(both.body.data).toEqual({
		...full.body.data,
		require_serial_with_sso: 1,
		identity_checks: ["card_serial", ...full.body.data.identity_checks],
	});
	await change({ require_serial_with_sso: 0 });
	for (const settings of [{ mode: "B2X" }, { name: "Other" }, { webhook_url: HOOK }])
		expect((await change(settings)).status).toBe(400);
	expect((await change({})).body.data).toEqual(full.body.data);
});

test("POST /sandbox/events/{type}: a signed example of each event, whatever is subscribed, its outcome in the answer", {
	tags: ["desk-ping"],
}, async () => {
	const receiver = new Receiver();
	const partner = await Partner.create({ webhook_url: HOOK, webhook_events: [] });
	for (const type of WEBHOOK_EVENTS) {
		const { body } = await partner.desk("POST", `/sandbox/events/${type}`);
		expect([type, body.data.outcome, body.data.http_status]).toEqual([type, "delivered", 204]);
	}
	expect(receiver.bodies.map(({ type }) => type)).toEqual([...WEBHOOK_EVENTS]);
	expect(receiver.received.every(({ headers }) => headers["webhook-signature"]?.startsWith("v1,"))).toBe(
		true,
	);
	expect((await partner.desk("POST", "/sandbox/events/pcode.unknown")).status).toBe(400);
	expect(await select("SELECT * FROM outbox")).toEqual([]);
});

test("prod has none of these calls: 404 like any path, and not in its document", {
	tags: ["sandbox-only"],
}, async () => {
	const partner = await Partner.create();
	const headers = { "x-gw": await partner.manageKey(), "content-type": "application/json" };
	for (const [method, path] of [
		["PUT", "settings"],
		["GET", "clock"],
		["POST", "clock"],
		["POST", "listen"],
		["DELETE", "listen"],
		["POST", "events/ping"],
	] as const) {
		const url = `https://service.test/api/partner/v1/sandbox/${path}`;
		const init = { method, headers, ...(/^P/.test(method) && { body: "{}" }) };
		const context = { waitUntil() {}, passThroughOnException() {}, props: {} };
		expect([path, (await prodApp.request(url, init, env, context)).status]).toEqual([path, 404]);
	}
	const asProd = { ...env, ENVIRONMENT: "prod" } as unknown as Bindings;
	for (const path of ["/healthz", "/api/partner/v1/sandbox/clock", "/sandbox/openid/authorize"]) {
		const request = new Request(`https://service.test${path}`);
		const answer = await devWorker.fetch(request as never, asProd, createExecutionContext());
		expect([path, answer.status]).toEqual([path, 503]);
	}
	const paths = (document: object) => Object.keys((document as { paths: object }).paths);
	const inProd = paths(describeProd("https://prod.example", "en"));
	expect(inProd.filter((path) => path.includes("sandbox"))).toEqual([]);
	const served = paths((await call("GET", "/openapi.json")).body);
	expect(served.filter((path) => !inProd.includes(path)).length).toBe(5);
});
