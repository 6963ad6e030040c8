import fc from "fast-check";
import type { Schema } from "../../support/json-schema.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { edge, hostile, largePicture, OTHER_NAMES, PIECES, TEXT_CHANGES, valid } from "./arbitrary-values.ts";
import { type Call, one } from "./call.ts";
import type { Described, Operation } from "./described.ts";
import { CODE_STATES, type CodeState, type Fixtures } from "./fixtures.ts";
import { goodValue, isWanted, pickIdentity, type Subject } from "./good-values.ts";

/*
 * Calls by the OpenAPI document, as fast-check draws and shrinks them. A plan names codes, partners and ids by their
 * place: which text stands there, only the service under test knows.
 */

/** Value of a field or parameter in place of a good one. */
type Instead =
	| { as: "absent" }
	| { as: "good" }
	| { as: "value"; value: unknown }
	| { as: "changed"; how: string }
	| { as: "spliced"; at: number; dropped: number; piece: string };

export interface CallPlan {
	/** Method and path with `{parameters}`, or a path that the document does not have. */
	target: string;
	/** Seed of the random numbers that good values are drawn from. */
	seed: number;
	state: CodeState;
	/** About another partner's code, which it must not reach. */
	othersCode: boolean;
	fields: [name: string, instead: Instead][];
	changes: { name: string; seed: number }[];
	/** Sent twice at the same moment. */
	twice: boolean;
}

/** Frequency of partner operations relative to those of ops. */
const PARTNER_WEIGHT = 5;
const NOTHING = [
	..."/ /docs/ /docs/index.html /nothing /.env /.dev.vars /wrangler.toml /api/partners/v2/status".split(" "),
	..."/api/partner/v1/pcode/x /ops /ops/v1/ /pki/ /pki/nothing.crl /cdn-cgi/trace /favicon.ico".split(" "),
	..."/robots.txt /__scheduled?cron=* /cdn-cgi/handler/scheduled".split(" "),
];
const OCSP = "/pki/ocsp";

const seed = fc.noBias(fc.nat());
const rarely = (weight: number) =>
	fc.oneof({ weight: 100 - weight, arbitrary: fc.constant(false) }, { weight, arbitrary: fc.constant(true) });

/** @param changes - names of what can be done to a message. */
export function arbitraryCalls(described: Described, changes: readonly string[]): fc.Arbitrary<CallPlan> {
	const changesOf = fc.array(fc.record({ name: fc.constantFrom(...changes), seed }), {
		minLength: 1,
		maxLength: 3,
	});
	const rest = {
		seed,
		changes: fc.oneof(
			{ weight: 6, arbitrary: fc.constant<CallPlan["changes"]>([]) },
			{ weight: 4, arbitrary: changesOf },
		),
		twice: rarely(3),
	};
	const undocumented = [...Object.keys(described.undocumented), OCSP, OCSP, ...NOTHING];
	return fc.oneof(
		...described.operations.map((operation) => ({
			weight: 3 * (operation.path.startsWith("/ops/") ? 1 : PARTNER_WEIGHT),
			arbitrary: fc.record({
				target: fc.constant(`${operation.method} ${operation.path}`),
				state: fc.constantFrom(...statesFor(operation.path)),
				othersCode: rarely(5),
				fields: fieldsOf(operation, described),
				...rest,
			}),
		})),
		{
			weight: 15,
			arbitrary: fc.record({
				target: fc.constantFrom(...undocumented),
				state: fc.constant("fresh" as const),
				othersCode: fc.constant(false),
				fields: fc.constant<CallPlan["fields"]>([]),
				...rest,
			}),
		},
	);
}

function fieldsOf(operation: Operation, { deref }: Described): fc.Arbitrary<CallPlan["fields"]> {
	const schemas: Record<string, Schema> = Object.fromEntries([
		...operation.parameters.map(({ name, schema }) => [name, schema]),
		...Object.entries(operation.body?.properties ?? {}),
	]);
	const instead = Object.entries(schemas).map(([name, schema]) =>
		fc.tuple(fc.constant(name), insteadOf(name, schema, deref)),
	);
	const added = fc.tuple(fc.constantFrom(...OTHER_NAMES), asValue(fc.jsonValue({ maxDepth: 1 })));
	const some = fc.array(fc.oneof(...instead, added), { minLength: 1, maxLength: 3 });
	return fc.oneof(
		{ weight: 5, arbitrary: fc.constant<CallPlan["fields"]>([]) },
		{ weight: 5, arbitrary: some },
	);
}

function insteadOf(name: string, schema: Schema, deref: (schema: Schema) => Schema): fc.Arbitrary<Instead> {
	return fc.oneof(
		{ weight: 3, arbitrary: asValue(valid(schema, deref)) },
		{ weight: 2, arbitrary: asValue(edge(deref(schema))) },
		{ weight: 2, arbitrary: asValue(hostile) },
		{ weight: name === "dniFront" ? 1 : 0, arbitrary: asValue(largePicture) },
		{ weight: 2, arbitrary: fc.constantFrom<Instead>({ as: "absent" }, { as: "good" }) },
		{
			weight: 2,
			arbitrary: fc.record({
				as: fc.constant("changed" as const),
				how: fc.constantFrom(...Object.keys(TEXT_CHANGES)),
			}),
		},
		{
			weight: 3,
			arbitrary: fc.record({
				as: fc.constant("spliced" as const),
				at: fc.nat(30),
				dropped: fc.nat(1),
				piece: fc.constantFrom(...PIECES),
			}),
		},
	);
}

function asValue(value: fc.Arbitrary<unknown>): fc.Arbitrary<Instead> {
	return fc.record({ as: fc.constant("value" as const), value });
}

/** The states of a code that lead deep into an operation, and now and then any other. */
function statesFor(path: string): CodeState[] {
	const rare: CodeState[] = ["emitted", "cancelled", "blocked", "locked", "expired"];
	const many = (state: CodeState, n: number) => Array<CodeState>(n).fill(state);
	if (path.endsWith("/certificate_request")) return [...many("fresh", 8), ...many("validated", 2), ...rare];
	if (path.endsWith("/certificate_claim")) return [...many("validated", 6), "fresh", ...rare];
	if (path.includes("/certificates/")) return ["emitted"];
	if (path.includes("/evidence/")) return ["validated", "emitted"];
	return ["fresh", "validated", ...rare];
}

/** The call that a plan is, with what the service has now. @param ocspRequests - DER of good ones. */
export function callOf(
	plan: CallPlan,
	described: Described,
	fixtures: Fixtures,
	ocspRequests: readonly Buffer[],
): Call {
	const random = seededRandom(plan.seed);
	const operation = described.operations.find(({ method, path }) => `${method} ${path}` === plan.target);
	if (!operation) return undocumentedCall(plan.target, random, ocspRequests);
	const member = one(random, fixtures.members);
	const owner = plan.othersCode ? one(random, fixtures.members) : member;
	const state = plan.othersCode ? one(random, CODE_STATES) : plan.state;
	const code = fixtures.pickCode(owner, state, random);
	const identity = code?.identity && random() < 0.8 ? code.identity : pickIdentity(random);
	return documentedCall(plan, described, { fixtures, operation, member, code, identity, random });
}

function documentedCall({ fields: changed, seed }: CallPlan, { deref }: Described, subject: Subject): Call {
	const { operation, member, fixtures } = subject;
	const isOps = operation.path.startsWith("/ops/");
	const instead = new Map(changed);
	const sent = (name: string, schema: Schema, required: boolean): unknown => {
		const { as, ...other } = instead.get(name) ?? {
			as: required || isWanted(name, subject) ? "good" : "absent",
		};
		if (as === "absent") return undefined;
		if (as === "value") return (other as { value: unknown }).value;
		const good = goodValue(name, subject) ?? sample(valid(schema, deref), seed);
		return as === "good" || typeof good !== "string" ? good : changedText(good, { as, ...other } as Instead);
	};
	const call: Call = {
		operation,
		caller: isOps ? ("ops" as const) : member,
		method: operation.method,
		path: operation.path,
		query: [],
		headers: [
			["Host", "service.test"],
			isOps ? ["Authorization", `Bearer ${fixtures.opsToken}`] : ["x-gw", member.key],
		],
		fields: undefined,
		text: null,
		body: null,
		framing: { kind: "length" },
		...(subject.code && { code: subject.code }),
	};
	for (const { name, schema, required, in: place } of operation.parameters) {
		const value = sent(name, schema, required);
		if (place === "path") call.path = call.path.replace(`{${name}}`, () => encode(asText(value ?? "")));
		else if (value === undefined) continue;
		else if (place === "query") call.query.push([name, encode(asText(value))]);
		else call.headers.push([name, asText(value).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?")]);
	}
	const added = changed.filter(([name]) => OTHER_NAMES.includes(name)) as [string, { value: unknown }][];
	if (!operation.body) {
		for (const [name, { value }] of added) call.query.push([encode(name), encode(asText(value))]);
		return call;
	}
	call.headers.push(["Content-Type", "application/json"]);
	const body: Record<string, unknown> = {};
	for (const [name, schema] of Object.entries((operation.body.properties ?? {}) as Record<string, Schema>)) {
		const value = sent(name, schema, operation.body.required?.includes(name) ?? false);
		if (value !== undefined) body[name] = value;
	}
	// `__proto__` too becomes a field of its own.
	for (const [name, { value }] of added)
		Object.defineProperty(body, name, { value, enumerable: true, writable: true, configurable: true });
	call.fields = body;
	return call;
}

function undocumentedCall(path: string, random: () => number, ocspRequests: readonly Buffer[]): Call {
	const call: Call = {
		operation: null,
		caller: null,
		method: "GET",
		path,
		query: [],
		headers: [["Host", "service.test"]],
		fields: undefined,
		text: null,
		body: null,
		framing: { kind: "length" },
	};
	if (path !== OCSP || random() < 0.1) return call;
	const request = one(random, ocspRequests);
	if (random() < 0.4) return { ...call, path: `${OCSP}/${encodeURIComponent(request.toString("base64"))}` };
	call.headers.push(["Content-Type", "application/ocsp-request"]);
	return { ...call, method: "POST", body: request };
}

function changedText(text: string, instead: Instead): string {
	if (instead.as === "changed") return TEXT_CHANGES[instead.how]!(text);
	if (instead.as !== "spliced") return text;
	const at = instead.at % (text.length + 1);
	return text.slice(0, at) + instead.piece + text.slice(at + instead.dropped);
}

function sample(arbitrary: fc.Arbitrary<unknown>, seed: number): unknown {
	return fc.sample(arbitrary, { numRuns: 1, seed })[0];
}

function asText(value: unknown): string {
	return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** `encodeURIComponent`, also of lone surrogates, as the bytes that UTF-8 would have for them. */
function encode(text: string): string {
	return Array.from(text, (character) =>
		/^[\ud800-\udfff]$/.test(character) ? "%ED%A0%80" : encodeURIComponent(character),
	).join("");
}
