import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { PartnerObject } from "../../../src/objects/partner.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { SingleSignOnSandbox } from "../../../src/sandbox/single-sign-on-sandbox.ts";
import { createApiKey } from "../../../src/secrets/api-key.ts";
import { passTime } from "../../support/clock.ts";
import { activeCode, operate, validatedCode } from "../../support/codes.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { type Answer, freshService, JUANA, JUANA_FULL, PEDRO } from "../../support/service.ts";
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

test("Latency: what a partner reads is one step, a later page by status or reference two: its place, then the page; a malformed code or key costs none", {
	tags: ["key-checksum"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const { pCode: strangers } = await activeCode();
	const issued = await partner.code();
	await partner.request({ pCode: issued, ...JUANA });
	await partner.claim(issued);
	await partner.bulk(5);
	const altered = partner.key.slice(0, -9) + (partner.key.at(-9) === "7" ? "8" : "7") + partner.key.slice(-8);
	const unknown = await createApiKey("dev");
	const status = (code: string, xGw = partner.key) =>
		partner.get(`/api/partners/v1/status?p_code=${code}`, { "x-gw": xGw });
	const list = (query: string) => partner.list(query);
	const read = (path: string) => partner.get(`/api/partner/v1${path}`);
	const search = () => partner.post("/api/partner/v1/certificates/search", { dni: JUANA.dni });
	const cases: [status: number, steps: number, act: () => Promise<Answer>][] = [
		[200, 1, () => status(pCode)],
		[200, 1, () => status(strangers)],
		[200, 1, () => status("0000-0000-0000-0000")],
		[200, 0, () => status("short")],
		[400, 0, () => partner.get("/api/partners/v1/status")],
		[401, 0, () => status(pCode, "gw")],
		[401, 0, () => status(pCode, altered)],
		[401, 1, () => status(pCode, unknown)],
		[200, 1, () => list("?page=3&limit=1")],
		[200, 1, () => list("?status=en_proceso")],
		[200, 1, () => list("?status=bloqueado&page=2")],
		[200, 1, () => list("?batch_id=bt_unknown")],
		[200, 1, () => list("?status=validado&external_reference_id=order-1001&created_from=2026-01-01")],
		[200, 2, () => list("?status=sin_utilizar&page=2&limit=2")],
		[200, 1, () => read(`/pcodes/${issued}`)],
		[200, 1, () => read("/certificates?validity=valid")],
		[200, 1, search],
		[200, 1, () => read("/usage")],
	];
	for (const [status, steps, act] of cases) await expectCost(act, status, Array(steps).fill("d1"), []);
});

test("Latency: bulk is one step, created or not enabled, 500 codes or one; their CSV is one, and one for each thousand codes", async () => {
	const { partner } = await activeCode({ allowed_products: ["FV01"] });
	for (const [quantity, product, headers, status] of [
		[1, "FV01", {}, 201],
		[500, "FV01", {}, 201],
		[500, "FV01", key, 201],
		[1, "FV02", {}, 403],
	] as const) {
		await expectCost(() => partner.bulk(quantity, product, headers), status, ["d1"], []);
	}
	const csv = () => partner.get("/api/partner/v1/pcodes", { accept: "text/csv" });
	await expectCost(csv, 200, ["d1", "d1", "d1"]);
});

/* ---------------------------------------------------------------- certificate_claim */

test("Latency: certificate_claim is one object and two of D1, with a key or without; once its code is issued or cancelled it is one, and a kept certificate is asked for in D1", async () => {
	for (const [headers, repeated] of [
		[{}, 201],
		[key, 200],
	] as const) {
		const { partner, pCode } = await activeCode();
		await partner.request({ pCode, ...JUANA, partnerCopy: "copies@partner.example" });
		await expectCost(() => partner.claim(pCode, {}, headers), 200, ["d1", "d1"], ["code"]);
		await expectCost(() => partner.claim(pCode, {}, headers), repeated, ["d1"], ["code"]);
	}
	const { partner, pCode } = await validatedCode();
	await operate(pCode, "cancel");
	await expectCost(() => partner.claim(pCode), 423, ["d1"], ["code"]);
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
			const ask = () => partner.request({ pCode, ...fields }, headers);
			await expectCost(ask, 200, expected, REQUEST_OBJECTS);
			upstreams.together = 1;
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
		const objects = status === 400 && expected.length === 0 ? ["partner"] : REQUEST_OBJECTS;
		await expectCost(() => partner.request(fields, headers), status, expected, objects);
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
