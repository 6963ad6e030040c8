import { vi } from "vitest";

/* Misbehaviours of an upstream. */

/** @param good - the answer it would have given. @param nth - 1 for the first time it is asked. */
type Misbehaviour = (
	request: Request,
	good: () => Promise<Response>,
	nth: number,
) => Promise<Response> | Response;

const MIB = 1024 * 1024;

const json = (body: BodyInit | null, init: ResponseInit = {}) =>
	new Response(body, { ...init, headers: { "content-type": "application/json", ...init.headers } });

function endless(chunk: Uint8Array, everyMs: number, octetsMax: number) {
	let sent = 0;
	const body = new ReadableStream<Uint8Array>({
		async pull(controller) {
			if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
			sent += chunk.byteLength;
			if (sent > octetsMax) controller.close();
			else controller.enqueue(chunk.slice());
		},
	});
	return json(body);
}

const spaces = (n: number) => new Uint8Array(n).fill(0x20);

async function silence(request: Request): Promise<Response> {
	await new Promise((resolve) => {
		const timer = setTimeout(resolve, 30_000);
		request.signal.addEventListener("abort", () => resolve(clearTimeout(timer)));
	});
	return new Response(null, { status: 504 });
}

async function cut(good: () => Promise<Response>): Promise<Response> {
	const text = await (await good()).text();
	return json(text.slice(0, -20));
}

/** None of these recovers anything: 503, nothing changed, no attempt spent. */
export const TRANSPORT: Record<string, Misbehaviour> = {
	"refuses the connection": () => Promise.reject(new Error("connection refused")),
	"never answers": silence,
	"refuses the connection, then never answers": (request, _, nth) =>
		nth === 1 ? Promise.reject(new Error("connection refused")) : silence(request),
	"answers 500": () => new Response("Internal Server Error", { status: 500 }),
	"answers 429": () => new Response(null, { status: 429, headers: { "retry-after": "3600" } }),
	"redirects with 307 to itself": ({ url }) =>
		new Response(null, { status: 307, headers: { location: url } }),
	"answers with a page": () => new Response("<html>ok</html>", { headers: { "content-type": "text/html" } }),
	"answers nothing": () => json(null),
	"answers half": (_, good) => cut(good),
	"answers in Latin-1": () => json(new Uint8Array([0x7b, 0x22, 0xd1, 0x22, 0x3a, 0x31, 0x7d])),
	"answers 100,000 arrays in each other": () => json("[".repeat(100_000) + "]".repeat(100_000)),
	"answers 100 MB": () => endless(spaces(MIB), 0, 100 * MIB),
	"answers a few bytes at a time, without end": () => endless(spaces(3), 50, MIB),
	"answers with headers of 200 kB": () =>
		json("{}", {
			headers: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`x-${i}`, "h".repeat(4_000)])),
		}),
};

type Upstream = { fetch(request: Request): Promise<Response> };

/** The upstream misbehaves towards each holder in that holder's own way. @param nameOf - the RUT it is asked about. */
export function misbehave(
	prototype: Upstream,
	kinds: Record<string, Misbehaviour>,
	chosen: ReadonlyMap<string, string>,
	nameOf: (request: Request) => Promise<string>,
) {
	const answer = prototype.fetch;
	const asked = new Map<string, number>();
	vi.spyOn(prototype, "fetch").mockImplementation(async function (this: unknown, request) {
		const rut = await nameOf(request.clone());
		const kind = kinds[chosen.get(rut) ?? ""];
		const good = () => answer.call(this as Upstream, request.clone());
		if (!kind) return good();
		const nth = (asked.get(rut) ?? 0) + 1;
		asked.set(rut, nth);
		return kind(request, good, nth);
	});
}
