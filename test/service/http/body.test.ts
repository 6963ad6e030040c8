import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { MIB } from "../../support/hostile.ts";
import { refusal } from "../../support/refusal.ts";
import { type Answer, call, freshService, JUANA, Partner } from "../../support/service.ts";

beforeAll(freshService);

/** A body that breaks off: its connection was lost, or its framing turned out to be wrong. */
function brokenOff(start: string): ReadableStream<Uint8Array> {
	let pulls = 0;
	return new ReadableStream<Uint8Array>({
		pull(controller) {
			if (pulls++ === 0) controller.enqueue(new TextEncoder().encode(start));
			else controller.error(new Error("Network connection lost."));
		},
	});
}

const TARGETS: [path: string, start: string][] = [
	["/api/partner/v1/pcode/bulk", '{"productCode":"FV01","qua'],
	["/api/partners/v1/certificate_request", '{"pCode":"7K3M'],
	["/api/partners/v1/certificate_claim", '{"p_code":"7K3M'],
	["/ops/v1/partners", '{"name":"A'],
];

test.for(TARGETS)(
	"%s: a body that breaks off is malformed, 400, and no bug in the log",
	async ([path, start]) => {
		const error = vi.spyOn(console, "error");
		const { key } = await Partner.create();
		const headers = {
			"x-gw": key,
			authorization: `Bearer ${env.OPS_TOKEN}`,
			"content-type": "application/json",
		};
		for (const length of [{}, { "content-length": "200" }]) {
			const answer = await call("POST", path, { headers: { ...headers, ...length }, body: brokenOff(start) });
			expect([answer.status, answer.body.error]).toEqual([400, "VALIDATION_ERROR"]);
		}
		expect(error).not.toHaveBeenCalled();
	},
);

test("/pki/ocsp/…: an address of any bytes is malformed in OCSP, whatever host the call names", async () => {
	for (const path of ["%0A", "MIGT%0A", "x/../y", "%00", "%ff"]) {
		const { status, headers } = await call("GET", `/pki/ocsp/${path}`);
		expect([path, status, headers.get("content-type")]).toEqual([path, 200, "application/ocsp-response"]);
	}
	// Two Host headers come as one address that no URL can have.
	const request = new Request("http://service.test/pki/ocsp/AAAA");
	const odd = new Proxy(request, {
		get: (target, name) => {
			if (name === "url") return "http://service.test, evil.example/pki/ocsp/AAAA";
			const value: unknown = Reflect.get(target, name);
			return typeof value === "function" ? value.bind(target) : value;
		},
	});
	const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
	const answer = await app.fetch(odd, env, context as unknown as ExecutionContext);
	expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/ocsp-response"]);
});

const OCSP = { "content-type": "application/ocsp-request" };

/** Sends a call whose body comes as the test writes it. */
function sendStream(path: string, body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}) {
	const all = { "content-type": "application/json", ...headers };
	const request = new Request(`http://service.test${path}`, { method: "POST", headers: all, body });
	return Promise.resolve(app.fetch(request, env, createExecutionContext()));
}

async function read(answer: Promise<Response>): Promise<Answer> {
	const response = await answer;
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

describe('decision "Before the key": the key is checked before the body is read', () => {
	test.for(TARGETS)(
		"%s: without a good key no byte of a body is read, declared or streamed",
		{ tags: ["order-key-before-body"] },
		async ([path]) => {
			let reads = 0;
			const pull = (controller: ReadableStreamDefaultController) => {
				reads++;
				controller.enqueue(new Uint8Array(MIB));
			};
			const declared = { "content-length": String(path.startsWith("/ops") ? 16 * 1024 : 11 * MIB) };
			const small = { "content-length": "16384" };
			const length = path.endsWith("certificate_request") ? declared : small;
			for (const headers of [{}, length, { ...length, "x-gw": "gw_dev_nonsense" }]) {
				const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
				expect(refusal(await read(sendStream(path, body, headers)))).toEqual([401, "UNAUTHORIZED"]);
			}
			expect(reads).toBe(0);
		},
	);
});

describe('decision "Before the key": 408 REQUEST_TIMEOUT after 15 s without progress, or 60 s in all', () => {
	/** Sends `pieces` of a body, each after so many milliseconds. */
	async function sendSlowly(path: string, pieces: [afterMs: number, text: string][], credentials: object) {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
		const writer = writable.getWriter();
		const answer = read(sendStream(path, readable, { ...credentials }));
		for (const [afterMs, text] of pieces) {
			await vi.advanceTimersByTimeAsync(afterMs);
			writer.write(new TextEncoder().encode(text)).catch(() => undefined);
			await vi.advanceTimersByTimeAsync(0);
		}
		const rest = { end: () => writer.close(), pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
		return { answer, ...rest };
	}

	test.for(TARGETS)("%s: a body that stops", { tags: ["body-timeout"] }, async ([path, start]) => {
		const { key } = await Partner.create();
		const credentials = { "x-gw": key, authorization: `Bearer ${env.OPS_TOKEN}` };
		const { answer, pass } = await sendSlowly(path, [[14_000, start]], credentials);
		await pass(15_000);
		const { status, body, headers } = await answer;
		expect([status, body]).toEqual([
			408,
			{
				success: false,
				error: "REQUEST_TIMEOUT",
				message:
					"The body did not arrive in time: send it without pauses of 15 seconds or more, within 60 seconds.",
			},
		]);
		expect(headers.get("ratelimit")).toBeNull();
	});

	test("a body that never ends, a byte at a time", async () => {
		const { key } = await Partner.create();
		const drops = Array.from({ length: 6 }, (): [number, string] => [9_900, " "]);
		const { answer, pass } = await sendSlowly("/api/partner/v1/pcode/bulk", drops, { "x-gw": key });
		await pass(1_000);
		expect((await answer).status).toBe(408);
	});

	test("a body that is slow and in time is taken", async () => {
		const { key } = await Partner.create();
		const pieces: [number, string][] = [
			[14_000, '{"productCode":'],
			[14_000, '"FV01"'],
			[14_000, ',"quantity":1'],
			[14_000, "}"],
		];
		const { answer, end } = await sendSlowly("/api/partner/v1/pcode/bulk", pieces, { "x-gw": key });
		await end();
		expect((await answer).status).toBe(201);
	});

	test("neither 408 nor 413 takes anything of the partner's rate", {
		tags: ["order-body-before-rate"],
	}, async () => {
		const partner = await Partner.create();
		const path = "/api/partners/v1/certificate_request";
		const { answer, pass } = await sendSlowly(path, [[1_000, "{"]], { "x-gw": partner.key });
		await pass(15_000);
		expect((await answer).status).toBe(408);
		vi.useRealTimers();
		const body = new Blob([new Uint8Array(12 * MIB + 1)]).stream();
		expect((await read(sendStream(path, body, { "x-gw": partner.key }))).status).toBe(413);
		const { headers } = await partner.request({ pCode: "0000-1111-2222-3333", ...JUANA });
		expect(headers.get("ratelimit")).toMatch(/;r=9;/);
	});

	test("/pki/ocsp: answered in OCSP, as malformedRequest, as is one that breaks off", async () => {
		const broken = await call("POST", "/pki/ocsp", { headers: OCSP, body: brokenOff("0\u0082") });
		const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		void writable.getWriter().write(new Uint8Array([0x30]));
		const slow = sendStream("/pki/ocsp", readable, OCSP);
		await vi.advanceTimersByTimeAsync(15_000);
		for (const { status, headers } of [broken, await slow])
			expect([status, headers.get("content-type")]).toEqual([200, "application/ocsp-response"]);
	});
});

/**
 * The least that it takes in three tries: what else runs on the machine only adds to it. Milliseconds. The runtime's clock
 * may stand still until something is waited for.
 */
async function leastTime(act: () => unknown): Promise<number> {
	const times: number[] = [];
	for (let i = 0; i < 3; i++) {
		await scheduler.wait(1);
		const started = performance.now();
		await act();
		await scheduler.wait(1);
		times.push(performance.now() - started);
	}
	return Math.min(...times);
}

test("certificate_request: a body of 300,000 fields is refused in less time than it takes to parse", {
	tags: ["error-too-many-parts"],
}, async () => {
	const fields = Array.from({ length: 300_000 }, (_, i) => `"${i.toString(36)}":0`).join(",");
	const flat = `{${fields}}`;
	const bodies = [flat, `{"pCode":{${fields}}}`, `{"pCode":[${"{},".repeat(300_000)}0]}`];
	const toParse = await leastTime(() => JSON.parse(flat));
	for (const body of bodies) {
		// The emission rate lets in ten calls of a partner.
		const partner = await Partner.create();
		const send = async () => {
			const answer = await partner.post("/api/partners/v1/certificate_request", body);
			expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", "INVALID_VALUE"]);
			expect(answer.body.details[0].message).toMatch(/^Send only the fields of this call/);
		};
		await send();
		expect(await leastTime(send)).toBeLessThan(toParse);
	}
});

test("certificate_request: what stands inside a string is no field, however it is escaped", async () => {
	const partner = await Partner.create();
	const texts = ['\\"{,:['.repeat(20_000), "\\\\", '\\\\\\"', ",{[:".repeat(20_000)];
	for (const text of texts) {
		const body = `{"pCode":"7K3M","unknown":"${text}"}`;
		expect(Object.keys(JSON.parse(body))).toEqual(["pCode", "unknown"]);
		const { body: answer } = await partner.post("/api/partners/v1/certificate_request", body);
		expect(answer.details.map(({ field }: { field: string }) => field)).toContain("unknown");
	}
});
