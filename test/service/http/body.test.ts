import { env } from "cloudflare:workers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { call, freshService, Partner } from "../../support/service.ts";

beforeAll(freshService);
afterEach(() => {
	vi.restoreAllMocks();
});

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

test("/pki/ocsp: a body that breaks off is answered in OCSP, as malformedRequest", async () => {
	const error = vi.spyOn(console, "error");
	for (const length of [{}, { "content-length": "200" }]) {
		const headers = { "content-type": "application/ocsp-request", ...length };
		const answer = await call("POST", "/pki/ocsp", { headers, body: brokenOff("0\u0082") });
		expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/ocsp-response"]);
	}
	expect(error).not.toHaveBeenCalled();
});

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
