import { type Code, type Member, one, type Random, type World } from "./world.ts";

/** A call in the making: each change bends it further. */
export interface Message {
	/** Who calls; null: ops, or nobody that is known. */
	member: Member | null;
	method: string;
	path: string;
	/** Names and values as they stand in the address. */
	query: [name: string, value: string][];
	headers: [name: string, value: string][];
	/** The body as text, or as bytes. */
	text: string | null;
	body: Uint8Array<ArrayBuffer> | null;
	/** The purchase code and the PIN that it names, if it names any. */
	code?: Code;
	pin?: unknown;
}

type Change = (message: Message, random: Random) => void;

const MIB = 1024 * 1024;
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

/** Changes of a JSON body as text. */
const TEXT: Record<string, (text: string, random: Random) => string> = {
	"no JSON": (_text, random) => one(random, NO_JSON),
	"JSON that is no object": (_text, random) => one(random, NO_OBJECT),
	"trailing comma": (text) => text.replace(/\}$/, ",}"),
	comment: (text) => text.replace("{", "{/* */").replace(/$/, "// x"),
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

function nested(text: string, open: string, close: string, levels: number): string {
	return text.replace(/\}$/, `,"deep":${open.repeat(levels)}1${close.repeat(levels)}}`);
}

/** Changes of its bytes. */
const BYTES: Record<string, (body: Buffer, random: Random) => Buffer> = {
	"UTF-16": (body) => Buffer.from(body.toString("utf8"), "utf16le"),
	BOM: (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
	"Latin-1": (body) => Buffer.from(body.toString("utf8"), "latin1"),
	"not UTF-8": (body, random) => {
		const place = Math.max(0, body.lastIndexOf('"'));
		const bytes = Buffer.from(one(random, NO_UTF_8), "hex");
		return Buffer.concat([body.subarray(0, place), bytes, body.subarray(place)]);
	},
	"bytes changed": (body, random) => {
		const changed = Buffer.from(body);
		for (let i = 0; i < 3; i++) changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
		return changed;
	},
	"random bytes": (_body, random) =>
		Buffer.from(Array.from({ length: Math.floor(random() * 300) }, () => Math.floor(random() * 256))),
	"padded to a limit or over it": (body, random) => {
		const size = one(random, [16 * 1024, 16 * 1024 + 1, 16 * 1024 + 5, 12 * MIB + 1]);
		return body.length < size ? Buffer.concat([body, Buffer.alloc(size - body.length, 0x20)]) : body;
	},
};

const BAD_ESCAPES = "% %zz %0 %C0%80 %ED%A0%80 %FF %00 %u0041 + %2B ; && =".split(" ");

/** Other paths than the documents have. */
const PATH: Record<string, (path: string, random: Random) => string> = {
	"double slash": (path) => path.replace(/\/([^/]*)$/, "//$1"),
	"dot segment": (path, random) => path.replace(/\/([^/]*)$/, `${one(random, ["/.", "/x/..", "/%2e"])}/$1`),
	"climbing out": (path) => `${path}/..%2f..%2f%2e%2e%2fetc%2fpasswd`,
	"trailing slash": (path) => `${path}/`,
	"case of the path": (path) => path.toUpperCase(),
	"encoded slash": (path) => path.replace(/\/([^/]*)$/, "%2F$1"),
	"encoded letter": (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
	"encoded twice": (path) => path.replace(/[a-z]/, (letter) => `%25${letter.charCodeAt(0).toString(16)}`),
	"matrix parameters": (path) => `${path};jsessionid=1;a=b`,
	"bad escape in the path": (path, random) => path + one(random, BAD_ESCAPES),
	long: (path, random) => `${path}${one(random, ["/x", "x", "%41"]).repeat(2500)}`,
	suffix: (path, random) => path + one(random, [".json", ".xml", "~", "$", "*", "@"]),
	"segment doubled": (path) => path.replace(/(\/[^/]+)/, "$1$1"),
	"segment dropped": (path) => path.replace(/\/[^/]+/, ""),
	"segment emptied": (path) => path.replace(/\/[^/]+$/, "/"),
};

const repeated = [255, 256, 8000].map((length) => "x".repeat(length));

/** Values of one header each, Latin-1. */
const HEADERS: Record<string, readonly string[]> = {
	"Content-Type": [
		...["", "\u00e9", "application/json\t; v=1", "application/json; charset=utf-16", "application/json;;"],
		...["text/plain", "application/jsonx", "multipart/form-data", "json", "*/*", ";", "APPLICATION/JSON"],
	],
	"x-request-id": [
		...["", " ", "\u00f1\u00ff", "two words", "a,b", '{"a":1}', "<script>alert(1)</script>", "%0d%0aX-A:1"],
		...["order-1001", "A_b=9", "null", ...repeated],
	],
	"Accept-Language": [
		..."es es-CL,es;q=0.9 en;q=0.1,es;q=0.2 es;q=NaN es;q=2 * \u00ff;q=1 ;;; ,,,,".split(" "),
		...[`${"es;q=0.1,".repeat(700)}en`, "es;q=0.".repeat(900), "es\t;\tq=1"],
	],
	"Idempotency-Key": [
		...["", '""', '"a b"', "a b", "\u00ff", '"', '"unclosed', "' OR 1=1 --", "a,b", ...repeated],
		...'same-key same-key same-key "same-key" __proto__'.split(" "),
	],
	"X-HTTP-Method-Override": ["DELETE"],
	"X-Original-URL": ["/ops/v1/partners"],
	"CF-Connecting-IP": ["127.0.0.1", "x"],
	Cookie: ["a=b; __proto__=1"],
	Range: ["bytes=0-1"],
	"If-None-Match": ["*"],
	Origin: ["https://evil.example"],
	Accept: ["text/html", "application/xml;q=1"],
	"X-Long": ["y".repeat(30_000)],
};

function withoutHeader({ headers }: Message, ...names: string[]): Message["headers"] {
	return headers.filter(([name]) => !names.some((other) => other.toLowerCase() === name.toLowerCase()));
}

function withCredential(message: Message, ...credentials: Message["headers"]): void {
	message.headers = [...withoutHeader(message, "x-gw", "authorization"), ...credentials];
}

/** Forms that look like this key and are not. */
function wrongKeys(key: string): string[] {
	const changed = [key.slice(0, -1), `${key}0`, key.toLowerCase(), key.replace(/.$/, "U"), `"${key}"`];
	return [
		"",
		"' OR 1=1 --",
		"\u00ff\u00fe",
		key.replace("gw_dev_", "gw_prod_"),
		`${key}, ${key}`,
		...changed,
	];
}

/** Everything that can be done to a message, by name. */
export function changesOf({ members }: World, opsToken: string): Record<string, Change> {
	const ofText = Object.entries(TEXT).map(([name, change]): [string, Change] => [
		name,
		(message, random) => {
			if (message.text !== null) message.text = change(message.text, random);
		},
	]);
	const ofBytes = Object.entries(BYTES).map(([name, change]): [string, Change] => [
		name,
		(message, random) => {
			const body = Buffer.from(message.body ?? message.text ?? "");
			if (body.length > 0) message.body = new Uint8Array(change(body, random));
		},
	]);
	const ofPath = Object.entries(PATH).map(([name, change]): [string, Change] => [
		name,
		(message, random) => {
			const path = change(message.path, random);
			message.path = path.startsWith("/") ? path : `/${path}`;
		},
	]);
	const ofHeaders = Object.entries(HEADERS).map(([name, values]): [string, Change] => [
		name,
		(message, random) => {
			message.headers = [...withoutHeader(message, name), [name, one(random, values)]];
		},
	]);
	return {
		...Object.fromEntries([...ofText, ...ofBytes, ...ofPath, ...ofHeaders]),
		method: (message, random) => {
			message.method = one(random, ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
		},
		"parameter repeated": ({ query }, random) => {
			if (query.length > 0) query.push([...one(random, query)]);
		},
		"parameter emptied": ({ query }, random) => {
			if (query.length > 0) one(random, query)[1] = "";
		},
		"bad escape in the query": ({ query }, random) => {
			query.push([one(random, ["p_code", "x", "status"]), one(random, BAD_ESCAPES)]);
		},
		"very many parameters": ({ query }, random) => {
			const count = one(random, [100, 2000]);
			for (let i = 0; i < count; i++) query.push([`f${i}`, ""]);
		},
		"no credentials": (message) => withCredential(message),
		"another partner's key as well": (message, random) =>
			void message.headers.push(["x-gw", one(random, members).key]),
		"wrong key": (message, random) =>
			withCredential(message, ["x-gw", one(random, wrongKeys(message.member?.key ?? "gw_dev_"))]),
		"wrong token": (message, random) => {
			const tokens = ["", "Bearer", `Bearer ${opsToken.slice(1)}`, `Bearer ${opsToken} x`, opsToken];
			withCredential(message, ["Authorization", one(random, tokens)]);
		},
		"key for token, token for key": (message, random) =>
			withCredential(message, ["Authorization", `Bearer ${one(random, members).key}`], ["x-gw", opsToken]),
	};
}
