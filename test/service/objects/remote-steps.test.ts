import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { PartnerObject } from "../../../src/objects/partner.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { SingleSignOnSandbox } from "../../../src/sandbox/single-sign-on-sandbox.ts";
import { createApiKey } from "../../../src/secrets/api-key.ts";
import { passTime } from "../../support/clock.ts";
import { activeCode, validatedCode } from "../../support/codes.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { type Answer, freshService, JUANA, JUANA_FULL, ops, PEDRO } from "../../support/service.ts";
import { submit, typedSession } from "../../support/widget.ts";

/*
 * Architecture, "Latency": how many remote steps wait for one another, warm. Steps that are out at the same time
 * count as one. An object's call encloses the steps that the object takes, so objects are counted by themselves.
 */

interface Trace {
	/** Calls to objects, in order: `partner` or `code`; `partner > code` when the one hands on to the other. */
	objects: string[];
	/** Steps that wait for one another, each with everything that was out at the same time. */
	steps: string[];
}

const trace: { current: Trace | null; out: number; inPartner: boolean } = {
	current: null,
	out: 0,
	inPartner: false,
};

/** Upstreams answer once so many have been asked: where two are asked together, neither may wait for the other. */
const upstreams = { asked: 0, together: 1 };

beforeAll(freshService);
beforeEach(() => {
	traceUpstream(CivilRegistrySandbox.prototype, "registry");
	traceUpstream(SingleSignOnSandbox.prototype, "sso");
	traceObjects();
});

async function step<T>(name: string, act: () => Promise<T>): Promise<T> {
	const { current } = trace;
	if (!current) return act();
	if (trace.out === 0) current.steps.push(name);
	else current.steps.push([current.steps.pop(), name].sort().join(" + "));
	trace.out += 1;
	try {
		return await act();
	} finally {
		trace.out -= 1;
	}
}

function traceUpstream(prototype: { fetch(request: Request): Promise<Response> }, name: string): void {
	const answer = prototype.fetch;
	vi.spyOn(prototype, "fetch").mockImplementation(function (this: unknown, request) {
		return step(name, async () => {
			upstreams.asked += 1;
			await vi.waitUntil(() => upstreams.asked >= upstreams.together, { interval: 1 });
			return answer.call(this as typeof prototype, request);
		});
	});
}

function traceObjects(): void {
	const namespaces: { getByName(name: string, options?: object): unknown } = Object.getPrototypeOf(
		env.PARTNERS,
	);
	const getByName = namespaces.getByName;
	vi.spyOn(namespaces, "getByName").mockImplementation(function (this: unknown, name, options) {
		const calls = trace.current?.objects;
		const from = trace.inPartner ? `${calls?.pop()} > ` : "";
		calls?.push(from + (name.includes("/") ? "code" : "partner"));
		return getByName.call(this as typeof namespaces, name, options);
	});
	const admitEmission = PartnerObject.prototype.admitEmission;
	vi.spyOn(PartnerObject.prototype, "admitEmission").mockImplementation(async function (
		this: PartnerObject,
		...calls
	) {
		trace.inPartner = true;
		try {
			return await admitEmission.apply(this, calls);
		} finally {
			trace.inPartner = false;
		}
	});
}

/** Written after the first delivery was tried. It is held back here until the answer is there: none waits for it. */
const BOOK_KEEPING = /^update "?outbox"?/i;

/** Records the round trips of a call and its answer. */
async function traced(act: () => Promise<Answer>): Promise<Trace & { answer: Answer }> {
	const current: Trace = { objects: [], steps: [] };
	const answered = Promise.withResolvers<void>();
	Object.assign(trace, { current, out: 0 });
	try {
		const answer = await interceptDb(
			(_, deliver, sql) => (BOOK_KEEPING.test(sql) ? answered.promise.then(deliver) : step("d1", deliver)),
			act,
		);
		return { ...current, answer };
	} finally {
		trace.current = null;
		answered.resolve();
	}
}

/** Holds what a call costs: its status, its steps, and the calls to objects where they are named. */
async function expectCost(act: () => Promise<Answer>, status: number, steps: string[], objects?: string[]) {
	const cost = await traced(act);
	expect([cost.answer.status, cost.steps]).toEqual([status, steps]);
	if (objects) expect(cost.objects).toEqual(objects);
}

const key = { "Idempotency-Key": "remote-steps" };

/* ---------------------------------------------------------------- reading and bulk */

test("Latency: status is one step, known, unknown or another partner's", async () => {
	const { partner, pCode } = await validatedCode();
	const { pCode: strangers } = await activeCode();
	for (const code of [pCode, strangers, "0000-0000-0000-0000"]) {
		await expectCost(() => partner.get(`/api/partners/v1/status?p_code=${code}`), 200, ["d1"], []);
	}
});

test("Latency: a status that no code can have, a missing key or a malformed one costs no step", async () => {
	const { partner } = await activeCode();
	for (const [path, status] of [
		["/api/partners/v1/status", 400],
		["/api/partners/v1/status?p_code=short", 200],
	] as const) {
		await expectCost(() => partner.get(path), status, [], []);
	}
	await expectCost(() => partner.get("/api/partners/v1/status?p_code=x", { "x-gw": "gw" }), 401, []);
});

test("Latency: a key with one symbol altered is 401 by its checksum and costs no step; one that nobody has costs one", {
	tags: ["key-checksum"],
}, async () => {
	const { partner, pCode } = await activeCode();
	const ask = (xGw: string) => partner.get(`/api/partners/v1/status?p_code=${pCode}`, { "x-gw": xGw });
	const altered = partner.key.slice(0, -9) + (partner.key.at(-9) === "7" ? "8" : "7") + partner.key.slice(-8);
	await expectCost(() => ask(altered), 401, [], []);
	const unknown = await createApiKey("dev");
	await expectCost(() => ask(unknown), 401, ["d1"]);
});

test("Latency: pcodes is one step; a later page by status or reference is two: its place, then the page", async () => {
	const { partner } = await validatedCode();
	await partner.bulk(5);
	for (const query of [
		"?page=3&limit=1",
		"?status=en_proceso",
		"?status=bloqueado&page=2",
		"?batch_id=bt_unknown",
		"?status=validado&external_reference_id=order-1001&created_from=2026-01-01",
	])
		await expectCost(() => partner.list(query), 200, ["d1"], []);
	await expectCost(() => partner.list("?status=sin_utilizar&page=2&limit=2"), 200, ["d1", "d1"]);
});

test("Latency: a partner's own reading is one step: a code, its certificates, a RUT's, the usage", async () => {
	const { partner, pCode } = await validatedCode();
	await partner.claim(pCode);
	const reads: [path: string, body?: object][] = [
		[`/pcodes/${pCode}`],
		["/certificates?validity=valid"],
		["/certificates/search", { dni: JUANA.dni }],
		["/usage"],
	];
	for (const [path, body] of reads) {
		const url = `/api/partner/v1${path}`;
		await expectCost(() => (body ? partner.post(url, body) : partner.get(url)), 200, ["d1"], []);
	}
});

test("Latency: a CSV is one step, and one for each thousand codes", async () => {
	const { partner } = await activeCode();
	for (let codes = 0; codes < 1_500; codes += 500) await partner.bulk(500);
	await expectCost(() => partner.get("/api/partner/v1/pcodes", { accept: "text/csv" }), 200, [
		"d1",
		"d1",
		"d1",
	]);
});

test("Latency: bulk is one step, created, not enabled or refused; 500 codes or one", async () => {
	const { partner } = await activeCode({ allowed_products: ["FV01"] });
	for (const [quantity, product, headers, status] of [
		[1, "FV01", {}, 201],
		[500, "FV01", {}, 201],
		[3, "FV01", key, 201],
		[1, "FV02", {}, 403],
	] as const) {
		await expectCost(() => partner.bulk(quantity, product, headers), status, ["d1"], []);
	}
});

/* ---------------------------------------------------------------- certificate_claim */

test.each([
	["without a key", {}],
	["with an Idempotency-Key", key],
])("Latency: certificate_claim is one object and two of D1, %s", async (_, headers) => {
	const { partner, pCode } = await activeCode();
	await partner.request({ pCode, ...JUANA, partnerCopy: "copies@partner.example" });
	await expectCost(() => partner.claim(pCode, {}, headers), 200, ["d1", "d1"], ["code"]);
});

test("Latency: a certificate_claim that fails costs no more", async () => {
	const { partner, pCode } = await validatedCode();
	const active = await partner.code();
	const cases: [status: number, steps: string[], act: () => Promise<Answer>][] = [
		[404, ["d1"], () => partner.claim(active)],
		[404, ["d1"], () => partner.claim("0000-0000-0000-0000")],
		[404, ["d1"], () => partner.claim("short")],
		[404, ["d1", "d1"], () => partner.claim(active, {}, { "Idempotency-Key": "steps-1" })],
		[406, ["d1", "d1"], () => partner.claim(pCode, { pin: "0000" })],
		[406, ["d1", "d1"], () => partner.claim(pCode, { pin: "0000" }, { "Idempotency-Key": "steps-2" })],
		[406, [], () => partner.claim(pCode, { pin: "0000" }, { "Idempotency-Key": "steps-2" })],
		[422, [], () => partner.claim(pCode, { pin: "0001" }, { "Idempotency-Key": "steps-2" })],
		[406, ["d1", "d1"], () => partner.claim(pCode, { dni: PEDRO.dni })],
		[406, ["d1", "d1"], () => partner.claim(pCode, { pin: "0000" })],
		[406, ["d1", "d1"], () => partner.claim(pCode, { pin: "0000" })],
		[429, ["d1", "d1"], () => partner.claim(pCode)],
	];
	for (const [status, expected, act] of cases) {
		const { steps, objects, answer } = await traced(act);
		expect([answer.status, steps]).toEqual([status, expected]);
		expect(objects.length).toBeLessThanOrEqual(1);
	}
});

test("Latency: a claim of an issued or a cancelled code costs no more; a kept certificate asks D1 whether it still knows of it", async () => {
	const { partner, pCode } = await validatedCode();
	await partner.claim(pCode, {}, key);
	await expectCost(() => partner.claim(pCode, {}, key), 200, ["d1"], ["code"]);
	await expectCost(() => partner.claim(pCode), 201, ["d1"], ["code"]);
	const other = await validatedCode();
	await ops("POST", `/pcodes/${other.pCode}/cancel`, { reason: "test" });
	await expectCost(() => other.partner.claim(other.pCode), 423, ["d1"], ["code"]);
});

/* ---------------------------------------------------------------- certificate_request */

/** One call of the Worker: the partner's object, which is near the code's, hands on. */
const REQUEST_OBJECTS = ["partner > code"];

test.each([
	["B2C, reduced flow", {}, JUANA, ["d1", "d1", "registry", "d1"]],
	["B2B, reduced flow", { mode: "B2B" }, JUANA, ["d1", "d1", "registry", "d1"]],
	[
		"full flow without single sign-on",
		{ require_cedula_serie: 0, require_sso: 0 },
		{ ...JUANA_FULL, serialNumber: "111111111" },
		["d1", "d1", "registry", "d1"],
	],
	["full flow", { require_cedula_serie: 0 }, JUANA_FULL, ["d1", "d1", "registry + sso", "d1"]],
])(
	"Latency: certificate_request is one call to objects, three of D1 and the registry: %s",
	async (_, settings, fields, expected) => {
		const together = expected.includes("registry + sso") ? 2 : 1;
		for (const headers of [{}, key] as Record<string, string>[]) {
			const { partner, pCode } = await activeCode(settings);
			Object.assign(upstreams, { asked: 0, together });
			const { steps, objects, answer } = await traced(() => partner.request({ pCode, ...fields }, headers));
			upstreams.together = 1;
			expect([answer.status, steps, objects]).toEqual([200, expected, REQUEST_OBJECTS]);
		}
	},
);

test("Latency: a certificate_request that is refused before the registry asks it nothing and costs at most two of D1", async () => {
	const { partner, pCode } = await validatedCode();
	const { serialNumber: _, ...withoutSerial } = JUANA;
	const cases: [
		status: number,
		steps: string[],
		fields: Record<string, unknown>,
		headers?: Record<string, string>,
	][] = [
		[400, [], { pCode }],
		[400, ["d1"], { pCode, ...JUANA, names: "Juana" }],
		[404, ["d1"], { pCode: "0000-0000-0000-0000", ...JUANA }],
		[406, ["d1"], { pCode, ...withoutSerial }],
		[406, ["d1", "d1"], { pCode, ...PEDRO }],
		[406, ["d1"], { pCode: await partner.code(), ...PEDRO, email: JUANA.email }],
		[406, ["d1", "d1"], { pCode, ...withoutSerial }, key],
		[406, [], { pCode, ...withoutSerial }, key],
	];
	for (const [status, expected, fields, headers] of cases) {
		const { steps, objects, answer } = await traced(() => partner.request(fields, headers));
		expect([answer.status, steps]).toEqual([status, expected]);
		expect(objects).toEqual(status === 400 && expected.length === 0 ? ["partner"] : REQUEST_OBJECTS);
	}
});

test("Latency: the widget's submission is one call to objects, as a certificate_request is", {
	tags: ["widget-same-use-cases"],
}, async () => {
	const made = await typedSession();
	await expectCost(() => submit(made), 200, ["d1", "d1", "d1", "d1", "registry", "d1"], REQUEST_OBJECTS);
	const again = await traced(() => submit(made));
	expect([again.answer.status, again.objects]).toEqual([200, ["code"]]);
});

/* ---------------------------------------------------------------- cold */

test("Latency: a key that the cache no longer knows costs one step more, before everything else", async () => {
	const { partner, pCode } = await activeCode();
	passTime(MINUTE_MS);
	const { steps, answer } = await traced(() => partner.get(`/api/partners/v1/status?p_code=${pCode}`));
	vi.useRealTimers();
	expect(answer.status).toBe(200);
	// The note of the key's use is made concurrently with the step; the call does not wait for it.
	expect(steps.length).toBeGreaterThanOrEqual(2);
	expect(steps.length).toBeLessThanOrEqual(3);
});
