import { X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type LocalServer, startServer } from "../../scripts/local-server.ts";
import { alone } from "../support/alone.ts";
import { freePort } from "../support/free-port.ts";
import { WebhookReceiver } from "../support/webhook-receiver.ts";
import { openWithForge } from "./pfx-library-openers.ts";
import { openWithOpenssl } from "./pfx-openers.ts";
import { testWith } from "./tool-test.ts";

/*
 * Deliveries end to end: the service as `npm start` runs it (a test harness would fetch through Node, which follows
 * redirects), its own queue, a receiver on loopback, e-mails as files.
 */

const root = join(import.meta.dirname, "..", "..");
const state = `.wrangler/delivery-test-${process.pid}`;
let server: LocalServer;
const emails = join(root, ".wrangler", "tmp", "email");
let receiver: WebhookReceiver;
let hook = "";

const PEDRO = {
	dni: "22222222-2",
	serialNumber: "A222222222",
	pin: "0042",
	name: "PEDRO PABLO MUÑOZ ÑANCUPIL",
};

beforeAll(async () => {
	mkdirSync(emails, { recursive: true });
	server = await startServer({ port: await freePort(), state, output: "ignore" });
});
afterAll(async () => {
	await server.stop();
	rmSync(join(root, state), { recursive: true, force: true });
});

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

testWith(
	"openssl",
	"§6 B2B: the webhook of the call verifies, and openssl opens its PFX with the PIN",
	async () => {
		const { id, key, secret } = await createPartner();
		const { pCode, data } = await emit(key);
		expect(receiver.received).toHaveLength(1);
		const event = verify(secret);
		expect(event).toMatchObject({
			type: "certificate.emitted",
			data: { p_code: pCode, ...data.certificate },
		});
		const pfx = new Uint8Array(Buffer.from(event.data.certificate!, "base64"));
		const opened = openWithOpenssl(pfx, PEDRO.pin);
		expect(opened.keyOpened).toBe(true);
		expect(new X509Certificate(opened.leafPem).serialNumber).toBe(data.certificate.serialNumber);
		await untilOutcome(id, "delivered");
	},
);

test("an altered webhook, or another partner's secret, does not verify", async () => {
	const { key, secret } = await createPartner();
	const other = await createPartner();
	await emit(key);
	expect(() => verify(other.secret)).toThrow();
	receiver.received[0]!.body = receiver.received[0]!.body.replace("e2e", "e3e");
	expect(() => verify(secret)).toThrow();
});

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

test("a receiver that stalls holds the call for 5 s at most", async () => {
	const { id, key } = await createPartner();
	receiver.answer = () => undefined;
	const start = Date.now();
	await emit(key);
	// Below the 20 s that a later attempt may take; the rest is the machine's.
	expect(Date.now() - start).toBeLessThan(15_000);
	await untilOutcome(id, "timeout");
});

test("a receiver that answers 410 is switched off, and ops see it and switch it on", async () => {
	const { id, key } = await createPartner();
	receiver.answer = (response) => response.writeHead(410).end();
	await emit(key);
	await untilOutcome(id, "gone");
	const off = await vi.waitUntil(
		async () => (await ops("GET", `/partners/${id}`)).body.data.partner.webhook_off_since,
	);
	expect(Date.parse(off)).toBeLessThanOrEqual(Date.now());
	const on = await ops("PATCH", `/partners/${id}`, { webhook_enabled: true });
	expect(on.body.data.partner.webhook_off_since).toBeNull();
	expect((await deliveryOf(id)).state).toBe("pending");
});

test("a receiver that sends Retry-After is not called before it", async () => {
	const { id, key } = await createPartner();
	receiver.answer = (response, nth) =>
		nth === 1 ? response.writeHead(503, { "retry-after": "9" }).end() : response.writeHead(200).end();
	await emit(key);
	await untilOutcome(id, "delivered");
	const [first, second] = receiver.received;
	expect(second!.at - first!.at).toBeGreaterThanOrEqual(8_900);
});

test("a secret that is rotated: both verify meanwhile", async () => {
	const { id, key, secret } = await createPartner();
	const rotated = await ops("POST", `/partners/${id}/webhook-secret`, {});
	await emit(key);
	expect(String(receiver.received[0]!.headers["webhook-signature"]).split(" ")).toHaveLength(2);
	expect(verify(secret)).toEqual(verify(rotated.body.data.webhook_secret));
});

test("e-mails read back: Spanish and English, text and HTML, and the PFX in them opens with the PIN", async () => {
	const before = new Set(filesIn(emails));
	const { id, key } = await createPartner({ webhook_url: null, delivery_email: "entregas@partner.example" });
	const { pCode, data } = await emit(key);
	await untilOutcome(id, "delivered");
	// Other servers of the project write into this folder too, and the holder gets a message without the code.
	const ending = (extension: string) =>
		filesIn(emails)
			.filter((file) => file.endsWith(extension) && !before.has(file))
			.map((file) => readFileSync(file));
	const pfx = await vi.waitUntil(() =>
		ending(".pfx").find((file) => holds(file, PEDRO.pin, data.certificate.serialNumber)),
	);
	for (const extension of [".txt", ".html"]) {
		const part = ending(extension)
			.map(String)
			.find((text) => text.includes(pCode));
		for (const text of [PEDRO.name, pCode, data.certificate.serialNumber, "Válido desde", "Valid from"])
			expect(part).toContain(text);
		expect(part).not.toMatch(alone(PEDRO.pin));
	}
	expect(openWithForge(new Uint8Array(pfx), PEDRO.pin).certificates).toHaveLength(3);
});

/** @returns false where the PIN does not open the file, too: another holder's, or one that is still being written. */
function holds(pfx: Buffer, pin: string, serial: string): boolean {
	try {
		const { certificates } = openWithForge(new Uint8Array(pfx), pin);
		return certificates.some((certificate) => new X509Certificate(certificate).serialNumber === serial);
	} catch {
		return false;
	}
}

function filesIn(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}
