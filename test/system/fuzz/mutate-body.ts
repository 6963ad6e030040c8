import { deflateSync, gzipSync } from "node:zlib";
import type { Draft, Mutation } from "./draft.ts";
import { one } from "./values.ts";

/* What is done to a JSON body as text, and to its octets. */

const KIB = 1024;
const MIB = 1024 * KIB;
const NO_JSON = [
	"",
	" ",
	"{",
	"}",
	"NaN",
	"undefined",
	"{}{}",
	"'a'",
	"\u0000",
	"<a/>",
	"a=b&c=d",
	"\u2028{}",
];
const NO_OBJECT = ["null", "true", "1", "1e400", '"text"', "[]", "[{}]", "-0"];
const NUMBERS = [
	"1e400",
	"-1e400",
	"-0",
	"1E+2",
	"0.1e1",
	"9007199254740993",
	`1${"0".repeat(400)}`,
	"01",
	"+1",
	".5",
	"0x1",
];

export const BODY_MUTATIONS: Mutation[] = [
	onText("no JSON", (_text, random) => one(random, NO_JSON)),
	onText("JSON that is no object", (_text, random) => one(random, NO_OBJECT)),
	onText("trailing comma", (text) => text.replace(/\}$/, ",}")),
	onText("comment", (text) => text.replace("{", "{/* */").replace(/$/, "// x")),
	onText("single quotes", (text) => text.replaceAll('"', "'")),
	onText("unquoted names", (text) => text.replaceAll(/"(\w+)":/g, "$1:")),
	onText("duplicate field", (text, random) => {
		const pairs = text.match(/"\w+":(?:"[^"]*"|[\w.+-]+)/g);
		return pairs ? text.replace("{", `{${one(random, pairs)},`) : text;
	}),
	onText("two values of one field", (text) => text.replace(/"(\w+)":/, '"$1":"first","$1":')),
	onText("__proto__ in the text", (text) => text.replace("{", '{"__proto__":{"mode":"B2B","quantity":1},')),
	onText("number as written", (text, random) => {
		const number = one(random, NUMBERS);
		return /:-?\d/.test(text)
			? text.replace(/:-?\d[\d.e]*/, `:${number}`)
			: text.replace(/:"[^"]*"/, `:${number}`);
	}),
	onText("escaped", (text) =>
		text.replaceAll(/[a-z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`),
	),
	onText("bad escape", (text) => text.replace(/":"/, '":"\\x41\\u00')),
	onText("cut", (text, random) => text.slice(0, Math.floor(random() * text.length))),
	onText("something after", (text, random) => text + one(random, ["x", "\u0000", " ", "}", "{}", "\n\n"])),
	onText("deep", (text, random) => {
		const levels = one(random, [100, 1000, 7000, 100_000]);
		const [open, close] = one(random, [
			["[", "]"],
			['{"a":', "}"],
		] as const);
		return text.replace(/\}$/, `,"deep":${open.repeat(levels)}1${close.repeat(levels)}}`);
	}),
	onText("as a string", (text) => JSON.stringify(text)),
	onText("in an array", (text) => `[${text}]`),

	onOctets("UTF-16", (body, random) => {
		const utf16 = Buffer.from(body.toString("utf8"), "utf16le");
		if (random() < 0.5) utf16.swap16();
		return random() < 0.5 ? utf16 : Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]);
	}),
	onOctets("UTF-32", (body) => Buffer.concat(Array.from(body, (octet) => Buffer.from([0, 0, 0, octet])))),
	onOctets("BOM", (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
	onOctets("Latin-1", (body) => Buffer.from(body.toString("utf8"), "latin1")),
	onOctets("UTF-8 that is none", (body, random) => {
		const place = Math.max(0, body.lastIndexOf('"'));
		const rubbish = one(random, ["c080", "ff", "eda080", "f4908080", "c3", "e282", "80"]);
		return Buffer.concat([body.subarray(0, place), Buffer.from(rubbish, "hex"), body.subarray(place)]);
	}),
	onOctets("octets changed", (body, random) => {
		const changed = Buffer.from(body);
		for (let i = 0; i < 3; i++) changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
		return changed;
	}),
	onOctets("random octets", (_body, random) =>
		Buffer.from(Array.from({ length: Math.floor(random() * 300) }, () => Math.floor(random() * 256))),
	),
	onOctets("padded to the limit or over it", (body, random, draft) => {
		const limit = draft.path.endsWith("/certificate_request") && random() < 0.9 ? 12 * MIB : 16 * KIB;
		// Twelve MiB take their time: seldom.
		const size = limit > MIB && random() < 0.8 ? 300 * KIB : limit + one(random, [0, 1, 5]);
		return body.length < size ? Buffer.concat([body, Buffer.alloc(size - body.length, 0x20)]) : body;
	}),
	onOctets("gzip", (body, random, draft) => {
		if (random() < 0.7)
			draft.headers.push(["Content-Encoding", one(random, ["gzip", "x-gzip", "GZIP, identity"])]);
		return gzipSync(body);
	}),
	onOctets("deflate", (body, _random, draft) => {
		draft.headers.push(["Content-Encoding", "deflate"]);
		return deflateSync(body);
	}),
	onOctets("multipart", (body, _random, draft) => {
		retype(draft, "multipart/form-data; boundary=zz");
		return Buffer.concat([Buffer.from("--zz\r\nContent-Disposition: form-data; name=a\r\n\r\n"), body]);
	}),
	onOctets("urlencoded", (_body, _random, draft) => {
		retype(draft, "application/x-www-form-urlencoded");
		return Buffer.from(new URLSearchParams(draft.fields as Record<string, string>).toString());
	}),
];

function retype(draft: Draft, type: string): void {
	draft.headers = draft.headers.filter(([name]) => name.toLowerCase() !== "content-type");
	draft.headers.push(["Content-Type", type]);
}

function onText(name: string, change: (text: string, random: () => number) => string): Mutation {
	return {
		name,
		layer: "text",
		apply(draft, random) {
			if (draft.text === null) return false;
			draft.text = change(draft.text, random);
			return true;
		},
	};
}

function onOctets(
	name: string,
	change: (body: Buffer, random: () => number, draft: Draft) => Buffer,
): Mutation {
	return {
		name,
		layer: "body",
		apply(draft, random) {
			if (draft.body === null || draft.body.length === 0) return false;
			draft.body = change(draft.body, random, draft);
			return true;
		},
	};
}
