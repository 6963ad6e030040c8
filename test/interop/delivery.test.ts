import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { KeptMail } from "../../src/sandbox/mail.ts";
import { alone } from "../support/alone.ts";
import { startTarget, type Target } from "../support/start-target.ts";
import { WebhookReceiver } from "../support/webhook-receiver.ts";
import { openWithForge } from "./pfx-library-openers.ts";

/*
 * Deliveries end to end: the Worker on a socket of its own (a test harness would fetch through Node, which follows
 * redirects), its own queue, a receiver on loopback, e-mails as local keeps them.
 */

let server: Target;
let receiver: WebhookReceiver;
let hook = "";

const PEDRO = {
	dni: "22222222-2",
	serialNumber: "A222222222",
	pin: "0042",
	name: "PEDRO PABLO MUÑOZ ÑANCUPIL",
};

beforeAll(async () => {
	server = await startTarget();
});
afterAll(() => server.stop());

/** An endpoint per test: what an earlier one still owes goes elsewhere. */
beforeEach(async () => {
	receiver = new WebhookReceiver();
	hook = `${await receiver.listen()}/hook`;
});
afterEach(() => receiver.close());

async function send(method: string, path: string, headers: Record<string, string>, body?: unknown) {
	const response = await fetch(`${server.url}${path}`, {
		method,
		headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	// biome-ignore lint/suspicious/noExplicitAny: answers are read by name
	return { status: response.status, body: (await response.json()) as any };
}

const ops = (method: string, path: string, body?: unknown) =>
	send(method, `/ops/v1${path}`, { authorization: `Bearer ${server.opsToken}` }, body);

/** A B2B partner and the secret it was shown. */
async function createPartner(settings: Record<string, unknown> = {}) {
	const { status, body } = await ops("POST", "/partners", {
		name: "Receiver",
		mode: "B2B",
		webhook_url: hook,
		...settings,
	});
	expect(status).toBe(201);
	const { partner, api_key, webhook_secret } = body.data;
	return { id: partner.id as string, key: { "x-gw": api_key as string }, secret: webhook_secret as string };
}

async function emit(key: Record<string, string>, fields: Record<string, unknown> = {}) {
	const bulk = await send("POST", "/api/partner/v1/pcode/bulk", key, { productCode: "FV01", quantity: 1 });
	const pCode = bulk.body.data.pcodes[0] as string;
	const { dni, serialNumber, pin } = PEDRO;
	const holder = { pCode, referenceId: "e2e", dni, email: "pedro@example.cl", pin, serialNumber, ...fields };
	const answer = await send("POST", "/api/partners/v1/certificate_request", key, holder);
	expect(answer.body).toMatchObject({ success: true, data: { status: "EMITTED" } });
	return { pCode, data: answer.body.data };
}

/** The one to the partner; the message to its holder is another. */
async function deliveryOf(partnerId: string) {
	const { body } = await ops("GET", `/deliveries?partner_id=${partnerId}`);
	const toPartner = body.data.deliveries.filter(({ event }: { event: string }) => event !== "holder.issued");
	expect(toPartner).toHaveLength(1);
	return toPartner[0];
}

const untilOutcome = (partnerId: string, outcome: string, timeout = 30_000) =>
	vi.waitUntil(
		async () => {
			const delivery = await deliveryOf(partnerId);
			return delivery.last_outcome === outcome ? delivery : null;
		},
		{ timeout, interval: 200 },
	);

function verify(secret: string, nth = 0) {
	const { body, headers } = receiver.received[nth]!;
	return new Webhook(secret).verify(body, headers as Record<string, string>) as {
		type: string;
		data: Record<string, string>;
	};
}

test("a receiver that fails gets it again from the queue after 5 s, under the same webhook-id", async () => {
	const { id, key, secret } = await createPartner();
	receiver.answer = (response, nth) => response.writeHead(nth === 1 ? 500 : 200).end();
	await emit(key);
	expect(await deliveryOf(id)).toMatchObject({ state: "pending" });
	await untilOutcome(id, "delivered");
	const [first, second] = receiver.received;
	expect(second!.at - first!.at).toBeGreaterThanOrEqual(4_900);
	expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
	expect(verify(secret, 1)).toEqual(verify(secret, 0));
});

test("a receiver that redirects is not followed", async () => {
	const { id, key } = await createPartner();
	receiver.answer = (response) => response.writeHead(307, { location: `${hook}/elsewhere` }).end();
	await emit(key);
	await untilOutcome(id, "http 307");
	expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
});

test("e-mails read back at /sandbox/mail: text and HTML, and the PFX in them opens with the PIN", async () => {
	const { id, key } = await createPartner({ webhook_url: null, delivery_email: "entregas@partner.example" });
	const { pCode, data } = await emit(key);
	await untilOutcome(id, "delivered");
	const mails = (await (await fetch(`${server.url}/sandbox/mail.json`)).json()) as KeptMail[];
	const { text, html, attachments } = mails.find((mail) => mail.to === "entregas@partner.example")!;
	for (const part of [text, html]) {
		for (const said of [PEDRO.name, pCode, data.certificate.serialNumber, "Válido desde"])
			expect(part).toContain(said);
		expect(part).not.toMatch(alone(PEDRO.pin));
	}
	const pfx = new Uint8Array(Buffer.from(attachments[0]!.base64, "base64"));
	expect(openWithForge(pfx, PEDRO.pin).certificates).toHaveLength(3);
});
