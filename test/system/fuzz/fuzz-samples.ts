import { env } from "cloudflare:workers";
import { authority } from "../../support/pki.ts";
import { call } from "../../support/service.ts";
import type { Call, Exchange } from "./call.ts";
import { Described } from "./described.ts";
import { Fixtures, type Member } from "./fixtures.ts";
import { judge } from "./judge.ts";

/* Calls and answers made by hand, for the judge of the fuzz: two partners, each with a code and a batch. */

const authorization = `Bearer ${env.OPS_TOKEN}`;
const documents = [
	(await call("GET", "/openapi.json")).body,
	(await call("GET", "/ops/openapi.json", { headers: { authorization } })).body,
];
const described = new Described(documents, authority.keyId);
export const fixtures = new Fixtures("0123456789abcdef0123456789abcdef");
export const own = member("mkaaaaaaaazz", "gw_dev_0000000000000000000000000000000A");
const other = member("mkbbbbbbbbzz", "gw_dev_0000000000000000000000000000000B");
export const OWN_CODE = "7K3M-9QXT-2B4C-H8WD";
export const OTHERS_CODE = "9B2C-4D6F-8H1J-K3MN";
fixtures.addBatch(own, `bt_${"1".repeat(32)}`, [OWN_CODE]);
fixtures.addBatch(other, `bt_${"2".repeat(32)}`, [OTHERS_CODE]);
export const secrets = ["c2VjcmV0LXZhbHVlLW9mLXRoZS1zZXR0aW5ncw=="];
const bench = { described, fixtures, secrets, logs: [], room: () => 0 };

function member(marker: string, key: string): Member {
	const made: Member = {
		marker,
		key,
		id: `pt_${marker}`,
		settings: {},
		codes: [],
		batches: [],
		references: [],
	};
	fixtures.members.push(made);
	return made;
}

export const HEADERS: Record<string, string> = {
	"content-type": "application/json",
	"x-request-id": "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11",
	"x-content-type-options": "nosniff",
	"strict-transport-security": "max-age=15552000",
	"x-frame-options": "SAMEORIGIN",
	"referrer-policy": "no-referrer",
	"cross-origin-resource-policy": "same-origin",
	"cache-control": "no-store",
	"ratelimit-policy": '"calls";q=600;w=60',
	ratelimit: '"calls";r=599;t=60',
};

/** A call of an operation, or of nothing that the document has. */
export function asked(operation: string, change: Partial<Call> = {}): Call {
	const [method, path] = operation.split(" ") as [string, string];
	return {
		operation: described.operations.find((one) => one.method === method && one.path === path) ?? null,
		caller: own,
		method,
		path,
		query: [],
		headers: [["x-gw", own.key]],
		fields: undefined,
		text: null,
		body: null,
		framing: { kind: "length" },
		...change,
	};
}

/** Judges an answer. */
export function faults(
	call: Call,
	status: number,
	body: unknown,
	headers: Record<string, string | null> = {},
	change: Partial<Exchange> = {},
): string[] {
	const all = Object.entries({ ...HEADERS, ...headers }).filter(([, value]) => value !== null);
	const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
	return judge(
		{
			call,
			applied: [],
			bent: { line: false, headers: false, wire: false },
			bytes: Buffer.from(""),
			outcome: { status, headers: all as [string, string][], body: bytes, ms: 5 },
			...change,
		},
		bench,
	);
}
