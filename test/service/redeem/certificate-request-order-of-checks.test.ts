import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { invalid, refusal, rejection } from "../../support/refusal.ts";
import {
	type Answer,
	call,
	freshService,
	JUANA,
	JUANA_FULL,
	ops,
	Partner,
	PEDRO,
} from "../../support/service.ts";

beforeAll(freshService);

const PATH = "/api/partners/v1/certificate_request";
const NEVER_EXISTED = "0000-0000-0000-0000";
const WRONG_CARD = { ...JUANA, serialNumber: "999999999" };

/** Headers that differ from call to call by design. */
const OF_THE_CALL = ["ratelimit", "server-timing", "x-request-id"];

/** Everything else of an answer that a caller can see. */
function visible({ status, headers, text }: Answer) {
	const kept = [...headers].filter(([name]) => !OF_THE_CALL.includes(name));
	return { status, text, headers: kept };
}

async function locked(partner: Partner): Promise<string> {
	const pCode = await partner.code();
	for (let i = 0; i < 3; i++) await partner.request({ pCode, ...WRONG_CARD });
	return pCode;
}

test("order of checks: route and method (405 with Allow) before the key", async () => {
	const answer = await call("GET", PATH);
	expect(refusal(answer)).toEqual([405, "METHOD_NOT_ALLOWED"]);
	expect(answer.headers.get("allow")).toBe("POST");
});

test("order of checks: body size (413) before the key", { tags: ["order-size-before-key"] }, async () => {
	const answer = await call("POST", PATH, { body: new Uint8Array(12 * 1024 * 1024 + 1) });
	expect(refusal(answer)).toEqual([413, "PAYLOAD_TOO_LARGE"]);
});

test("order of checks: the key (401) before media type and shape (415, 400), and it costs no rate", {
	tags: ["request-key-first"],
}, async () => {
	for (const init of [
		{ body: "{}", headers: { "content-type": "text/plain" } },
		{ body: "{}", headers: { "content-type": "application/json" } },
		{ body: "{}", headers: { "content-type": "application/json", "x-gw": "gw_dev_nonsense" } },
		{},
	]) {
		const answer = await call("POST", PATH, init);
		expect(refusal(answer)).toEqual([401, "UNAUTHORIZED"]);
		expect(answer.headers.get("ratelimit")).toBeNull();
	}
});

test("order of checks: the rate (429) before media type and shape", {
	tags: ["order-rate-before-shape"],
}, async () => {
	const partner = await Partner.create();
	for (let i = 0; i < 10; i++) await partner.request({});
	const answer = await partner.request({}, { "content-type": "text/plain" });
	expect(refusal(answer)).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
});

test("order of checks: media type (415) before shape (400)", {
	tags: ["order-media-type-before-shape"],
}, async () => {
	const partner = await Partner.create();
	for (const type of [
		"text/plain",
		"application/xml",
		"multipart/form-data; boundary=x",
		"application/json5",
	]) {
		const answer = await partner.request({}, { "content-type": type });
		expect(refusal(answer)).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
	}
});

test.for([NEVER_EXISTED, "not a code"])(
	"order of checks: shape (400) before existence (404), code %s",
	{ tags: ["order-shape-before-code"] },
	async (pCode) => {
		const partner = await Partner.create();
		expect(refusal(await partner.request({ pCode, ...JUANA, pin: "1" }))).toEqual(
			invalid("pin INVALID_VALUE"),
		);
		const unfit = await partner.request({ pCode, ...JUANA, names: "Juana" });
		expect(refusal(unfit)).toEqual(invalid("names NOT_ALLOWED"));
		expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual([404, "NOT_FOUND"]);
	},
);

test("order of checks: existence (404) before business rules (406)", {
	tags: ["order-code-before-rules"],
}, async () => {
	const partner = await Partner.create();
	const { serialNumber: _serial, ...fields } = JUANA;
	expect(refusal(await partner.request({ pCode: NEVER_EXISTED, ...fields }))).toEqual([404, "NOT_FOUND"]);
});

test("§7 purchase code does not exist: another partner's, a never existing and an impossible one answer the same bytes", {
	tags: ["request-code-not-found"],
}, async () => {
	const [owner, stranger] = [await Partner.create(), await Partner.create()];
	const { body } = await owner.bulk(2);
	const [active, validated] = body.data.pcodes;
	await owner.request({ pCode: validated, ...JUANA });
	const lockedCode = await locked(owner);
	const cancelled = await owner.code();
	await ops("POST", `/pcodes/${cancelled}/cancel`, { reason: "Refund" });

	const never = visible(await stranger.request({ pCode: NEVER_EXISTED, ...JUANA }));
	expect(never.status).toBe(404);
	for (const pCode of [active, validated, lockedCode, cancelled, "impossible"]) {
		expect(visible(await stranger.request({ pCode, ...JUANA }))).toEqual(never);
	}
	expect(await owner.status(active)).toBe("ACTIVE");
});

test("order of checks: cancelled or blocked (423) before the security lock (429)", {
	tags: ["order-blocked-before-lock"],
}, async () => {
	for (const verb of ["cancel", "block"]) {
		const partner = await Partner.create();
		const pCode = await locked(partner);
		expect((await partner.request({ pCode, ...JUANA })).status).toBe(429);
		await ops("POST", `/pcodes/${pCode}/${verb}`, { reason: "Reported" });
		expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual([423, "LOCKED"]);
	}
});

test("order of checks: 423 and 429 before business rules (406), after shape (400)", {
	tags: ["order-lock-before-rules"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await locked(partner);
	const { serialNumber: _serial, ...fields } = JUANA;
	expect((await partner.request({ pCode, ...fields })).status).toBe(429);
	expect((await partner.request({ pCode, ...fields, pin: "" })).status).toBe(400);
	await ops("POST", `/pcodes/${pCode}/block`, { reason: "Reported" });
	expect((await partner.request({ pCode, ...fields })).status).toBe(423);
	expect((await partner.request({ pCode, ...fields, phone: "+56912345678" })).status).toBe(400);
});

test("decision 423: a cancelled code answers LOCKED also once it was issued", {
	tags: ["request-cancelled"],
}, async () => {
	const partner = await Partner.create({ mode: "B2B" });
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA });
	await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "Refund" });
	expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual([423, "LOCKED"]);
	expect(await partner.status(pCode)).toBe("CANCELLED");
});

test("decision 406: exactly one entry of details, whatever else is wrong", {
	tags: ["error-406-one-detail"],
}, async () => {
	const partner = await Partner.create({ validate_vencimiento: 1 });
	const [first, second] = (await partner.bulk(2)).body.data.pcodes;
	const dated = { fechaVencimiento: "2031-05-20" };
	await partner.request({ pCode: first, ...JUANA, ...dated });
	const { serialNumber: _serial, ...bare } = { ...PEDRO, email: JUANA.email };
	const missingAll = await partner.request({ pCode: first, ...bare });
	expect(refusal(missingAll)).toEqual(rejection("SERIAL_NUMBER_REQUIRED", "serialNumber"));
	const wrongAll = await partner.request({ ...WRONG_CARD, pCode: second, fechaVencimiento: "1999-01-01" });
	expect(refusal(wrongAll)).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
});

test("§1.7 behaviour follows the partner's configuration at the moment of the call", {
	tags: ["request-configuration-decides"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	await partner.change({ require_cedula_serie: 0 });
	const missing = invalid("names REQUIRED", "fLastname REQUIRED", "phone REQUIRED");
	expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual(missing);
	await partner.change({ require_sso: 1 });
	const fields = { pCode, ...JUANA_FULL };
	expect(refusal(await partner.request(fields))).toEqual(invalid("ssoCredential REQUIRED"));
	await partner.change({ require_sso: 0, validate_vencimiento: 1 });
	const required = rejection("EXPIRATION_DATE_REQUIRED", "fechaVencimiento");
	expect(refusal(await partner.request(fields))).toEqual(required);
	await partner.change({ validate_vencimiento: 0 });
	expect((await partner.request(fields)).body.data.status).toBe("VALIDATED");
	await partner.change({ mode: "B2B", require_cedula_serie: 1 });
	expect((await partner.request({ pCode, ...JUANA })).body.data.status).toBe("EMITTED");
});

test("decision 401: a suspended partner gets the body of an unknown key, and its codes wait for it", async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	const unknown = await call("POST", PATH, { headers: { "content-type": "application/json" }, body: "{}" });
	await partner.change({ suspended: true });
	const answer = await partner.request({ pCode, ...JUANA });
	expect(visible(answer)).toEqual(visible(unknown));
	await partner.change({ suspended: false });
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
});

test("decision 401: a suspension binds certificate_request at once, also where the key is still cached", async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	await env.DB.prepare("UPDATE partners SET suspended_at = 1 WHERE id = ?").bind(partner.id).run();
	for (const code of [pCode, NEVER_EXISTED, "not a code"]) {
		expect(refusal(await partner.request({ pCode: code, ...JUANA }))).toEqual([401, "UNAUTHORIZED"]);
	}
});

test("decision: messages are English, or Spanish when Accept-Language prefers it; codes never change", async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	for (const fields of [
		{ pCode, ...JUANA, pin: "1" },
		{ pCode, ...JUANA, phone: "+56912345678" },
		{ pCode: NEVER_EXISTED, ...JUANA },
		{ pCode, ...JUANA, serialNumber: undefined },
	]) {
		const english = await partner.request(fields);
		const spanish = await partner.request(fields, { "accept-language": "en;q=0.5, es-CL" });
		expect(refusal(spanish)).toEqual(refusal(english));
		expect(spanish.body.message).not.toBe(english.body.message);
		const messages = ({ body }: Answer) => (body.details ?? []).map(({ message }: Answer["body"]) => message);
		for (const [i, message] of messages(spanish).entries()) expect(message).not.toBe(messages(english)[i]);
	}
});
