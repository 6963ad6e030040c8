import type { Draft, Mutation } from "./draft.ts";
import { one } from "./values.ts";

/* What is sent in the place of a field, or beside it. Each changes one thing. */

type Fields = Record<string, unknown>;

const PROTOTYPE_NAMES = [
	"__proto__",
	"constructor",
	"prototype",
	"toString",
	"hasOwnProperty",
	"__defineGetter__",
];
const WRONG_TYPES: unknown[] = [null, true, 0, -1, 1.5, 2 ** 53, 1e308, [], ["x"], {}, { x: 1 }, "", [[[]]]];
const LENGTHS = [1, 15, 16, 17, 32, 33, 63, 64, 65, 99, 100, 101, 127, 128, 129, 254, 255, 256, 2048, 8001];
const SQL = [
	"'; DROP TABLE purchase_codes; --",
	"' OR '1'='1",
	'" UNION SELECT hash FROM api_keys --',
	"%",
	"_",
];
const NUMBERS = [0, -0, 1, 500, 501, -1, 1.5, 2 ** 31, 2 ** 53 + 2, 1e308, 0.1 + 0.2];

/** Pieces that change what a text means to one reader and not to another. */
const PIECES: Record<string, string[]> = {
	"control character": ["\u0000", "\u0007", "\u001b[31m", "\u007f", "\u0085", "\r\n", "\t"],
	"lone surrogate": ["\ud800", "\udfff", "\udc00\ud800"],
	"zero width": ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad"],
	"right to left": ["\u202e", "\u2067", "\u200f", "אבג"],
	"line separator": ["\u2028", "\u2029"],
	"outside the plane": ["🂡", "👩‍👩‍👧", "\u{10ffff}"],
	combining: ["e\u0301", "\u0300".repeat(50), "n\u0303"],
};

/** Letters of other alphabets that look like these. */
const HOMOGLYPHS: Record<string, string> = {
	a: "а",
	e: "е",
	o: "о",
	c: "с",
	p: "р",
	x: "х",
	K: "\u212a",
	"-": "‐",
};
const ZEROS = ["\u0660", "\u0966", "\uff10", "\u{1d7ce}"];

export const FIELD_MUTATIONS: Mutation[] = [
	onFields("field dropped", (fields, name) => delete fields[name]),
	onFields("field of another type", (fields, name, random) => {
		fields[name] = one(random, WRONG_TYPES);
	}),
	onFields("field added", (fields, _name, random) => {
		fields[one(random, ["x", "PIN", "a.b", "$where", " ", "p_code", "suspended", "n".repeat(200)])] = "y";
	}),
	onFields("prototype's name as field", (fields, _name, random) => {
		const value = { mode: "B2B", suspended: false };
		Object.defineProperty(fields, one(random, PROTOTYPE_NAMES), {
			value,
			enumerable: true,
			writable: true,
			configurable: true,
		});
	}),
	onFields("many fields", (fields) => {
		for (let i = 0; i < 500; i++) fields[`f${i}`] = i;
	}),
	onFields("number at an edge", (fields, name, random) => {
		fields[name] = one(random, NUMBERS);
	}),
	onFields("fields exchanged", (fields, name, random) => {
		const other = one(random, Object.keys(fields));
		[fields[name], fields[other]] = [fields[other], fields[name]];
	}),
	onFields("a large picture", (fields, _name, random) => {
		const size = one(random, [100_000, 4 * 1024 * 1024, 4 * 1024 * 1024 + 1]);
		const picture = Buffer.alloc(size);
		picture.set([0xff, 0xd8, 0xff]);
		fields.dniFront = picture.toString("base64");
	}),
	onText("length at an edge", (_text, random) =>
		one(random, ["x", "1", "é", "🂡", " "]).repeat(one(random, LENGTHS)),
	),
	onText("SQL", (_text, random) => one(random, SQL)),
	onText("empty", () => ""),
	onText("case", (text) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())),
	onText("NFD", (text) => text.normalize("NFD")),
	onText("NFKD", (text) => text.normalize("NFKD")),
	onText("homoglyph", (text) => [...text].map((letter) => HOMOGLYPHS[letter] ?? letter).join("")),
	onText("digits of another script", (text, random) => {
		const zero = one(random, ZEROS).codePointAt(0)!;
		return text.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));
	}),
	onText("character changed", (text, random) => {
		const place = Math.floor(random() * text.length);
		return `${text.slice(0, place)}${one(random, [..."0K-.@+/ xñ'\\%<"])}${text.slice(place + 1)}`;
	}),
	onText("character removed", (text, random) => {
		const place = Math.floor(random() * text.length);
		return text.slice(0, place) + text.slice(place + 1);
	}),
	onText("twice", (text) => text + text),
	onText("blank around", (text) => ` ${text}\n`),
	...Object.entries(PIECES).map(([name, pieces]) =>
		onText(name, (text, random) => {
			const place = Math.floor(random() * (text.length + 1));
			return text.slice(0, place) + one(random, pieces) + text.slice(place);
		}),
	),
];

function onFields(
	name: string,
	change: (fields: Fields, field: string, random: () => number) => void,
): Mutation {
	return {
		name,
		layer: "fields",
		apply({ fields }: Draft, random) {
			if (typeof fields !== "object" || fields === null) return false;
			const names = Object.keys(fields);
			change(fields as Fields, names.length > 0 ? one(random, names) : "x", random);
			return true;
		},
	};
}

/** Of a text field, or of a parameter's text where there are no fields. */
function onText(name: string, change: (text: string, random: () => number) => string): Mutation {
	return {
		name,
		layer: "fields",
		apply(draft: Draft, random) {
			const { fields, query } = draft;
			if (typeof fields === "object" && fields !== null) {
				const texts = Object.entries(fields).filter(([, value]) => typeof value === "string");
				const [field, text] = one(random, texts) ?? [];
				if (field === undefined) return false;
				(fields as Fields)[field] = change(text as string, random);
				return true;
			}
			if (query.length > 0) {
				const pair = one(random, query);
				pair[1] = encode(change(safelyDecoded(pair[1]), random));
				return true;
			}
			const segments = draft.path.split("/");
			const last = segments.length - 1;
			segments[last] = encode(change(safelyDecoded(segments[last]!), random));
			draft.path = segments.join("/");
			return true;
		},
	};
}

/** `encodeURIComponent`, also of lone surrogates, as the octets that UTF-8 would have for them. */
function encode(text: string): string {
	return Array.from(text, (character) =>
		/[\ud800-\udfff]/.test(character) && character.length === 1 ? "%ED%A0%80" : encodeURIComponent(character),
	).join("");
}

function safelyDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
