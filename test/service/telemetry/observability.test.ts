import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { describeError } from "../../../src/telemetry/describe-error.ts";
import { passTime, startClock, stopClock } from "../../support/clock.ts";
import { activeCode } from "../../support/codes.ts";
import { failingFrom, interceptDb } from "../../support/failing-db.ts";
import { signInOps } from "../../support/ops-console.ts";
import {
	call,
	callWith,
	freshService,
	JUANA,
	JUANA_FULL,
	ops,
	Partner,
	PEDRO,
} from "../../support/service.ts";

type Line = Record<string, unknown>;

const METHODS = ["log", "info", "warn", "error", "debug", "trace"] as const;
const written: string[] = [];

beforeAll(freshService);
beforeEach(() => {
	written.length = 0;
	for (const method of METHODS)
		vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
			written.push(
				values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" "),
			);
		});
});

function lines(event: string): Line[] {
	return written.map((text) => JSON.parse(text) as Line).filter((line) => line.event === event);
}

const PICTURE = Buffer.concat([
	Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
	Buffer.from("portrait of the holder"),
]).toString("base64");

test("one line per call: partner, route, outcome, and where the time went", async () => {
	const { partner, pCode } = await activeCode();
	written.length = 0;
	await partner.request({ pCode, ...JUANA }, { "x-request-id": "call-77" });
	await partner.claim(pCode, { pin: "0000" });
	await partner.claim(pCode);
	await partner.status(pCode);
	const [requested, wrong, claimed, status] = lines("request");
	expect(lines("request")).toHaveLength(4);
	expect(requested).toMatchObject({
		level: "info",
		request_id: "call-77",
		method: "POST",
		route: "/api/partners/v1/certificate_request",
		partner_id: partner.id,
		key_id: expect.stringMatching(/^key_/),
		status: 200,
		duration_ms: expect.any(Number),
		object_ms: expect.any(Number),
		d1_ms: expect.any(Number),
		registry_ms: expect.any(Number),
	});
	expect(wrong).toMatchObject({ status: 406, error: "VALIDATION_ERROR", reason: "CREDENTIALS_MISMATCH" });
	expect(claimed).toMatchObject({ status: 200, issue_ms: expect.any(Number) });
	expect(status).toMatchObject({ route: "/api/partners/v1/status", d1_ms: expect.any(Number) });
});

test("the logged route is a pattern: no path, query or method from the caller", async () => {
	const { pCode } = await activeCode();
	written.length = 0;
	await ops("GET", `/pcodes/${pCode}`);
	await call("GET", `/pfx-of/${JUANA.dni}?name=${JUANA_FULL.fLastname}`);
	await call("DELETE", `/api/partners/v1/status?p_code=${JUANA.dni}`);
	await call("GET", "/api/partners/v1/status", { headers: { "x-gw": JUANA.email } });
	expect(lines("request").map(({ method, route, status }) => [method, route, status])).toEqual([
		["GET", "/ops/v1/pcodes/:p_code", 200],
		["GET", "-", 404],
		["DELETE", "/api/partners/v1/status", 405],
		["GET", "/api/partners/v1/status", 401],
	]);
	expect(written.join("\n")).not.toContain(pCode);
});

test("a full run logs no secret and no holder value: successes, refusals, outages, hostile input", {
	tags: ["log-no-secrets"],
}, async () => {
	const [b2c, full, b2b] = [
		await Partner.create(),
		await Partner.create({ require_cedula_serie: 0, require_sso: 1 }),
		await Partner.create({ mode: "B2B", delivery_email: "delivery@partner.example" }),
	];
	const idempotencyKey = "idem-7f3a9c51-secret-of-the-caller";
	const sso = "sso-11111111-1";
	const answers: string[] = [];
	const keep = async (answer: Promise<{ text: string }>) => void answers.push((await answer).text);

	const pCode = await b2c.code();
	const header = { "Idempotency-Key": idempotencyKey };
	for (const _ of [1, 2]) await keep(b2c.request({ pCode, ...JUANA, dniFront: PICTURE }, header));
	await keep(b2c.request({ pCode, ...JUANA, pin: "7391" }, header));
	await keep(b2c.claim(pCode, { pin: "9999" }));
	for (const _ of [1, 2]) await keep(b2c.claim(pCode, {}, { "Idempotency-Key": `${idempotencyKey}-claim` }));
	await keep(b2c.claim(pCode));

	const fullFlow = { ...JUANA_FULL, pCode: await full.code(), ssoCredential: sso };
	await keep(full.request({ ...fullFlow, ssoCredential: "sso-22222222-2" }));
	await keep(full.request({ ...fullFlow, names: "Hortensia Leonor" }));
	await keep(full.request({ ...fullFlow, ssoCredential: "sso-down" }));
	await keep(full.request(fullFlow));

	const b2bCode = await b2b.code();
	await keep(b2b.request({ pCode: b2bCode, ...PEDRO, partnerCopy: "copia.pedro@example.cl" }));
	await keep(ops("POST", `/pcodes/${b2bCode}/cancel`, { reason: "test" }));

	const other = await Partner.create();
	const refused = await other.code();
	for (const serialNumber of ["999999999", "999999998", "999999997", "111111111"])
		await keep(other.request({ pCode: refused, ...JUANA, serialNumber }));
	await keep(
		other.request({ pCode: await other.code(), ...JUANA, dni: "10000005-9", serialNumber: "100000005" }),
	);
	await keep(
		other.request({ pCode: await other.code(), ...JUANA, dni: "10000007-5", serialNumber: "100000007" }),
	);
	await failingFrom(2, "is lost", () => keep(other.request({ pCode: refused, ...PEDRO })));
	vi.spyOn(crypto.subtle, "generateKey").mockRejectedValueOnce(
		new Error(`no key for "${PEDRO.email}", RUT ${PEDRO.dni}, PIN ${PEDRO.pin}`),
	);
	await keep(b2b.request({ pCode: await b2b.code(), ...PEDRO }));

	const named = { [`pin-${JUANA.pin}`]: JUANA.email };
	await keep(b2c.request({ ...named, pCode, ...JUANA, dni: [JUANA.dni] }));
	await keep(b2c.claim(pCode, named));
	await keep(b2c.post("/api/partner/v1/pcode/bulk", named));
	await keep(b2c.list(`?pin-${JUANA.pin}=1`));
	await keep(ops("POST", "/partners", named));
	await keep(b2c.post("/api/partners/v1/certificate_request", `{"dni":"${JUANA.dni}","pin":"${JUANA.pin}"`));
	await keep(b2c.get(`/api/partners/v1/status?p_code=${JUANA.email}&dni=${JUANA.dni}`));
	await keep(call("GET", `/${JUANA.dni}/${JUANA.email}`, { headers: { "user-agent": JUANA.email } }));
	await keep(ops("GET", "/partners", undefined, `wrong-token-${JUANA.pin}-padded-to-its-length`));

	const said = answers.join("\n");
	const missing = (outcomes: string[]) => outcomes.filter((outcome) => !said.includes(outcome));
	expect(missing(["VALIDATED", "EMITTED", '"certificate"', "SSO_REJECTED", "NAME_MISMATCH"])).toEqual([]);
	expect(
		missing(["IDEMPOTENCY_MISMATCH", "REGISTRY_UNAVAILABLE", "INTERNAL_ERROR", "ATTEMPT_LIMIT_REACHED"]),
	).toEqual([]);

	const log = written.join("\n");
	expect(lines("request").length).toBeGreaterThan(20);
	for (const event of ["bug", "upstream_unavailable", "code_locked"]) expect(lines(event)).not.toEqual([]);
	const { ISSUING_KEY, INDEX_KEY, PIN_PEPPER, SEALING_KEYS, OPS_TOKEN } = env;
	const secrets = [ISSUING_KEY, INDEX_KEY, PIN_PEPPER, SEALING_KEYS, SEALING_KEYS.split(":")[1], OPS_TOKEN];
	const holderValues = [JUANA, JUANA_FULL, PEDRO].flatMap(({ referenceId, ...holder }) =>
		Object.values(holder),
	);
	const registered = ["JUANA", "ANDREA", "PÉREZ", "SOTO", "PEDRO", "PABLO", "MUÑOZ", "ÑANCUPIL", "Hortensia"];
	const forms = ["11111111", "11.111.111-1", "22222222", "912345678", "copia.pedro", "delivery@partner"];
	const sent = [idempotencyKey, sso, "sso-", "wrong-token", PICTURE, "7391", "9999", "999999999", "10000005"];
	const keys = [b2c, full, b2b].map(({ key }) => key);
	const pfx = answers.flatMap((text) => /"certificate":"([^"]{40})/.exec(text)?.[1] ?? []);
	expect(pfx).not.toEqual([]);
	for (const value of [...secrets, ...holderValues, ...registered, ...forms, ...sent, ...keys, ...pfx])
		for (const form of [value!, encodeURIComponent(value!), btoa(unescape(encodeURIComponent(value!)))])
			expect(withoutNumbersAndIds(log).includes(form), `the log holds ${value}`).toBe(false);
});

/** Random ids and durations may hold four digits that a PIN has too. */
function withoutNumbersAndIds(log: string): string {
	return log
		.replace(/"(\w+_ms)":[\d.]+/g, '"$1":0')
		.replace(/"(request_id|partner_id|key_id|p_code)":"[\w-]*"/g, '"$1":""')
		.replace(/\b[\w./-]+:\d+:\d+/g, "frame");
}

test("an error is described without what it quotes", () => {
	const quoting = [
		new SyntaxError(`Unexpected token 'J', "JUANA ANDREA" is not valid JSON`),
		new Error("D1_TYPE_ERROR: Type 'object' not supported for value '+56912345678'"),
		new Error(`no holder juana@example.cl with 11.111.111-1 and gw_dev_7K3M9QXT2B4CH8WD7K3M9QXT2BABCDEF`),
	].map((error) => JSON.stringify({ ...describeError(error), frames: "" }));
	expect(quoting.join()).not.toMatch(/JUANA|5691|juana|11\.111|gw_dev_7/);
	expect(describeError(new TypeError("x is not a function"))).toMatchObject({
		error_name: "TypeError",
		detail: "x is not a function",
		frames: expect.stringContaining("at "),
	});
});

test("Server-Timing shows where the time went, and is absent in prod", async () => {
	const partner = await Partner.create();
	const answer = await partner.list();
	expect(answer.headers.get("server-timing")).toMatch(/^d1;dur=[\d.]+, total;dur=[\d.]+$/);
	const inProd = await callWith({ ENVIRONMENT: "prod" }, "GET", "/healthz");
	expect([inProd.status, inProd.headers.get("server-timing")]).toEqual([200, null]);
});

test("counters: every call's outcome, and the locks", async () => {
	const writeDataPoint = vi.fn();
	const partner = await Partner.create();
	for (const key of [partner.key, "gw_dev_none"])
		await callWith({ METRICS: { writeDataPoint } }, "GET", "/api/partner/v1/pcodes", {
			headers: { "x-gw": key },
		});
	expect(writeDataPoint.mock.calls.map(([{ indexes, blobs }]) => [...indexes, ...blobs])).toEqual([
		[partner.id, "request", "2xx", "GET /api/partner/v1/pcodes", ""],
		["-", "request", "UNAUTHORIZED", "GET /api/partner/v1/pcodes", ""],
	]);
	expect(writeDataPoint.mock.calls[0]![0].doubles).toEqual([1, ...Array(6).fill(expect.any(Number))]);
});

test("D1's size: ops see it with its level, and past 70 and 90 % the log says so, once an hour at most", async () => {
	const fill = async (bytes: number) => {
		const reporting = (answer: unknown) =>
			Array.isArray(answer)
				? answer.map((one) => ({ ...one, meta: { ...one.meta, size_after: bytes } }))
				: answer;
		const ask = async () => ({
			upkeep: (await ops("GET", "/upkeep")).body.data.database,
			page: (await (await signInOps()).open("/ops/console/overview?lang=en")).text,
		});
		return interceptDb(async (_nth, deliver) => reporting(await deliver()), ask);
	};
	const logged = () =>
		["database_filling", "database_nearly_full"].flatMap((event) =>
			lines(event).map(({ event, level, bytes, limit }) => [event, level, bytes, limit]),
		);
	const limit = 10_000_000_000;
	// An answer to work that another test left reports the real size.
	await freshService();
	stopClock();
	// The isolate may have logged a size for another test within the hour.
	passTime(60 * 60_000);
	for (const [bytes, level, shown, event] of [
		[6_999_999_999, "normal", "<b>69 %</b> of the 10 GB of D1 in use<", []],
		[7_000_000_000, "high", "<b>70 %</b> of the 10 GB of D1 in use: high", ["database_filling", "warn"]],
		[8_999_999_999, "high", "<b>89 %</b> of the 10 GB of D1 in use: high", []],
		[
			9_000_000_000,
			"critical",
			"<b>90 %</b> of the 10 GB of D1 in use: critical",
			["database_nearly_full", "error"],
		],
	] as const) {
		written.length = 0;
		const { upkeep, page } = await fill(bytes);
		expect(upkeep).toEqual({ bytes, limit, level });
		expect(page).toContain(shown);
		expect(logged()).toEqual(event.length > 0 ? [[...event, bytes, limit]] : []);
		// Silent within the hour after a line, and ready for the next after it.
		if (level === "high") passTime(event.length > 0 ? 59 * 60_000 : 60_000);
	}
	startClock();
	const { bytes, level } = (await ops("GET", "/upkeep")).body.data.database;
	expect([bytes > 0, level]).toEqual([true, "normal"]);
});
