/* @module-tag desk-email-confirmed */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { enterKey } from "../../../../../src/db/directory.ts";
import { DAY_MS, HOUR_MS } from "../../../../../src/domain/durations.ts";
import { platformOf } from "../../../../../src/platform.ts";
import { createApiKey, hashApiKey } from "../../../../../src/secrets/api-key.ts";
import { confirmDeliveryEmail, readLink } from "../../../../../src/services/delivery-email.ts";
import type { Settings } from "../../../../../src/settings/settings.ts";
import { HOOK } from "../../../../support/b2b.ts";
import { passTime, stopClock } from "../../../../support/clock.ts";
import { signIn, textOf } from "../../../../support/console.ts";
import { execute, openRegister } from "../../../../support/db.ts";
import { dumpRegister, select } from "../../../../support/look-inside.ts";
import { deliverMessages, useReceiver } from "../../../../support/receiver.ts";
import { invalid, refusal } from "../../../../support/refusal.ts";
import { type Answer, bindingsWith, callWith, Partner } from "../../../../support/service.ts";

const { receiver, queue, sent } = useReceiver();

const OLD = "antes@partner.example";
const NEW = "entregas@partner.example";

/** The service of another environment, in which a link is asked for. */
const THERE = {};
const bindings = bindingsWith(THERE) as typeof env;

async function runAs(environment: Settings["environment"], emailRecipients: string[] | null) {
	Object.assign((await platformOf(bindings)).settings, { environment, emailRecipients });
}

beforeEach(async () => {
	stopClock();
	await runAs("dev", ["@partner.example"]);
});

function send(method: string, path: string, key?: string, json?: unknown): Promise<Answer> {
	const headers = { "content-type": "application/json", ...(key && { "x-gw": key }) };
	const body = json === undefined ? {} : { body: JSON.stringify(json) };
	return callWith(THERE, method, `http://service.test${path}`, { headers, ...body });
}

async function set(partner: Partner, delivery_email: string | null, key?: string): Promise<Answer> {
	const by = key ?? (await partner.manageKey());
	return send("PUT", "/api/partner/v1/delivery_email", by, { delivery_email });
}

/** Gives the partner a key of the form that prod asks for. */
async function prodKey(partner: Partner): Promise<string> {
	const key = await createApiKey("prod");
	const { id } = (await partner.desk("POST", "/keys", { label: "prod", scopes: ["manage"] })).body.data.key;
	const hash = await hashApiKey(key);
	await enterKey(openRegister(env.DB), hash, partner.id);
	await execute("UPDATE api_keys SET hash = ? WHERE id = ?", hash, id);
	return key;
}

/** Reads what is in force and what waits. */
async function emails(partner: Partner): Promise<[string | null, string | null]> {
	const { settings } = (await partner.desk("GET", "/settings")).body.data;
	return [settings.delivery_email, settings.delivery_email_pending];
}

/** The path of the link in the last e-mail. */
function link(): string {
	return URL.parse(/https?:\/\/\S*\/correo\/[\w.-]+\w/.exec(sent.at(-1)!.text)![0])!.pathname;
}

test("a delivery e-mail waits for its owner's button; a GET changes nothing, and the button works once", async () => {
	const settings = { name: "Notaría <Uno>", mode: "B2B", webhook_url: HOOK, delivery_email: OLD };
	const partner = await Partner.create(settings);
	const { status, body } = await set(partner, NEW);
	expect([status, body.data]).toEqual([200, { delivery_email: OLD, delivery_email_pending: NEW }]);
	expect(await emails(partner)).toEqual([OLD, NEW]);
	expect(sent.map(({ to }) => to)).toEqual([NEW]);
	expect(sent[0]!.subject).toBe("[PRUEBA] Confirme su correo de entrega");
	expect(sent[0]!.text).toContain("Notaría <Uno>");
	const console = await signIn(partner);
	expect(textOf((await console.open("/console/webhook")).text)).toContain(`${NEW}. Rige cuando alguien`);

	const path = link();
	const before = await dumpRegister();
	expect(before).not.toContain(path.split(".").at(-1));
	const shown = await send("GET", path);
	expect([shown.status, await dumpRegister()]).toEqual([200, before]);
	expect(shown.text).toContain("Notaría &lt;Uno&gt;");
	expect(shown.text).toContain("e…@partner.example");
	expect(shown.text).not.toContain(NEW);
	expect(shown.text).toContain(`<form method="post" action="${path}?lang=es">`);

	const [one, other] = await Promise.all([send("POST", path), send("POST", path)]);
	for (const { status, headers } of [one, other])
		expect([status, headers.get("location")]).toEqual([303, "/correo/listo?lang=es"]);
	expect(await emails(partner)).toEqual([NEW, null]);
	expect((await send("GET", "/correo/listo?lang=en")).text).toContain("The e-mail is confirmed");
	const after = await dumpRegister();
	passTime(2 * DAY_MS);
	expect((await send("POST", path)).status).toBe(303);
	expect((await send("GET", path)).text).toContain("El correo quedó confirmado");
	expect(await dumpRegister()).toBe(after);

	// The key that set it is named, by the audit and in the notice to the other address.
	const [asked, changed, ...more] = await select(
		"SELECT action, outcome, actor FROM audit_events WHERE entity = ? AND actor LIKE 'partner:%' ORDER BY version",
		`partner:${partner.id}`,
	);
	expect(asked).toMatchObject({ action: "delivery_email_asked", outcome: "delivery_email" });
	expect([changed, more]).toEqual([{ ...asked, action: "changed" }, []]);
	await deliverMessages(...queue.splice(0).map(({ id }) => id));
	expect(receiver.bodies.map(({ data }) => [data.changed, data.action, `partner:${data.key_id}`])).toEqual([
		["delivery_email", "changed", asked!.actor],
	]);
});

test("a link ends after 24 hours, with another address, and with null; a made-up one is none", async () => {
	const partner = await Partner.create({ mode: "B2B", webhook_url: HOOK, delivery_email: OLD });
	const refused = async (path: string) =>
		expect([(await send("GET", path)).status, (await send("POST", path)).status]).toEqual([410, 410]);
	await set(partner, NEW);
	const first = link();
	await set(partner, "otra@partner.example");
	const second = link();
	await refused(first);
	await refused(`${second.slice(0, -1)}${second.endsWith("A") ? "E" : "A"}`);
	await refused(second.replace(/\.(\d+)\./, (_, until) => `.${Number(until) + 1}.`));
	passTime(DAY_MS - 1);
	expect(await emails(partner)).toEqual([OLD, "otra@partner.example"]);
	expect((await send("GET", second)).status).toBe(200);
	passTime(1);
	expect(await emails(partner)).toEqual([OLD, null]);
	await refused(second);
	await set(partner, NEW);
	const third = link();
	const none = { delivery_email: null, delivery_email_pending: null };
	expect((await set(partner, null)).body.data).toEqual(none);
	await refused(third);
	// One that is replaced between the reading of its link and the change.
	await set(partner, "otra@partner.example");
	const platform = await platformOf(bindings);
	const read = (await readLink(platform, link().slice("/correo/".length)))!;
	await set(partner, NEW);
	const at = { at: Date.now(), now: Date.now(), later: () => undefined };
	const owner = { platform, db: read.db, partnerId: partner.id, actor: read.actor, requestId: "r", ...at };
	expect(await confirmDeliveryEmail(owner, read)).toBe(false);
	// One that waits is no address.
	await set(partner, NEW);
	const withoutWebhook = { webhook_url: null, webhook_events: [] };
	expect((await partner.desk("PUT", "/webhook", withoutWebhook)).body.details).toMatchObject([
		{ code: "DELIVERY_ADDRESS_REQUIRED" },
	]);
	expect((await send("POST", link())).status).toBe(303);
	expect((await partner.desk("PUT", "/webhook", withoutWebhook)).status).toBe(200);
	// The confirmed e-mail is the last address, which a B2B partner keeps.
	expect(refusal(await set(partner, null))).toEqual(invalid("delivery_email DELIVERY_ADDRESS_REQUIRED"));
	expect(refusal(await set(partner, "nobody"))).toEqual(invalid("delivery_email INVALID_VALUE"));
});

test("five such e-mails an hour and partner", async () => {
	const [partner, other] = [await Partner.create(), await Partner.create()];
	for (let nth = 1; nth <= 5; nth++) expect((await set(partner, NEW)).status).toBe(200);
	const refused = await set(partner, "sexta@partner.example");
	expect([refused.status, refused.body.error]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
	expect(Number(refused.headers.get("retry-after"))).toBe(3600);
	expect([await emails(partner), sent.length]).toEqual([[null, NEW], 5]);
	expect((await set(other, NEW)).status).toBe(200);
	expect((await set(partner, null)).status).toBe(200);
	passTime(HOUR_MS);
	expect((await set(partner, NEW)).status).toBe(200);
});

test.for([
	["local", null, true],
	["dev", [], true],
	["dev", ["@elsewhere.example"], true],
	["dev", [NEW], false],
	["prod", null, false],
] as const)("%s, EMAIL_RECIPIENTS %j: at once: %s", async ([environment, recipients, atOnce]) => {
	await runAs(environment, recipients && [...recipients]);
	const partner = await Partner.create();
	const { status } = await set(partner, NEW, environment === "prod" ? await prodKey(partner) : undefined);
	expect(status).toBe(200);
	expect([await emails(partner), sent.length]).toEqual(atOnce ? [[NEW, null], 0] : [[null, NEW], 1]);
	// An own entry of ops counts at once and ends what waits.
	await partner.change({ delivery_email: OLD });
	expect(await emails(partner)).toEqual([OLD, null]);
});
