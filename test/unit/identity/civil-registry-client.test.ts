import { describe, expect, test } from "vitest";
import { createCivilRegistryClient } from "../../../src/identity/civil-registry-client.ts";

const asked = { rut: "11111111-1", cardSerial: "111111111" };
const juana = {
	names: "JUANA ANDREA",
	fatherSurname: "PÉREZ",
	motherSurname: "SOTO",
	cardExpiry: "2031-05-20",
};
const valid = { status: "valid", ...asked, person: juana };

type Answering = (request: Request) => Response | Promise<Response>;

/** A client of a registry that gives these answers in turn, and the requests that it received. */
const registryAnswering = (...answers: Answering[]) => registryWith("t0ken", ...answers);

function registryWith(token: string | null, ...answers: Answering[]) {
	const requests: Request[] = [];
	const fetcher = {
		async fetch(request: Request) {
			requests.push(request);
			const answer = answers[requests.length - 1];
			if (answer === undefined) throw new Error("asked more often than the test foresaw");
			return answer(request);
		},
	};
	const client = createCivilRegistryClient({
		fetcher,
		baseUrl: "https://registry.test/cl//",
		token,
		timeoutMs: 20,
	});
	return { client, requests };
}

const json = (value: unknown) => () => Response.json(value);
const text = (body: BodyInit | null, contentType: string) => () =>
	new Response(body, { headers: { "content-type": contentType } });
const refused = () => Promise.reject(new Error("Network connection lost."));
const never = () => new Promise<Response>(() => {});

/** A body that starts as JSON and continues as given; `cancelled` is whether the client cancelled it. */
function streamed(carryOn: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
	const seen = { cancelled: false };
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			controller.enqueue(new TextEncoder().encode('{"status":'));
			carryOn(controller);
		},
		cancel() {
			seen.cancelled = true;
		},
	});
	return { body, seen };
}

describe("the request", () => {
	test("is a POST with the RUT and the serial in the body and the token in the header", async () => {
		const { client, requests } = registryAnswering(json(valid));
		await client.lookUp(asked);
		const request = requests[0]!;
		expect(request.method).toBe("POST");
		expect(request.url).toBe("https://registry.test/cl/v1/identity-checks");
		expect(request.redirect).toBe("manual");
		expect(request.headers.get("authorization")).toBe("Bearer t0ken");
		expect(request.headers.get("content-type")).toBe("application/json");
		expect(request.headers.get("accept")).toBe("application/json");
		expect(await request.json()).toEqual({ rut: "11111111-1", cardSerial: "111111111" });
	});

	test("has null for a serial that the holder did not give", async () => {
		const { client, requests } = registryAnswering(json({ ...valid, cardSerial: null }));
		expect(await client.lookUp({ ...asked, cardSerial: null })).toEqual({ kind: "found", person: juana });
		expect(await requests[0]!.json()).toEqual({ rut: "11111111-1", cardSerial: null });
	});

	test("carries no authorization when there is no token", async () => {
		const { client, requests } = registryWith(null, json(valid));
		expect((await client.lookUp(asked)).kind).toBe("found");
		expect(requests[0]!.headers.get("authorization")).toBeNull();
	});

	test("cannot be configured with a relative URL or a token that is not a header value", () => {
		const fetcher = { fetch: never };
		expect(() => createCivilRegistryClient({ fetcher, baseUrl: "registry", token: null })).toThrow(TypeError);
		expect(() =>
			createCivilRegistryClient({ fetcher, baseUrl: "https://registry.test", token: "a\nb" }),
		).toThrow(TypeError);
	});
});

describe("an answer that follows the contract", () => {
	test("finds a person without a maternal surname", async () => {
		const { client } = registryAnswering(json({ ...valid, person: { ...juana, motherSurname: null } }));
		expect(await client.lookUp(asked)).toEqual({ kind: "found", person: { ...juana, motherSurname: null } });
	});

	test("has its names trimmed and in NFC", async () => {
		const { client } = registryAnswering(
			json({ ...valid, person: { ...juana, fatherSurname: " PE\u0301REZ " } }),
		);
		expect(await client.lookUp(asked)).toEqual({ kind: "found", person: juana });
	});

	test.each(["not_found", "holder_deceased", "serial_mismatch", "card_reported_lost", "card_expired"])(
		"rejects with %s",
		async (reason) => {
			const { client } = registryAnswering(json({ status: "rejected", ...asked, reason }));
			expect(await client.lookUp(asked)).toEqual({ kind: "mismatch", reason });
		},
	);
});

test("a card can be refused for its state where no serial was sent", async () => {
	const answer = { status: "rejected", rut: asked.rut, cardSerial: null, reason: "card_expired" };
	const { client } = registryAnswering(json(answer));
	const told = await client.lookUp({ ...asked, cardSerial: null });
	expect(told).toEqual({ kind: "mismatch", reason: "card_expired" });
});

const whole = JSON.stringify(valid);
const { person: _person, ...withoutPerson } = valid;
const { cardExpiry: _cardExpiry, ...withoutExpiry } = juana;

describe("an answer that does not follow the contract makes the registry unavailable", () => {
	test.each<[string, () => Response]>([
		["a lost letter in a name", json({ ...valid, person: { ...juana, fatherSurname: "P\ufffdREZ" } })],
		["100,000 arrays in each other", text("[".repeat(1e5) + "]".repeat(1e5), "application/json")],
		["the right JSON with a lookalike type", text(whole, "application/jsonp")],
		["an unknown status", json({ ...valid, status: "VALID" })],
		["no person", json(withoutPerson)],
		["a reason next to valid", json({ ...valid, reason: "not_found" })],
		["an extra member", json({ ...valid, cached: true })],
		["an extra member of the person", json({ ...valid, person: { ...juana, email: "j@example.cl" } })],
		["a __proto__ member", text(whole.replace("{", '{"__proto__":{},'), "application/json")],
		["no card expiry", json({ ...valid, person: withoutExpiry })],
		["NUL in a name", json({ ...valid, person: { ...juana, names: "JUANA\u0000ANDREA" } })],
		["a name of 10 kB", json({ ...valid, person: { ...juana, names: "JUANA ".repeat(1_700) } })],
		["a blank name", json({ ...valid, person: { ...juana, names: " " } })],
		["an empty maternal surname", json({ ...valid, person: { ...juana, motherSurname: "" } })],
		[
			"a bidirectional override in a name",
			json({ ...valid, person: { ...juana, names: "JUANA\u202eAERDNA" } }),
		],
		["no RUT", json({ status: "valid", cardSerial: asked.cardSerial, person: juana })],
		["the RUT with dots", json({ ...valid, rut: "11.111.111-1" })],
		["another card serial", json({ ...valid, cardSerial: "A222222222" })],
		["a rejection without a reason", json({ status: "rejected", ...asked })],
		["a rejection for an unknown reason", json({ status: "rejected", ...asked, reason: "expired" })],
		[
			"a rejection of another RUT",
			json({ status: "rejected", ...asked, rut: "22222222-2", reason: "not_found" }),
		],
		["a rejection with a person", json({ status: "rejected", ...asked, reason: "not_found", person: juana })],
	])("%s", async (_, answer) => {
		const { client, requests } = registryAnswering(answer);
		expect(await client.lookUp(asked)).toMatchObject({ kind: "unavailable", reason: "format" });
		expect(requests).toHaveLength(1);
	});

	test("a serial mismatch when no serial was sent", async () => {
		const answer = { status: "rejected", rut: asked.rut, cardSerial: null, reason: "serial_mismatch" };
		const { client } = registryAnswering(json(answer));
		expect(await client.lookUp({ ...asked, cardSerial: null })).toEqual({
			kind: "unavailable",
			reason: "format",
			detail: "a serial mismatch, though no serial was sent",
		});
	});

	test.each([
		["null", null, "the answer departs from the contract at the top level"],
		[
			"30 February",
			{ ...valid, person: { ...juana, cardExpiry: "2031-02-30" } },
			"the answer departs from the contract at person.cardExpiry",
		],
		["another RUT", { ...valid, rut: "22222222-2" }, "the answer is about another RUT"],
		["another serial", { ...valid, cardSerial: null }, "the answer is about another card serial"],
	])("the detail for the log says where: %s", async (_, answer, detail) => {
		const { client } = registryAnswering(json(answer));
		expect(await client.lookUp(asked)).toEqual({ kind: "unavailable", reason: "format", detail });
	});
});

test.each([201, 204, 206, 301, 302, 307, 400, 401, 403, 404, 429, 500, 502, 503, 504])(
	"status %i makes the registry unavailable, without a retry",
	async (status) => {
		const body = status === 204 ? null : whole;
		const headers = { "content-type": "application/json", location: "https://elsewhere.test/" };
		const { client, requests } = registryAnswering(() => new Response(body, { status, headers }));
		const detail = `status ${status}`;
		expect(await client.lookUp(asked)).toEqual({ kind: "unavailable", reason: "status", detail });
		expect(requests).toHaveLength(1);
	},
);

describe("a connection that fails", () => {
	test("is retried once, with the same request", { tags: ["registry-retry"] }, async () => {
		const { client, requests } = registryAnswering(refused, json(valid));
		expect((await client.lookUp(asked)).kind).toBe("found");
		expect(requests).toHaveLength(2);
		expect(await requests[1]!.json()).toEqual(asked);
	});

	test("in the middle of the answer is not retried", async () => {
		const { body } = streamed((controller) => controller.error(new Error("reset")));
		const { client, requests } = registryAnswering(text(body, "application/json"));
		const detail = "the connection broke while the answer was read";
		expect(await client.lookUp(asked)).toEqual({ kind: "unavailable", reason: "connection", detail });
		expect(requests).toHaveLength(1);
	});
});

describe("the deadline", () => {
	test("ends the wait for an answer that never comes, and aborts the request", async () => {
		const { client, requests } = registryAnswering(never);
		const detail = "no whole answer within 20 ms";
		expect(await client.lookUp(asked)).toEqual({ kind: "unavailable", reason: "timeout", detail });
		expect(requests).toHaveLength(1);
		expect(requests[0]!.signal.aborted).toBe(true);
	});

	test("is not a connection failure to retry when the abort makes the fetch throw", async () => {
		const { client, requests } = registryAnswering(
			({ signal }) =>
				new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
		);
		expect(await client.lookUp(asked)).toMatchObject({ kind: "unavailable", reason: "timeout" });
		expect(requests).toHaveLength(1);
	});

	test("covers a body that stalls after its headers, and cancels it", async () => {
		const { body, seen } = streamed(() => {});
		const { client } = registryAnswering(text(body, "application/json"));
		expect(await client.lookUp(asked)).toMatchObject({ kind: "unavailable", reason: "timeout" });
		expect(seen.cancelled).toBe(true);
	});

	test("cancels the body of an answer that comes too late", async () => {
		const { body, seen } = streamed(() => {});
		const late = Promise.withResolvers<Response>();
		const { client } = registryAnswering(() => late.promise);
		expect(await client.lookUp(asked)).toMatchObject({ kind: "unavailable", reason: "timeout" });
		late.resolve(new Response(body, { headers: { "content-type": "application/json" } }));
		await expect.poll(() => seen.cancelled).toBe(true);
	});
});

test.each([
	["an error status", 500, "application/json"],
	["the wrong content type", 200, "text/html"],
])("a body that is not read, because of %s, is cancelled", async (_, status, contentType) => {
	const { body, seen } = streamed(() => {});
	const headers = { "content-type": contentType };
	const { client } = registryAnswering(() => new Response(body, { status, headers }));
	expect((await client.lookUp(asked)).kind).toBe("unavailable");
	expect(seen.cancelled).toBe(true);
});

test("an endless body is cancelled at 64 KiB", async () => {
	let sent = 0;
	let cancelled = false;
	const body = new ReadableStream<Uint8Array>({
		pull(controller) {
			sent += 4096;
			controller.enqueue(new Uint8Array(4096).fill(0x20));
		},
		cancel() {
			cancelled = true;
		},
	});
	const { client } = registryAnswering(text(body, "application/json"));
	expect(await client.lookUp(asked)).toMatchObject({ kind: "unavailable", reason: "format" });
	expect(cancelled).toBe(true);
	expect(sent).toBeLessThanOrEqual(65_536 + 2 * 4096);
});
