import { env } from "cloudflare:workers";
import { isNamed, OPERATIONS, type Operation } from "../../support/operations.ts";
import type { Answer } from "../../support/service.ts";
import type { Message } from "./changes.ts";
import { UNAVAILABLE_WORDS } from "./good-values.ts";
import { HOLDERS, MARKER, PINS, type World } from "./world.ts";

/* Faults of an answer, whatever was sent. `call` holds each against its schema before. */

const ALWAYS: Record<string, RegExp> = {
	"x-request-id": /^[\w=-]{1,255}$/,
	"x-content-type-options": /^nosniff$/,
	"strict-transport-security": /^max-age=\d{7,}/,
	"x-frame-options": /^SAMEORIGIN$/,
	"referrer-policy": /^no-referrer$/,
	"cross-origin-resource-policy": /^same-origin$/,
};
/** Refused before the limit is asked: the key, the size, the method and the route come first. */
const BEFORE_THE_LIMIT = [401, 403, 404, 405, 408, 413];
const WITH_RETRY_AFTER = [202, 409, 429, 503];
/** Text of the inside: stack frames, statements, names of what the service is built from. */
const INNER_TEXT =
	/\.[cm]?[jt]s:\d|\bat (?:async )?[\w.]+ \(|\b\w*Error:|SQLITE|D1_|\bzod\b|drizzle|durable ?object|workerd|\bundefined\b|\bNaN\b|\[object|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b/i;
const API_KEY = /gw_(?:dev|prod)_[0-9A-HJKMNP-TV-Z]{32}/;
const WEBHOOK_SECRET = /whsec_[A-Za-z0-9+/]{8}/;
const CODE = /\b[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}\b/g;
/** Parts of an answer that are random or a time, in which any four digits may stand. */
const RANDOM =
	/[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}|\b[a-z]+_[0-9a-f]{32}\b|\d{4}-\d{2}-\d{2}T[\d:.]+Z|[0-9A-Fa-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9+/=_-]{60,}/g;
const PIN = new RegExp(`(?<![0-9A-Za-z])(?:${PINS.join("|")})(?![0-9A-Za-z])`);
/** Calls whose answer shows a new secret, this once. */
const SHOWS_SECRET = /\/(?:partners|keys|rotate|webhook-secret|secret)$/;
export const SECRETS = [
	env.SEALING_KEYS,
	env.INDEX_KEY,
	env.PIN_PEPPER,
	env.AUDIT_KEY,
	env.OPS_TOKEN,
].flatMap((setting) =>
	String(setting)
		.split(/[:,]/)
		.filter((part) => part.length >= 16),
);

/** The paths that an odd one may be read as. */
function pathsOf(path: string): string[] {
	const { pathname } = new URL(`http://service.test${path}`);
	try {
		return [...new Set([pathname, decodeURI(pathname)])];
	} catch {
		return [pathname];
	}
}

/** @returns what is wrong with the answer; nothing where it is as the documents promise. */
export function judge(message: Message, answer: Answer, world: World): string[] {
	const paths = pathsOf(message.path);
	const method = message.method === "HEAD" ? "GET" : message.method;
	const isAt = ({ pattern }: Operation) => paths.some((path) => pattern.test(path));
	const operation = OPERATIONS.find((one) => one.method === method && isAt(one));
	return [
		...(answer.status >= 400 && answer.text.length > 20_000 ? ["a refusal as long as what was sent"] : []),
		...statusFaults(message, answer, operation),
		...headerFaults(message, answer, operation),
		...leakFaults(message, answer, world),
		...scopeFaults(message, answer),
	];
}

function statusFaults(
	message: Message,
	{ status, body }: Answer,
	operation: Operation | undefined,
): string[] {
	const { error, details } = body ?? {};
	const told = new TextDecoder("latin1").decode(message.body?.subarray(0, 20_000) ?? new Uint8Array());
	const sent = `${message.text ?? ""} ${told}`
		.replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
		.replaceAll(/(?<=\d)\.(?=\d)/g, "");
	if (status >= 500) {
		return status === 503 && UNAVAILABLE_WORDS.some((word) => sent.includes(word))
			? []
			: [`${status} ${error}`];
	}
	if (operation === undefined || status === 404 || status === 405) return [];
	if (message.method === "HEAD") return [];
	const names = status < 300 && error === undefined ? [] : [status === 406 ? details?.[0]?.code : error];
	if (status === 406 && details?.length !== 1) return ["406 without one detail"];
	return isNamed(operation, status, names) ? [] : [`${status} ${names} is not documented`];
}

function headerFaults(message: Message, { status, headers, body }: Answer, operation: Operation | undefined) {
	const faults = Object.entries(ALWAYS)
		.filter(([name, form]) => !form.test(headers.get(name) ?? ""))
		.map(([name]) => `${name} is ${headers.get(name)}`);
	const own = message.headers.findLast(([name]) => name === "x-request-id")?.[1];
	if (own !== undefined && /^[\w=-]{1,255}$/.test(own) && headers.get("x-request-id") !== own)
		faults.push("x-request-id is not the caller's");
	if (WITH_RETRY_AFTER.includes(status) && !/^[1-9]\d*$/.test(headers.get("retry-after") ?? ""))
		faults.push(`${status} with Retry-After ${headers.get("retry-after")}`);
	if (operation === undefined) return faults;
	if (headers.get("cache-control") !== "no-store" && status !== 405)
		faults.push(`Cache-Control is ${headers.get("cache-control")}`);
	// A caller's address that sent too many unknown keys is refused before the partner is known.
	const byAddress = status === 429 && body?.message?.includes("IP address");
	if (operation.path.startsWith("/api/") && !BEFORE_THE_LIMIT.includes(status) && !byAddress) {
		if (!/^"\w+";q=\d+;w=60$/.test(headers.get("ratelimit-policy") ?? "")) faults.push("no RateLimit-Policy");
		if (!/^"\w+";r=\d+;t=([1-9]|[1-5]\d|60)$/.test(headers.get("ratelimit") ?? ""))
			faults.push(`RateLimit is ${headers.get("ratelimit")}`);
	}
	return faults;
}

/** Contents that the caller must not see. */
function leakFaults(
	{ path, headers: sent, query }: Message,
	{ status, text, headers }: Answer,
	world: World,
) {
	const everything = `${[...headers].join("\n")}\n${text}`;
	const keys = new Set(sent.map(([, value]) => value.trim()));
	const own = world.members.filter(({ key }) => keys.has(key));
	const isOps = pathsOf(path).some((read) => read.startsWith("/ops/")) && keys.has(`Bearer ${env.OPS_TOKEN}`);
	const isDocument = text.startsWith('{"openapi"');
	const shows = isDocument || (status === 201 && SHOWS_SECRET.test(path));
	const markers = [...everything.matchAll(MARKER)].map(([marker]) => marker);
	const isEcho = (code: string) =>
		decodeURIComponent(query.map(([, value]) => value).join(" ")).includes(code);
	const codes = [...everything.matchAll(CODE)].map(([text]) => world.codes.get(text));
	const inside = text.replaceAll(/"field":"(?:[^"\\]|\\.)*"/g, "");
	return [
		...(SECRETS.some((secret) => everything.includes(secret)) ? ["a secret of the settings"] : []),
		...(PIN.test(text.replaceAll(RANDOM, "")) ? ["a PIN"] : []),
		...(/sso-(?:\d|down)/.test(everything) && !isDocument ? ["a single sign-on credential"] : []),
		...(API_KEY.test(everything) && !shows ? ["an API key"] : []),
		...(WEBHOOK_SECRET.test(everything) && !shows ? ["a webhook secret"] : []),
		...(text.includes("PRIVATE KEY") ? ["a private key"] : []),
		...(status >= 400 && INNER_TEXT.test(inside) ? ["text of the inside"] : []),
		...(isOps && everything.includes(HOLDERS) ? ["a holder's e-mail for ops"] : []),
		...(!isOps && markers.some((marker) => own.every((member) => member.marker !== marker))
			? ["another partner's marker"]
			: []),
		...(!isOps && codes.some((code) => code && !own.includes(code.owner) && !isEcho(code.code))
			? ["another partner's code"]
			: []),
	];
}

/** Another partner's code is like one that never existed. */
function scopeFaults({ member, code, path, query, text }: Message, { status, body }: Answer): string[] {
	if (member === null || code === undefined || code.owner === member) return [];
	const named = `${path} ${query} ${text}`.toUpperCase().replaceAll("-", "");
	if (!named.includes(code.code.replaceAll("-", ""))) return [];
	const { error, data } = body ?? {};
	const says =
		[202, 406, 423].includes(status) || ["ATTEMPT_LIMIT_REACHED", "ALREADY_ISSUED"].includes(error);
	const acts = status === 200 && path.includes("/certificate_");
	const reads = data?.status !== undefined && data.p_code !== undefined && data.status !== "NOT_FOUND";
	return says || acts || reads ? [`${status} ${error ?? data?.status} of another partner's code`] : [];
}

/** Lines of the log that hold a secret, or anything that a caller or a holder sent. */
export function logFaults(lines: readonly string[]): string[] {
	const kinds: [string, (line: string) => boolean][] = [
		["a secret of the settings", (line) => SECRETS.some((secret) => line.includes(secret))],
		["an API key", (line) => API_KEY.test(line)],
		["a webhook secret", (line) => WEBHOOK_SECRET.test(line)],
		["a PIN", (line) => PINS.some((pin) => line.includes(`"${pin}"`))],
		["a RUT", (line) => /\b\d{7,8}-[\dkK]\b/.test(line)],
		["a holder's e-mail", (line) => line.includes(HOLDERS)],
		["a partner's marker", (line) => line.search(MARKER) >= 0],
		["a credential", (line) => line.includes("sso-")],
	];
	return kinds.flatMap(([what, holds]) => {
		const line = lines.find(holds);
		return line === undefined ? [] : [`the log holds ${what}: ${line.slice(0, 300)}`];
	});
}
