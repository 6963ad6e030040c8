import type { Exchange } from "./call.ts";
import type { Described } from "./described.ts";
import { headerOf, isOurs, type Judged, readAnswer } from "./exchange.ts";
import type { Fixtures } from "./fixtures.ts";
import { SLOW_WORDS, UNAVAILABLE_WORDS } from "./good-values.ts";
import { headerFaults } from "./judge-headers.ts";
import { leakFaults } from "./judge-leaks.ts";
import { type Reached, readings, shapeFaults, spellings } from "./judge-shape.ts";
import { roleFor, roleOf } from "./role-tokens.ts";

/** Milliseconds after which a call counts as hung, and how long the registry may hold one back. */
const HANG_MS = 10_000;
const REGISTRY_MS = 10_000;
/** Duration of the other calls' turns between two chunks. */
const CHUNK_MS = 1;
/** More than a connection holds for a reader that does not read. */
const UNREAD_BYTES = 64 * 1024;
const SHOWN_BYTES = 600;

export interface Bench {
	described: Described;
	fixtures: Fixtures;
	/** Values that no answer may hold. */
	secrets: readonly string[];
	/** Log of the service. */
	logs: readonly string[];
	/** Milliseconds that any call may take longer, on a machine as busy as this one. */
	room(): number;
}

/** Everything that is wrong with what came of a call; empty when the service kept its promises. */
export function judge(exchange: Exchange, bench: Bench): string[] {
	const { outcome, bent, bytes } = exchange;
	const faults =
		outcome.ms > patienceFor(exchange) + bench.room() ? [`no answer for ${Math.round(outcome.ms)} ms`] : [];
	if ("failure" in outcome) {
		// Whoever is refused before the whole body was read may find the connection closed before the refusal.
		const cutOff = outcome.failure === "closed" && bytes.length > UNREAD_BYTES;
		if (outcome.failure === "timeout" || !(bent.wire || cutOff))
			faults.push(`${outcome.failure} instead of an answer`);
		return faults;
	}
	const judged = readAnswer(exchange)!;
	faults.push(...leakFaults(judged, bench.fixtures, bench.secrets));
	if (!isOurs(outcome)) return [...faults, ...frontFaults(judged)];
	faults.push(...failureFaults(judged), ...scopeFaults(judged), ...roleFaults(judged, bench.fixtures));
	const possible = possibleReadings(exchange, bench.described).map((reached) => [
		...shapeFaults(judged, reached, bench.described),
		...headerFaults(judged, reached),
	]);
	return [...faults, ...(possible.find((found) => found.length === 0) ?? possible[0]!)];
}

/** A message whose framing was bent may be read as it was meant, by the line that it has now, or as a call of nothing. */
function possibleReadings({ call, bent, bytes }: Exchange, described: Described): Reached[] {
	const meant = readings(call, described);
	if (!bent.wire) return meant;
	const line = bytes.subarray(0, bytes.indexOf("\n") + 1).toString("latin1");
	const [method = "", path = ""] = line.split(/\s+/, 2);
	return [...meant, ...readings({ ...call, method, path }, described), { kind: "nothing" }];
}

/** Longest time of a call. Each chunk that is read takes its turn among the other calls'. */
function patienceFor({ call, bytes }: Pick<Exchange, "call" | "bytes">): number {
	const { kind, chunk } = call.framing;
	const chunks = kind === "chunked" && chunk ? (call.body?.length ?? 0) / chunk : 0;
	return (
		HANG_MS +
		(mentions(call, SLOW_WORDS) ? REGISTRY_MS : 0) +
		chunks * CHUNK_MS +
		(promisesMore(bytes) ? BODY_PAUSE_MS : 0)
	);
}

/** A body that does not come is waited for, then answered 408. */
const BODY_PAUSE_MS = 15_000;

function promisesMore(bytes: Uint8Array): boolean {
	const sent = Buffer.from(bytes).toString("latin1");
	const [head = "", ...body] = sent.split("\r\n\r\n");
	const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
	return length > body.join("\r\n\r\n").length;
}

/** The server in front may refuse what is bent, never what is not. */
function frontFaults({ answer: { status }, exchange: { bent, bytes } }: Judged): string[] {
	if (!bent.wire && !bent.line && !bent.headers) return [`${status} from the server in front`];
	const unknownMethod = status === 501 || (status === 500 && bytes.subarray(0, 8).toString() === "CONNECT ");
	return status < 500 || status === 505 || unknownMethod ? [] : [`${status} from the server in front`];
}

/** No 5xx but the documented 503, and that one only where an upstream was to fail. */
function failureFaults({ answer: { status }, exchange, json }: Judged): string[] {
	if (status < 500) return [];
	const { error } = (json ?? {}) as { error?: string };
	const words = UNAVAILABLE_WORDS[error ?? ""] ?? [];
	const expected = status === 503 && mentions(exchange.call, words);
	return expected ? [] : [`${status} ${error}`];
}

/** Another partner's code is like one that never existed. */
function scopeFaults({ answer: { status }, exchange: { call }, json }: Judged): string[] {
	const { caller, code, operation } = call;
	if (!code || caller === "ops" || caller === null || code.owner === caller) return [];
	const { error, data } = (json ?? {}) as { error?: string; data?: { status?: string } };
	const says =
		[202, 406, 423].includes(status) || error === "ATTEMPT_LIMIT_REACHED" || error === "ALREADY_ISSUED";
	const acts = status === 200 && operation?.path.includes("/certificate_") === true;
	const reads = data?.status !== undefined && data.status !== "NOT_FOUND";
	return says || acts || reads ? [`${status} ${error ?? data?.status} of another partner's code`] : [];
}

/** A token of one role does nothing that needs another. */
function roleFaults({ answer, exchange: { call, bent } }: Judged, { opsToken }: Fixtures): string[] {
	const role = roleOf(call, opsToken);
	if (role === null || bent.wire || answer.status >= 300) return [];
	const method = call.method === "HEAD" ? "GET" : call.method;
	const paths = [...spellings(call.path)].filter((path) => path.startsWith("/ops/v1/"));
	const may = paths.length === 0 || paths.some((path) => roleFor(method, path) === role);
	return may ? [] : [`${answer.status} for the role ${role}`];
}

/** Whether a body names one of these, however it writes it: with thousands dots, or in escapes. */
function mentions({ body }: Exchange["call"], words: readonly string[]): boolean {
	const text = (body ?? Buffer.alloc(0))
		.subarray(0, 20_000)
		.toString("latin1")
		.replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
		.replaceAll(/(?<=\d)\.(?=\d)/g, "");
	return words.some((word) => text.includes(word));
}

/** Faults with the call that shows them, what it was answered, and what the service logged of it. */
export function describeFaults(
	{ applied, bytes, outcome }: Exchange,
	faults: readonly string[],
	{ fixtures, logs }: Bench,
): string {
	const id = "failure" in outcome ? null : headerOf(outcome, "x-request-id");
	const logged = logs.filter(
		(line) => id !== null && line.includes(`"${id}"`) && line.includes('"level":"error"'),
	);
	const shown = JSON.stringify(bytes.subarray(0, SHOWN_BYTES).toString("latin1"));
	const status =
		"failure" in outcome ? outcome.failure : `${outcome.status} ${outcome.body.subarray(0, 200)}`;
	return [`${faults.join("; ")} [${applied.join(", ")}]`, shown, `→ ${status}`, ...logged]
		.join("\n\t")
		.replaceAll(fixtures.opsToken, "$OPS_TOKEN");
}
