import { deflateSync, gzipSync } from "node:zlib";
import { type Call, type Change, one, type Random } from "./call.ts";

/* Changes of a JSON body as text, and of its bytes. */

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
const NUMBERS = `1e400 -1e400 -0 1E+2 0.1e1 9007199254740993 1${"0".repeat(400)} 01 +1 .5 0x1`.split(" ");
const NO_UTF_8 = "c080 ff eda080 f4908080 c3 e282 80".split(" ");
const NESTING = [100, 1000, 7000, 100_000];

const TEXT: Record<string, (text: string, random: Random) => string> = {
	"no JSON": (_text, random) => one(random, NO_JSON),
	"JSON that is no object": (_text, random) => one(random, NO_OBJECT),
	"trailing comma": (text) => text.replace(/\}$/, ",}"),
	comment: (text) => text.replace("{", "{/* */").replace(/$/, "// x"),
	"single quotes": (text) => text.replaceAll('"', "'"),
	"unquoted names": (text) => text.replaceAll(/"(\w+)":/g, "$1:"),
	"duplicate field": (text, random) => {
		const pairs = text.match(/"\w+":(?:"[^"]*"|[\w.+-]+)/g);
		return pairs ? text.replace("{", `{${one(random, pairs)},`) : text;
	},
	"two values of one field": (text) => text.replace(/"(\w+)":/, '"$1":"first","$1":'),
	"__proto__ in the text": (text) => text.replace("{", '{"__proto__":{"mode":"B2B","quantity":1},'),
	"many fields": (text) =>
		text.replace("{", `{${Array.from({ length: 500 }, (_, i) => `"f${i}":${i},`).join("")}`),
	"number as written": (text, random) => {
		const field = /:-?\d/.test(text) ? /:-?\d[\d.e]*/ : /:"[^"]*"/;
		return text.replace(field, `:${one(random, NUMBERS)}`);
	},
	escaped: (text) =>
		text.replaceAll(/[a-z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`),
	"bad escape": (text) => text.replace(/":"/, '":"\\x41\\u00'),
	cut: (text, random) => text.slice(0, Math.floor(random() * text.length)),
	"something after": (text, random) => text + one(random, ["x", "\u0000", " ", "}", "{}", "\n\n"]),
	"deep array": (text, random) => nested(text, "[", "]", one(random, NESTING)),
	"deep object": (text, random) => nested(text, '{"a":', "}", one(random, NESTING)),
	"as a string": (text) => JSON.stringify(text),
	"in an array": (text) => `[${text}]`,
};

const BYTES: Record<string, (body: Buffer, random: Random, call: Call) => Buffer> = {
	"UTF-16": (body, random) => {
		const utf16 = Buffer.from(body.toString("utf8"), "utf16le");
		if (random() < 0.5) utf16.swap16();
		return random() < 0.5 ? utf16 : Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]);
	},
	"UTF-32": (body) => Buffer.concat(Array.from(body, (byte) => Buffer.from([0, 0, 0, byte]))),
	BOM: (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
	"Latin-1": (body) => Buffer.from(body.toString("utf8"), "latin1"),
	"not UTF-8": (body, random) => {
		const place = Math.max(0, body.lastIndexOf('"'));
		return Buffer.concat([
			body.subarray(0, place),
			Buffer.from(one(random, NO_UTF_8), "hex"),
			body.subarray(place),
		]);
	},
	"bytes changed": (body, random) => {
		const changed = Buffer.from(body);
		for (let i = 0; i < 3; i++) changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
		return changed;
	},
	"random bytes": (_body, random) =>
		Buffer.from(Array.from({ length: Math.floor(random() * 300) }, () => Math.floor(random() * 256))),
	"padded to the limit or over it": (body, random, call) => {
		const limit = call.path.endsWith("/certificate_request") && random() < 0.9 ? 12 * MIB : 16 * KIB;
		// Twelve MiB take their time: seldom.
		const size = limit > MIB && random() < 0.8 ? 300 * KIB : limit + one(random, [0, 1, 5]);
		return body.length < size ? Buffer.concat([body, Buffer.alloc(size - body.length, 0x20)]) : body;
	},
	gzip: (body, random, call) => {
		if (random() < 0.7)
			call.headers.push(["Content-Encoding", one(random, ["gzip", "x-gzip", "GZIP, identity"])]);
		return gzipSync(body);
	},
	deflate: (body, _random, call) => {
		call.headers.push(["Content-Encoding", "deflate"]);
		return deflateSync(body);
	},
	multipart: (body, _random, call) => {
		retype(call, "multipart/form-data; boundary=zz");
		return Buffer.concat([Buffer.from("--zz\r\nContent-Disposition: form-data; name=a\r\n\r\n"), body]);
	},
	urlencoded: (_body, _random, call) => {
		retype(call, "application/x-www-form-urlencoded");
		return Buffer.from(new URLSearchParams(call.fields as Record<string, string>).toString());
	},
};

export const BODY_CHANGES: Change[] = [
	...Object.entries(TEXT).map(
		([name, change]): Change => ({
			name,
			layer: "text",
			apply(call, random) {
				if (call.text === null) return false;
				call.text = change(call.text, random);
				return true;
			},
		}),
	),
	...Object.entries(BYTES).map(
		([name, change]): Change => ({
			name,
			layer: "body",
			apply(call, random) {
				if (call.body === null || call.body.length === 0) return false;
				call.body = change(call.body, random, call);
				return true;
			},
		}),
	),
];

function nested(text: string, open: string, close: string, levels: number): string {
	return text.replace(/\}$/, `,"deep":${open.repeat(levels)}1${close.repeat(levels)}}`);
}

function retype(call: Call, type: string): void {
	call.headers = call.headers.filter(([name]) => name.toLowerCase() !== "content-type");
	call.headers.push(["Content-Type", type]);
}
