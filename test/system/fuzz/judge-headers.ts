import { headerOf, type Judged } from "./exchange.ts";
import type { Reached } from "./judge-shape.ts";

const ALWAYS: Record<string, RegExp> = {
	"x-request-id": /^[\w=-]{1,255}$/,
	"x-content-type-options": /^nosniff$/,
	"strict-transport-security": /^max-age=\d{7,}/,
	"x-frame-options": /^SAMEORIGIN$/,
	"referrer-policy": /^no-referrer$/,
	"cross-origin-resource-policy": /^same-origin$/,
};
const CACHEABLE = ["/healthz", "/readyz", "/openapi.json", "/pki/"];
const SANE_REQUEST_ID = /^[\w=-]{1,255}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Refused before the limit is asked: the key, the size, the method and the route come first. */
const BEFORE_THE_LIMIT = [401, 403, 404, 405, 408, 413];
const WITH_RETRY_AFTER = [202, 409, 429, 503];

/** Faults in the headers of an answer of the Worker's. */
export function headerFaults(judged: Judged, reached: Reached): string[] {
	const { answer } = judged;
	const faults = Object.entries(ALWAYS).flatMap(([name, form]) => {
		const value = headerOf(answer, name);
		return value !== null && form.test(value) ? [] : [`${name} is ${value}`];
	});
	return [
		...faults,
		...requestIdFaults(judged),
		...cachingFaults(judged, reached),
		...limitFaults(judged, reached),
	];
}

/** The caller's own id, when it sent one sane one; otherwise a new one. */
function requestIdFaults({ exchange, answer }: Judged): string[] {
	const sent = exchange.call.headers.filter(([name]) => name.toLowerCase() === "x-request-id");
	const given = headerOf(answer, "x-request-id") ?? "";
	const own = sent[0]?.[1] ?? "";
	if (sent.length > 1 || exchange.bent.wire) return [];
	const right = SANE_REQUEST_ID.test(own) ? given === own : UUID.test(given);
	return right ? [] : [`x-request-id ${given.slice(0, 50)} for ${own.slice(0, 50)}`];
}

function cachingFaults({ answer }: Judged, reached: Reached): string[] {
	const open = reached.kind === "undocumented" && CACHEABLE.some((path) => reached.path.startsWith(path));
	const caching = headerOf(answer, "cache-control");
	if (open || caching === "no-store") return [];
	// A refusal outside the document bears no data.
	return reached.kind === "other_method" ? [] : [`Cache-Control is ${caching}`];
}

function limitFaults({ answer, exchange }: Judged, reached: Reached): string[] {
	const faults: string[] = [];
	const { status } = answer;
	const retryAfter = headerOf(answer, "retry-after");
	if (WITH_RETRY_AFTER.includes(status) && !/^[1-9]\d*$/.test(retryAfter ?? ""))
		faults.push(`${status} with Retry-After ${retryAfter}`);
	const limited = reached.kind === "operation" && reached.operation.path.startsWith("/api/");
	// So is a body that does not arrive as its framing says.
	const unreadable = exchange.bent.wire && status === 400;
	// A caller's address that sent too many unknown keys is refused before the partner is known.
	const named = exchange.call.headers.some(([name]) => name.toLowerCase() === "cf-connecting-ip");
	const byAddress = status === 429 && named && headerOf(answer, "ratelimit") === null;
	if (limited && !unreadable && !byAddress && !BEFORE_THE_LIMIT.includes(status)) {
		const policy = headerOf(answer, "ratelimit-policy") ?? "";
		const usage = headerOf(answer, "ratelimit") ?? "";
		if (!/^"\w+";q=\d+;w=60$/.test(policy)) faults.push(`RateLimit-Policy is ${policy}`);
		if (!/^"\w+";r=\d+;t=([1-9]|[1-5]\d|60)$/.test(usage)) faults.push(`RateLimit is ${usage}`);
	}
	return faults;
}
