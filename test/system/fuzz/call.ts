import type { Operation } from "./described.ts";
import type { Code, Member } from "./fixtures.ts";
import type { Answer } from "./read-answer.ts";
import type { NoAnswer, WireClient } from "./wire-client.ts";

/** A call in the making: each layer of changes bends it further, and what is left of it goes over the wire. */
export interface Call {
	/** Intended operation; null: none of the document. */
	operation: Operation | null;
	caller: Member | "ops" | null;
	method: string;
	/** Path in the request line, without the query. */
	path: string;
	/** Names and values as they stand in the request line. */
	query: [name: string, value: string][];
	headers: [name: string, value: string][];
	/** JSON to be, undefined where there is no body. */
	fields: unknown;
	/** The body as text, then as bytes. */
	text: string | null;
	body: Buffer | null;
	framing: Framing;
	/** The purchase code it is about, if it names one. */
	code?: Code;
}

export interface Framing {
	kind: "none" | "length" | "chunked";
	/** Bytes in each chunk. */
	chunk?: number;
	/** Changes the whole message at the very end. */
	bend?: (message: Buffer) => Buffer;
	/** Closes its side after the message. */
	thenEnd?: boolean;
}

export type Random = () => number;

const LAYERS = ["text", "body", "request", "headers", "wire"] as const;

export interface Change {
	name: string;
	layer: (typeof LAYERS)[number];
	/** Changes the call in place. @returns false when there is nothing here that it could change. */
	apply(call: Call, random: Random): boolean | undefined;
}

/** A call as it was sent, and what came of it. */
export interface Exchange {
	call: Call;
	/** Names of the changes that took. */
	applied: string[];
	/** Whether the request line, a header, or the framing is bent: the server in front may refuse such a call. */
	bent: { line: boolean; headers: boolean; wire: boolean };
	bytes: Buffer;
	outcome: Answer | NoAnswer;
}

/** Far beyond what counts as hung, so that a late answer still shows what it was. Milliseconds. */
const TIMEOUT_MS = 90_000;
/** A call of more bytes has a connection of its own. */
const LARGE = 100_000;

/** Applies the changes in the order of their layers, sends the call, and waits for its answer. */
export async function sendCall(
	client: WireClient,
	call: Call,
	changes: readonly { change: Change; random: Random }[],
): Promise<Exchange> {
	const line = () => [call.method, call.path, ...call.query].join();
	const headers = () => call.headers.join();
	const before = { line: line(), headers: headers() };
	const applied: Change[] = [];
	if (call.fields !== undefined) call.text ??= JSON.stringify(call.fields) ?? "";
	for (const layer of LAYERS) {
		if (layer === "body" && call.text !== null) call.body ??= Buffer.from(call.text, "utf8");
		for (const { change, random } of changes)
			if (change.layer === layer && change.apply(call, random) !== false) applied.push(change);
	}
	const bytes = bytesOf(call);
	const bent = {
		line: line() !== before.line,
		headers: applied.some(({ layer }) => layer === "headers") || headers() !== before.headers,
		wire: call.framing.bend !== undefined,
	};
	const outcome = await client.send({
		bytes,
		method: call.method,
		alone: bent.wire || bytes.length > LARGE,
		thenEnd: call.framing.thenEnd === true,
		timeoutMs: TIMEOUT_MS,
	});
	return { call, applied: applied.map(({ name }) => name), bent, bytes, outcome };
}

/** The whole message. Header values are Latin-1, one byte a character. */
function bytesOf(call: Call): Buffer {
	const search = call.query.map(([name, value]) => (value === "" ? name : `${name}=${value}`)).join("&");
	const lines = [`${call.method} ${call.path}${search && `?${search}`} HTTP/1.1`];
	for (const [name, value] of call.headers) lines.push(`${name}: ${value}`);
	const framed = frame(call.body, call.framing);
	const head = Buffer.from([...lines, ...framed.lines, "", ""].join("\r\n"), "latin1");
	const message = framed.bytes ? Buffer.concat([head, framed.bytes]) : head;
	return call.framing.bend ? call.framing.bend(message) : message;
}

function frame(body: Buffer | null, framing: Framing): { lines: string[]; bytes: Buffer | null } {
	const { kind, chunk = 1024 } = framing;
	if (body === null || kind === "none") return { lines: [], bytes: body };
	if (kind === "length") return { lines: [`Content-Length: ${body.length}`], bytes: body };
	const parts: Buffer[] = [];
	for (let at = 0; at < body.length; at += chunk) {
		const part = body.subarray(at, at + chunk);
		parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
	}
	return {
		lines: ["Transfer-Encoding: chunked"],
		bytes: Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]),
	};
}

export function one<Item>(random: Random, items: readonly Item[]): Item {
	return items[Math.floor(random() * items.length)] as Item;
}
