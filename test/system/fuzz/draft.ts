import type { Operation } from "./described.ts";
import type { Code, Member } from "./world.ts";

/** A call in the making: mutations change it layer by layer, and what is left of it goes over the wire. */
export interface Draft {
	/** What it set out to be; null: nothing that the document has. */
	operation: Operation | null;
	/** Who it says it is. */
	caller: Member | "ops" | null;
	method: string;
	/** As it stands in the request line, without the query. */
	path: string;
	/** Names and values as they stand in the request line. */
	query: [name: string, value: string][];
	headers: [name: string, value: string][];
	/** JSON to be, undefined where there is no body. */
	fields: unknown;
	/** Its text, then its octets, once the layers before have had their turn. */
	text: string | null;
	body: Buffer | null;
	framing: Framing;
	/** The purchase code it is about, if it names one. */
	code?: Code;
}

export interface Framing {
	kind: "none" | "length" | "chunked";
	/** Octets in each chunk. */
	chunk?: number;
	/** Changes the whole message at the very end. */
	bend?: (message: Buffer) => Buffer;
	/** Closes its side after the message. */
	thenEnd?: boolean;
}

const LAYERS = ["fields", "text", "body", "request", "headers", "wire"] as const;
type Layer = (typeof LAYERS)[number];

export interface Mutation {
	name: string;
	layer: Layer;
	/** Changes the draft in place. @returns false when there is nothing here that it could change. */
	apply(draft: Draft, random: () => number): boolean | undefined;
}

/** A mutation and where its own random numbers start, so that it does the same whatever else is left out. */
export interface Chosen {
	mutation: Mutation;
	seed: number;
}

/** @returns a copy of the base with the mutations in the order of their layers, and the names of those that took. */
export function mutate(
	base: Draft,
	chosen: readonly Chosen[],
	randomFrom: (seed: number) => () => number,
): { draft: Draft; applied: string[] } {
	const draft: Draft = {
		...base,
		query: base.query.map(([name, value]) => [name, value]),
		headers: base.headers.map(([name, value]) => [name, value]),
		fields: structuredClone(base.fields),
		framing: { ...base.framing },
	};
	const applied: string[] = [];
	for (const layer of LAYERS) {
		if (layer === "text" && draft.fields !== undefined) draft.text ??= JSON.stringify(draft.fields) ?? "";
		if (layer === "body" && draft.text !== null) draft.body ??= Buffer.from(draft.text, "utf8");
		for (const { mutation, seed } of chosen)
			if (mutation.layer === layer && mutation.apply(draft, randomFrom(seed)) !== false)
				applied.push(mutation.name);
	}
	return { draft, applied };
}

/** The request line's target. */
function targetOf({ path, query }: Draft): string {
	const search = query.map(([name, value]) => (value === "" ? name : `${name}=${value}`)).join("&");
	return search === "" ? path : `${path}?${search}`;
}

/** The octets of the whole message. Header values are Latin-1, one octet a character. */
export function octetsOf(draft: Draft): Buffer {
	const { method, body, framing } = draft;
	const lines = [`${method} ${targetOf(draft)} HTTP/1.1`];
	for (const [name, value] of draft.headers) lines.push(`${name}: ${value}`);
	const framed = frame(body, framing);
	const head = Buffer.from([...lines, ...framed.lines, "", ""].join("\r\n"), "latin1");
	const message = framed.octets ? Buffer.concat([head, framed.octets]) : head;
	return framing.bend ? framing.bend(message) : message;
}

function frame(
	body: Buffer | null,
	{ kind, chunk = 1024 }: Framing,
): { lines: string[]; octets: Buffer | null } {
	if (body === null || kind === "none") return { lines: [], octets: body };
	if (kind === "length") return { lines: [`Content-Length: ${body.length}`], octets: body };
	const parts: Buffer[] = [];
	for (let at = 0; at < body.length; at += chunk) {
		const part = body.subarray(at, at + chunk);
		parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
	}
	return {
		lines: ["Transfer-Encoding: chunked"],
		octets: Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]),
	};
}
