import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPartnerClient, KEYED_PATHS } from "../../../client/partner-client.ts";
import { describePartners } from "../../../src/sandbox/partner-api.ts";

/* Tests of the client package besides types: addresses, idempotency keys, and repeated calls. */

const CLAIM = { p_code: "P", dni: "11111111-1", pin: "4821" };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A service that gives these answers in turn, then 200; an Error stands for no answer. */
function serviceOf(...answers: (Error | [status: number, error: string, retryAfter?: number | undefined])[]) {
	const requests: Request[] = [];
	const client = createPartnerClient({
		baseUrl: "https://service.example/",
		apiKey: "key",
		fetch: async (request) => {
			requests.push(request);
			const next = answers[requests.length - 1];
			if (next instanceof Error) throw next;
			const [status, error, retryAfter] = next ?? [200];
			const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
			const body = error ? { success: false, error } : { success: true, data: "it" };
			return new Response(JSON.stringify(body), { status, headers });
		},
	});
	return {
		client,
		requests,
		claim: () => settle(client.POST("/api/partners/v1/certificate_claim", { body: CLAIM })),
	};
}

async function settle<T>(call: Promise<T>): Promise<T> {
	call.catch(() => undefined);
	await vi.runAllTimersAsync();
	return call;
}

test("the paths that take an Idempotency-Key are those of the OpenAPI document", () => {
	const { paths } = describePartners("https://service.example", "en");
	const keyed = Object.entries(paths!).filter(([, item]) =>
		item.post?.parameters?.some((parameter) => "name" in parameter && parameter.name === "idempotency-key"),
	);
	expect(KEYED_PATHS.toSorted()).toEqual(keyed.map(([path]) => path).toSorted());
});

test.each([
	[202, "VALIDATION_IN_PROGRESS"],
	[409, "IDEMPOTENCY_IN_PROGRESS"],
	[503, "REGISTRY_UNAVAILABLE"],
	[429, "RATE_LIMIT_EXCEEDED"],
])(
	"after %i %s it waits as long as Retry-After says, and calls again with the same key",
	async (status, error) => {
		const { claim, requests } = serviceOf([status, error, 3], [status, error, 2]);
		const began = Date.now();
		expect(await claim()).toMatchObject({ status: 200, body: { data: "it" } });
		expect(Date.now() - began).toBe(5000);
		const keys = requests.map(({ headers }) => headers.get("idempotency-key"));
		expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
		expect(keys).toEqual([keys[0], keys[0], keys[0]]);
	},
);

test.each([
	[429, "ATTEMPT_LIMIT_REACHED", 5],
	[201, "ALREADY_ISSUED", undefined],
	[406, "VALIDATION_ERROR", undefined],
	[423, "LOCKED", 5],
	[503, "SERVICE_UNAVAILABLE", undefined],
	[202, "VALIDATION_IN_PROGRESS", 61],
] as const)("%i %s is an outcome at once (Retry-After: %s)", async (status, error, retryAfter) => {
	const { claim, requests } = serviceOf([status, error, retryAfter]);
	expect(await claim()).toMatchObject({ status, body: { error }, retryAfter: retryAfter ?? null });
	expect(requests).toHaveLength(1);
});

test("a call without an answer is repeated where that is safe, and throws where it is not", async () => {
	const lost = new TypeError("fetch failed");
	const safe = serviceOf(lost, lost);
	expect(await safe.claim()).toMatchObject({ status: 200 });
	const unsafe = serviceOf(lost);
	const resend = unsafe.client.POST("/api/partner/v1/deliveries/{id}/resend", { path: { id: "a/b" } });
	await expect(settle(resend)).rejects.toBe(lost);
	expect(unsafe.requests.map(({ url }) => url)).toEqual([
		"https://service.example/api/partner/v1/deliveries/a%2Fb/resend",
	]);
	expect(unsafe.requests[0]!.headers.has("idempotency-key")).toBe(false);
});

test("a 503 is repeated where that is safe: a bulk under its key, and no call that takes none and makes something", async () => {
	const away = [503, "SERVICE_UNAVAILABLE", 30] as const;
	const bulk = serviceOf([...away]);
	const order = { productCode: "FV01" as const, quantity: 1 };
	await settle(bulk.client.POST("/api/partner/v1/pcode/bulk", { body: order }));
	const [first, again] = bulk.requests.map(({ headers }) => headers.get("idempotency-key"));
	expect([bulk.requests.length, first]).toEqual([2, again]);
	expect(first).not.toBeNull();
	const secret = serviceOf([...away]);
	expect(await settle(secret.client.POST("/api/partner/v1/webhook/secret", { body: {} }))).toMatchObject({
		status: 503,
	});
	expect(secret.requests).toHaveLength(1);
});

test("patience ends: the last answer is the outcome, the last failure is thrown", async () => {
	const busy = serviceOf(
		...Array.from({ length: 99 }, () => [202, "VALIDATION_IN_PROGRESS", 20] as [number, string, number]),
	);
	expect(await busy.claim()).toMatchObject({ status: 202, retryAfter: 20 });
	expect(busy.requests).toHaveLength(4);
	const away = serviceOf(...Array.from({ length: 99 }, () => new TypeError("fetch failed")));
	await expect(away.claim()).rejects.toThrow("fetch failed");
	expect(away.requests).toHaveLength(6);
});

test("an aborted signal ends the waiting", async () => {
	const { client, requests } = serviceOf([202, "VALIDATION_IN_PROGRESS", 30]);
	const stop = new AbortController();
	const call = client.POST("/api/partners/v1/certificate_claim", { body: CLAIM, signal: stop.signal });
	call.catch(() => undefined);
	await vi.advanceTimersByTimeAsync(1000);
	stop.abort(new Error("enough"));
	await expect(call).rejects.toThrow("enough");
	expect(requests).toHaveLength(1);
});

test("a key of the caller's own and a query are sent as given; what is no answer of the service throws", async () => {
	const { client, requests } = serviceOf();
	const body = { productCode: "FV01" as const, quantity: 1 };
	await client.POST("/api/partner/v1/pcode/bulk", { body, idempotencyKey: "order-7" });
	await client.GET("/api/partners/v1/status", { query: { p_code: "A B&C" } });
	expect(requests[0]!.headers.get("idempotency-key")).toBe("order-7");
	expect(requests[1]!.url).toBe("https://service.example/api/partners/v1/status?p_code=A+B%26C");
	const fetch = async () => new Response("<html>Bad gateway", { status: 502 });
	const proxied = createPartnerClient({ baseUrl: "https://service.example", apiKey: "key", fetch });
	await expect(proxied.GET("/api/partner/v1/keys")).rejects.toThrow("502: not an answer of the service");
});
