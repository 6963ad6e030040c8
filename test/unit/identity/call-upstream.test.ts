import { afterEach, expect, test, vi } from "vitest";
import { callUpstream, UPSTREAM_TIMEOUT_MS } from "../../../src/identity/call-upstream.ts";

afterEach(() => {
	vi.useRealTimers();
});

const JSON_TYPE = "application/json";
const BYTES_MAX = 64 * 1024;

function send(answer: (request: Request) => Promise<Response>) {
	const makeRequest = (signal: AbortSignal) => new Request("https://upstream.test/", { signal });
	return callUpstream({ fetcher: { fetch: answer }, makeRequest, timeoutMs: 20 });
}

/** A 200 with this body; without a type unless one is given. */
function answering(body: Uint8Array<ArrayBuffer> | string, type?: string) {
	const content = typeof body === "string" ? new TextEncoder().encode(body) : body;
	return async () => new Response(content, { headers: type === undefined ? {} : { "content-type": type } });
}

const refused = () => Promise.reject(new Error("Network connection lost."));

test("one attempt may take 8 s (decision: registry timeout)", () => {
	expect(UPSTREAM_TIMEOUT_MS).toBe(8_000);
});

test.each([["application/json"], ["application/json; charset=utf-8"], ["APPLICATION/JSON ;charset=utf-8"]])(
	"a 200 of type %s is read as JSON",
	async (type) => {
		expect(await send(answering('{"a":["é"]}', type))).toEqual({ kind: "json", value: { a: ["é"] } });
	},
);

test("RFC 8259 §8.1: a byte order mark before the JSON is ignored", async () => {
	expect(await send(answering("\ufeff{}", JSON_TYPE))).toEqual({ kind: "json", value: {} });
});

test("a body of exactly 64 KiB is read whole", async () => {
	const body = `"${"x".repeat(BYTES_MAX - 2)}"`;
	expect(await send(answering(body, JSON_TYPE))).toMatchObject({ kind: "json" });
});

test.each([
	["no content type", answering("{}"), "content type is not application/json"],
	["an empty content type", answering("{}", ""), "content type is not application/json"],
	["a body that is no JSON", answering("{", JSON_TYPE), "body is not JSON in UTF-8"],
	[
		"a string in Latin-1",
		answering(Uint8Array.from([0x22, 0xe9, 0x22]), JSON_TYPE),
		"body is not JSON in UTF-8",
	],
	["a body over 64 KiB", answering(" ".repeat(BYTES_MAX + 1), JSON_TYPE), "body over 65536 bytes"],
])("the log says of %s what was wrong", async (_, answer, detail) => {
	expect(await send(answer)).toEqual({ kind: "unavailable", reason: "format", detail });
});

test("the log says: no connection, twice", async () => {
	const detail = "no connection, twice";
	expect(await send(refused)).toEqual({ kind: "unavailable", reason: "connection", detail });
});

test("no timer outlives an answer, a status or two failed connections", async () => {
	vi.useFakeTimers();
	for (const answer of [
		answering("{}", JSON_TYPE),
		async () => new Response(null, { status: 503 }),
		refused,
	]) {
		await send(answer);
		expect(vi.getTimerCount()).toBe(0);
	}
});
