import { type Call, type Change, one, type Random } from "./call.ts";
import type { Fixtures } from "./fixtures.ts";
import { ROLES, roleToken } from "./role-tokens.ts";

/* Headers that are wrong, hostile, or there twice. Values are Latin-1: one byte a character. A line is a value. */

const lines = (text: string) => text.trim().split("\n");
const repeated = [255, 256, 8000].map((length) => "x".repeat(length));

const VALUES: Record<string, [header: string, values: string[]]> = {
	"content type": [
		"Content-Type",
		[
			...["", "\u00e9", "application/json\t; v=1"],
			...lines(`
text/plain
text/json
application/jsonx
application/xml
multipart/form-data
json
*/*
;
application/json;
application/json; charset=utf-16
application/json; charset=latin1
APPLICATION/JSON
application/json;;
application/json; charset
application/vnd.api+json`),
		],
	],
	"request id": [
		"x-request-id",
		[
			...["", " ", "\u00f1\u00ff", "../../etc", ...repeated],
			...lines(`
two words
a,b
{"a":1}
<script>alert(1)</script>
%0d%0aX-A:1
order-1001
A_b=9
null
%{jndi:ldap://x}`),
		],
	],
	language: [
		"Accept-Language",
		[
			..."es es-CL,es;q=0.9 en;q=0.1,es;q=0.2 es;q=NaN es;q=2 * \u00ff;q=1 ;;; ,,,,".split(" "),
			...[`${"es;q=0.1,".repeat(700)}en`, "es;q=0.".repeat(900), "x".repeat(8000), "es\t;\tq=1"],
		],
	],
	"idempotency key": [
		"Idempotency-Key",
		[
			...["", '""', '"a b"', "a b", "\u00ff", '"', '"unclosed', "\u0001", "' OR 1=1 --", "a,b", ...repeated],
			...'same-key same-key same-key same-key "same-key" __proto__'.split(" "),
		],
	],
};

const OTHER = lines(`
Accept: text/html
Accept: application/xml;q=1
Accept-Encoding: gzip, br
X-Forwarded-For: 127.0.0.1
X-Forwarded-Host: evil.example
Forwarded: for=evil
X-HTTP-Method-Override: DELETE
X-Original-URL: /ops/v1/partners
CF-Connecting-IP: 127.0.0.1
CF-Worker: x
Cookie: a=b; __proto__=1
Range: bytes=0-1
If-None-Match: *
If-Modified-Since: x
Origin: https://evil.example
Access-Control-Request-Method: PUT
Upgrade-Insecure-Requests: 1
Expect: something
Trailer: x-gw
Idempotency-Replayed: true
Transfer-Mode: x
X-Long: ${"y".repeat(30_000)}`).map((line) => line.split(": ") as [string, string]);

const HOSTS = [
	"evil.example",
	"localhost:1",
	"[::1]",
	"a b",
	"service.test, evil",
	"x".repeat(300),
	"\u00e9",
];

/** @param fixtures - whose keys and token are sent where they do not belong. */
export function headerChanges(fixtures: Pick<Fixtures, "members" | "opsToken" | "deadKeys">): Change[] {
	const { members, opsToken, deadKeys } = fixtures;
	return [
		...Object.entries(VALUES).map(([name, [header, values]]) =>
			headers(name, (call, random) => {
				call.headers = call.headers.filter(([known]) => known.toLowerCase() !== header.toLowerCase());
				call.headers.push([header, one(random, values)]);
			}),
		),
		headers("another header", (call, random) => void call.headers.push([...one(random, OTHER)])),
		headers("many headers", (call) => {
			for (let i = 0; i < 150; i++) call.headers.push([`X-Many-${i}`, "y"]);
		}),
		headers("a header twice", (call, random) => void call.headers.push([...one(random, call.headers)])),
		headers("no credentials", dropCredentials),
		headers("credentials twice", (call) => {
			const own = call.headers.find(([name]) => isCredential(name));
			if (own) call.headers.push([own[0].toUpperCase(), own[1]]);
		}),
		headers("another partner's key as well", (call, random) => {
			call.headers.push(["x-gw", one(random, members).key]);
		}),
		headers("wrong key", (call, random) => {
			const [, key = "gw_dev_"] = call.headers.find(([name]) => name === "x-gw") ?? [];
			dropCredentials(call);
			call.headers.push(["x-gw", one(random, [...wrongKeys(key), ...deadKeys])]);
		}),
		headers("wrong token", (call, random) => {
			dropCredentials(call);
			call.headers.push(["Authorization", one(random, wrongTokens(opsToken))]);
		}),
		headers("a token of one role", (call, random) => {
			dropCredentials(call);
			call.headers.push(["Authorization", `Bearer ${roleToken(opsToken, one(random, ROLES))}`]);
		}),
		headers("key for token, token for key", (call, random) => {
			dropCredentials(call);
			call.headers.push(["Authorization", `Bearer ${one(random, members).key}`], ["x-gw", opsToken]);
		}),
		headers("other host", (call, random) => {
			const host = one(random, HOSTS);
			call.headers = call.headers.map(([name, value]) => [name, name === "Host" ? host : value]);
		}),
	];
}

/** Forms that look like this key and are not. */
function wrongKeys(key: string): string[] {
	const changed = [key.slice(0, -1), `${key}0`, key.toLowerCase(), key.replace(/.$/, "U")];
	const wrapped = [key.replace("gw_dev_", "gw_prod_"), `Bearer ${key}`, `${key}, ${key}`, `"${key}"`];
	return ["", " ", "' OR 1=1 --", "x".repeat(8000), "\u00ff\u00fe", ...changed, ...wrapped];
}

function wrongTokens(token: string): string[] {
	const basic = `Basic ${Buffer.from(`ops:${token}`).toString("base64")}`;
	return [
		...["", "Bearer", "Bearer ", `Bearer ${"x".repeat(8000)}`, "Bearer \u00ff", "Bearer null", basic, token],
		...[`bearer ${token}`, `Bearer ${token.slice(1)}`, `Bearer ${token} x`, `Bearer  ${token}`],
		...[`Bearer ${token}, Bearer ${token}`, `Token ${token}`, `BEARER\t${token}`],
	];
}

function isCredential(name: string): boolean {
	return ["x-gw", "authorization"].includes(name.toLowerCase());
}

function dropCredentials(call: Call): void {
	call.headers = call.headers.filter(([name]) => !isCredential(name));
}

function headers(name: string, apply: (call: Call, random: Random) => void): Change {
	return {
		name,
		layer: "headers",
		apply(call, random) {
			apply(call, random);
			return true;
		},
	};
}
