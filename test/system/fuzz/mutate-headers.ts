import type { Draft, Mutation } from "./draft.ts";
import { one } from "./values.ts";
import type { World } from "./world.ts";

/* Headers that are wrong, hostile, or there twice. Values are Latin-1: one octet a character. */

const TYPES = [
	...[
		"",
		"text/plain",
		"text/json",
		"application/jsonx",
		"application/xml",
		"multipart/form-data",
		"json",
		"*/*",
		";",
		"\u00e9",
	],
	...[
		"application/json;",
		"application/json; charset=utf-16",
		"application/json; charset=latin1",
		"APPLICATION/JSON",
	],
	...[
		"application/json;;",
		"application/json; charset",
		"application/json\t; v=1",
		"application/vnd.api+json",
	],
];
const REQUEST_IDS = [
	...[
		"",
		" ",
		"two words",
		"a,b",
		'{"a":1}',
		"<script>alert(1)</script>",
		"\u00f1\u00ff",
		"../../etc",
		"%0d%0aX-A:1",
	],
	...["x".repeat(255), "x".repeat(256), "x".repeat(8000), "order-1001", "A_b=9", "null", "%{jndi:ldap://x}"],
];
const LANGUAGES = [
	...["es", "es-CL,es;q=0.9", "en;q=0.1,es;q=0.2", "es;q=NaN", "es;q=2", "*", "\u00ff;q=1", ";;;", ",,,,"],
	...[`${"es;q=0.1,".repeat(700)}en`, "es;q=0.".repeat(900), "x".repeat(8000), "es\t;\tq=1"],
];
const IDEMPOTENCY_KEYS = [
	...[
		"",
		'""',
		'"a b"',
		"a b",
		"\u00ff",
		"k".repeat(255),
		"k".repeat(256),
		'"',
		'"unclosed',
		"\u0001",
		"same-key",
	],
	...["same-key", "same-key", '"same-key"', "__proto__", "' OR 1=1 --", "a,b"],
];
const HARMLESS: [string, string][] = [
	...([
		["Accept", "text/html"],
		["Accept", "application/xml;q=1"],
		["Accept-Encoding", "gzip, br"],
	] as [string, string][]),
	...([
		["X-Forwarded-For", "127.0.0.1"],
		["X-Forwarded-Host", "evil.example"],
		["Forwarded", "for=evil"],
	] as [string, string][]),
	...([
		["X-HTTP-Method-Override", "DELETE"],
		["X-Original-URL", "/ops/v1/partners"],
	] as [string, string][]),
	...([
		["CF-Connecting-IP", "127.0.0.1"],
		["CF-Worker", "x"],
		["Cookie", "a=b; __proto__=1"],
	] as [string, string][]),
	...([
		["Range", "bytes=0-1"],
		["If-None-Match", "*"],
		["If-Modified-Since", "x"],
	] as [string, string][]),
	...([
		["Origin", "https://evil.example"],
		["Access-Control-Request-Method", "PUT"],
	] as [string, string][]),
	...([
		["Upgrade-Insecure-Requests", "1"],
		["Expect", "something"],
		["Trailer", "x-gw"],
	] as [string, string][]),
	...([
		["X-Long", "y".repeat(30_000)],
		["Idempotency-Replayed", "true"],
		["Transfer-Mode", "x"],
	] as [string, string][]),
];

export function headerMutations(world: World): Mutation[] {
	return [
		set("content type", "Content-Type", () => TYPES),
		set("request id", "x-request-id", () => REQUEST_IDS),
		set("language", "Accept-Language", () => LANGUAGES),
		set("idempotency key", "Idempotency-Key", () => IDEMPOTENCY_KEYS),
		headers("another header", (draft, random) => void draft.headers.push(one(random, HARMLESS))),
		headers("many headers", (draft) => {
			for (let i = 0; i < 150; i++) draft.headers.push([`X-Many-${i}`, "y"]);
		}),
		headers("a header twice", (draft, random) => void draft.headers.push([...one(random, draft.headers)])),
		headers("no credentials", dropCredentials),
		headers("credentials twice", (draft) => {
			const own = draft.headers.find(([name]) => isCredential(name));
			if (own) draft.headers.push([own[0].toUpperCase(), own[1]]);
		}),
		headers("another partner's key beside", (draft, random) => {
			draft.headers.push(["x-gw", one(random, world.members).key]);
		}),
		headers("wrong key", (draft, random) => {
			const [, key = "gw_dev_"] = draft.headers.find(([name]) => name === "x-gw") ?? [];
			dropCredentials(draft);
			draft.headers.push(["x-gw", one(random, wrongKeys(key, world))]);
		}),
		headers("wrong token", (draft, random) => {
			dropCredentials(draft);
			draft.headers.push(["Authorization", one(random, wrongTokens(world.opsToken))]);
		}),
		headers("key for token, token for key", (draft, random) => {
			const { key } = one(random, world.members);
			dropCredentials(draft);
			draft.headers.push(["Authorization", `Bearer ${key}`], ["x-gw", world.opsToken]);
		}),
		headers("other host", (draft, random) => {
			const hosts = [
				"evil.example",
				"localhost:1",
				"[::1]",
				"a b",
				"service.test, evil",
				"x".repeat(300),
				"\u00e9",
			];
			draft.headers = draft.headers.map(([name, value]) =>
				name === "Host" ? [name, one(random, hosts)] : [name, value],
			);
		}),
	];
}

/** Forms that look like this key and are not; dead ones among them. */
function wrongKeys(key: string, { deadKeys }: World): string[] {
	return [
		...[
			"",
			" ",
			key.slice(0, -1),
			`${key}0`,
			key.toLowerCase(),
			key.replace("gw_dev_", "gw_prod_"),
			`Bearer ${key}`,
		],
		...[
			`${key}, ${key}`,
			`"${key}"`,
			"' OR 1=1 --",
			"x".repeat(8000),
			"\u00ff\u00fe",
			key.replace(/.$/, "U"),
		],
		...deadKeys,
	];
}

function wrongTokens(token: string): string[] {
	return [
		...[
			"",
			"Bearer",
			"Bearer ",
			`Basic ${Buffer.from(`ops:${token}`).toString("base64")}`,
			token,
			`bearer ${token}`,
		],
		...[
			`Bearer ${token.slice(1)}`,
			`Bearer ${token} x`,
			`Bearer  ${token}`,
			`Bearer ${token}, Bearer ${token}`,
		],
		...[`Bearer ${"x".repeat(8000)}`, "Bearer \u00ff", "Bearer null", `Token ${token}`, `BEARER\t${token}`],
	];
}

function isCredential(name: string): boolean {
	return ["x-gw", "authorization"].includes(name.toLowerCase());
}

function dropCredentials(draft: Draft): void {
	draft.headers = draft.headers.filter(([name]) => !isCredential(name));
}

function headers(name: string, apply: (draft: Draft, random: () => number) => void): Mutation {
	return {
		name,
		layer: "headers",
		apply(draft, random) {
			apply(draft, random);
			return true;
		},
	};
}

function set(name: string, header: string, values: () => string[]): Mutation {
	return headers(name, (draft, random) => {
		draft.headers = draft.headers.filter(([known]) => known.toLowerCase() !== header.toLowerCase());
		draft.headers.push([header, one(random, values())]);
	});
}
