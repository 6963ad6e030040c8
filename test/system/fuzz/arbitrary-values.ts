import fc from "fast-check";
import { anyText } from "../../support/holds.ts";
import type { Schema } from "../../support/json-schema.ts";

/* JSON values by their schema, at its edges, and without regard to it. */

const TEXT_MAX = 60;
const ITEMS_MAX = 3;

/** Values that a schema takes. @param deref - follows a `$ref`. */
export function valid(given: Schema, deref: (schema: Schema) => Schema): fc.Arbitrary<unknown> {
	const schema = deref(given);
	const inner = (part: Schema) => valid(part, deref);
	const either = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
	if (either) return fc.oneof(...either.map(inner));
	if (schema.const !== undefined) return fc.constant(schema.const);
	if (schema.enum) return fc.constantFrom(...schema.enum);
	const types = [schema.type ?? "string"].flat();
	return fc.oneof(...types.map((type) => ofType(type, schema, inner)));
}

function ofType(type: string, schema: Schema, inner: (part: Schema) => fc.Arbitrary<unknown>) {
	const { minimum = 0, maximum = minimum + 1000, properties = {}, required = [] } = schema;
	switch (type) {
		case "null":
			return fc.constant(null);
		case "boolean":
			return fc.boolean();
		case "integer":
		case "number":
			return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) });
		case "array":
			return fc.array(schema.items ? inner(schema.items as Schema) : fc.jsonValue(), {
				minLength: schema.minItems ?? 0,
				maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? ITEMS_MAX, ITEMS_MAX)),
			});
		case "object": {
			const fields = Object.entries(properties as Record<string, Schema>);
			return fc.record(Object.fromEntries(fields.map(([name, part]) => [name, inner(part)])), {
				requiredKeys: required,
			});
		}
		default:
			return text(schema);
	}
}

function text({
	format,
	pattern,
	example,
	minLength = 0,
	maxLength = TEXT_MAX,
}: Schema & { example?: unknown }) {
	const plain = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, TEXT_MAX)) });
	const shown = typeof example === "string" ? fc.constant(example) : plain;
	if (format === "email") return fc.oneof(fc.emailAddress(), shown);
	if (format === "date-time")
		return fc.oneof(
			fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
			shown,
		);
	if (format === "uri") return fc.oneof(fc.webUrl(), shown);
	if (format === "byte") return fc.oneof(fc.base64String({ maxLength: 200 }), shown);
	if (pattern === undefined) return fc.oneof(plain, shown);
	try {
		return fc.oneof(fc.stringMatching(new RegExp(pattern, "u")), shown);
	} catch {
		// fast-check makes no text for look-aheads.
		return shown;
	}
}

/** Values one step outside of a schema's bounds, or of another type. */
export function edge({ minimum, maximum, maxLength, maxItems }: Schema): fc.Arbitrary<unknown> {
	const edges: unknown[] = [null, "", 0, -1, 1.5, true, [], {}];
	if (minimum !== undefined) edges.push(minimum - 1);
	if (maximum !== undefined) edges.push(maximum + 1, maximum);
	if (maxLength !== undefined)
		edges.push("x".repeat(maxLength), "x".repeat(maxLength + 1), "🂡".repeat(maxLength));
	if (maxItems !== undefined) edges.push(Array(maxItems + 1).fill("x"));
	return fc.constantFrom(...edges);
}

const LENGTHS = [1, 15, 16, 17, 32, 33, 63, 64, 65, 99, 100, 101, 127, 128, 129, 254, 255, 256, 2048, 8001];
const NUMBERS = [-0, 500, 501, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 1e308, 0.1 + 0.2];
const SQL = [
	"'; DROP TABLE purchase_codes; --",
	"' OR '1'='1",
	'" UNION SELECT hash FROM api_keys --',
	"%",
	"_",
];
const JPEG_SIZES = [100_000, 4 * 1024 * 1024, 4 * 1024 * 1024 + 1];

/** Any JSON value there is, and some that readers stumble over. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
	fc.jsonValue({ maxDepth: 4 }),
	anyText,
	fc.constantFrom<unknown>(...NUMBERS, ...SQL),
	fc
		.tuple(fc.constantFrom("x", "1", "é", "🂡", " "), fc.constantFrom(...LENGTHS))
		.map(([c, n]) => c.repeat(n)),
);

/** A picture up to one byte over its limit. */
export const largePicture = fc.constantFrom(...JPEG_SIZES).map((size) => {
	const picture = Buffer.alloc(size);
	picture.set([0xff, 0xd8, 0xff]);
	return picture.toString("base64");
});

/** Pieces that change what a text means to one reader and not to another. */
export const PIECES = [
	..."0Kk-.@+/ xñ'\\%<",
	..."\u0000\u0007\u007f\u0085\t\ud800\udfff\u200b\u200d\u2060\ufeff\u00ad\u202e\u2067\u200f\u2028\u2029",
	...[
		"",
		"\r\n",
		"\u001b[31m",
		"\udc00\ud800",
		"אבג",
		"🂡",
		"👩‍👩‍👧",
		"\u{10ffff}",
		"e\u0301",
		"\u0300".repeat(50),
	],
];

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
const inScript = (text: string, zero: number) =>
	text.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** Changes of a whole good text. */
export const TEXT_CHANGES: Record<string, (text: string) => string> = {
	case: (text) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()),
	NFD: (text) => text.normalize("NFD"),
	NFKD: (text) => text.normalize("NFKD"),
	homoglyphs: (text) => [...text].map((letter) => HOMOGLYPHS[letter] ?? letter).join(""),
	"Arabic digits": (text) => inScript(text, 0x660),
	"wide digits": (text) => inScript(text, 0xff10),
	"mathematical digits": (text) => inScript(text, 0x1d7ce),
	doubled: (text) => text + text,
	padded: (text) => ` ${text}\n`,
};

/** Names of fields and parameters that the document does not have. */
export const OTHER_NAMES = [
	..."x PIN a.b $where P_CODE p_code[] limit[$gt] suspended callback _method".split(" "),
	..."__proto__ constructor prototype toString hasOwnProperty __defineGetter__ __proto__[mode]".split(" "),
	...[" ", "n".repeat(200)],
];
