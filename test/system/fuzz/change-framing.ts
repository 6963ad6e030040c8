import { type Call, type Change, type Framing, one } from "./call.ts";

/*
 * Messages whose framing is odd or broken: smuggling, injection, truncation. Most are answered by the server in front
 * of the Worker, and those that reach the Worker must be answered like any other.
 */

const HEAD_END = "\r\n\r\n";

export const FRAMING_CHANGES: Change[] = [
	framing("chunked", (call, random) => {
		call.framing = { kind: "chunked", chunk: one(random, [1, 7, 1000, 65_536]) };
		// A chunk an byte would take megabytes for a large body.
		if ((call.body?.length ?? 0) > 20_000) call.framing.chunk = 65_536;
	}),
	bend("truncated", { thenEnd: true }, (message, random) =>
		message.subarray(0, Math.max(1, message.length - 1 - Math.floor(random() * bodyLength(message)))),
	),
	bend("truncated head", { thenEnd: true }, (message, random) =>
		message.subarray(0, 1 + Math.floor(random() * message.indexOf(HEAD_END))),
	),
	bend("length too large", { thenEnd: true }, (message) =>
		lengthAs(message, (length) => String(length + 100)),
	),
	bend("length too small", {}, (message) => lengthAs(message, (length) => String(Math.max(0, length - 10)))),
	bend("length that is none", {}, (message, random) =>
		lengthAs(message, () =>
			one(random, ["-1", "+5", "0x10", "1e3", "", "5, 5", "99999999999999999999", "five"]),
		),
	),
	bend("two lengths", {}, (message) => addLine(message, "Content-Length: 1")),
	bend("length and chunked", { thenEnd: true }, (message) => addLine(message, "Transfer-Encoding: chunked")),
	bend("transfer encoding that is none", { thenEnd: true }, (message, random) =>
		addLine(
			message,
			`Transfer-Encoding: ${one(random, ["gzip", "xchunked", "chunked, identity", "\u000bchunked", "chunked\r\nTransfer-Encoding: x"])}`,
		),
	),
	bend("broken chunk", { kind: "chunked", chunk: 50, thenEnd: true }, (message, random) => {
		const at = message.indexOf(HEAD_END) + HEAD_END.length;
		const size = one(random, ["zz", "-1", "ffffffffffffffffff", "", "5;ext=\u0000", "0x5", " 5"]);
		return Buffer.concat([message.subarray(0, at), Buffer.from(`${size}\r\n`), message.subarray(at)]);
	}),
	bend("chunks without an end", { kind: "chunked", chunk: 50, thenEnd: true }, (message) =>
		message.subarray(0, Math.max(1, message.length - 5)),
	),
	bend("trailers", { kind: "chunked", chunk: 50 }, (message) =>
		Buffer.concat([message.subarray(0, -2), Buffer.from("x-gw: smuggled\r\nHost: evil\r\n\r\n")]),
	),
	bend("header injected", {}, (message, random) =>
		addLine(
			message,
			one(random, [
				"X-A: a\rX-B: b",
				"X-A: a\nX-B: b",
				"X-A: a\u0000b",
				"X-A : a",
				" X-A: folded",
				"X-A",
				": a",
			]),
		),
	),
	bend("line feeds alone", {}, (message) => {
		const end = message.indexOf(HEAD_END) + HEAD_END.length;
		const head = message.subarray(0, end).toString("latin1").replaceAll("\r\n", "\n");
		return Buffer.concat([Buffer.from(head, "latin1"), message.subarray(end)]);
	}),
	bend("no host", {}, (message) => replaceHead(message, /\r\nHost: [^\r]*/, "")),
	bend("two hosts", {}, (message) => addLine(message, "Host: evil.example")),
	bend("version", {}, (message, random) =>
		replaceHead(
			message,
			/ HTTP\/1\.1/,
			one(random, [" HTTP/1.0", " HTTP/2.0", " HTTP/0.9", "", " HTTP/1.1 ", " HTTP/9"]),
		),
	),
	bend("method that is none", {}, (message, random) =>
		replaceHead(
			message,
			/^\S+/,
			one(random, ["FOO", "get", "CONNECT", "G\u00cbT", "X".repeat(500), "GET\t", "PRI"]),
		),
	),
	bend("target with bytes that are none", {}, (message, random) =>
		replaceHead(message, /^(\S+ \S*)/, `$1${one(random, ["\u0000", " x", "\u00e9", "\u007f", '"<>', "\t"])}`),
	),
	bend("another call behind", { thenEnd: true }, (message) =>
		Buffer.concat([message, Buffer.from("GET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n")]),
	),
	bend("upgrade", {}, (message) =>
		addLine(
			message,
			"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13",
		),
	),
	bend("expects 100", {}, (message) => addLine(message, "Expect: 100-continue")),
	bend("rubbish", { thenEnd: true }, (message, random) => {
		const rubbish = Buffer.from(message.subarray(0, 2000));
		for (let i = 0; i < rubbish.length; i += 1 + Math.floor(random() * 20))
			rubbish[i] = Math.floor(random() * 256);
		return rubbish;
	}),
];

function framing(name: string, apply: (call: Call, random: () => number) => void): Change {
	return {
		name,
		layer: "wire",
		apply(call, random) {
			if (call.body === null) return false;
			apply(call, random);
			return true;
		},
	};
}

function bend(
	name: string,
	change: Partial<Framing>,
	apply: (message: Buffer, random: () => number) => Buffer,
): Change {
	return {
		name,
		layer: "wire",
		apply(call, random) {
			const before = call.framing.bend;
			const kind = change.kind ?? call.framing.kind;
			const bend = (message: Buffer) => apply(before ? before(message) : message, random);
			call.framing = { ...call.framing, ...change, kind, bend };
			return true;
		},
	};
}

function bodyLength(message: Buffer): number {
	return message.length - message.indexOf(HEAD_END) - HEAD_END.length;
}

function addLine(message: Buffer, line: string): Buffer {
	const end = message.indexOf(HEAD_END);
	return Buffer.concat([
		message.subarray(0, end),
		Buffer.from(`\r\n${line}`, "latin1"),
		message.subarray(end),
	]);
}

function lengthAs(message: Buffer, change: (length: number) => string): Buffer {
	const length = bodyLength(message);
	return replaceHead(message, /\r\nContent-Length: \d+/, `\r\nContent-Length: ${change(length)}`);
}

function replaceHead(message: Buffer, pattern: RegExp, replacement: string): Buffer {
	const end = Math.max(0, message.indexOf(HEAD_END));
	const head = message.subarray(0, end).toString("latin1").replace(pattern, replacement);
	return Buffer.concat([Buffer.from(head, "latin1"), message.subarray(end)]);
}
