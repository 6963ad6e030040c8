import fc from "fast-check";
import type { Schema } from "../../support/json-schema.ts";
import { encodeRequest } from "../../support/ocsp-client.ts";
import { OPERATIONS, type Operation } from "../../support/operations.ts";
import { responder } from "../../support/pki.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { edge, hostile, largePicture, OTHER_NAMES, PIECES, TEXT_CHANGES, valid } from "./arbitrary-values.ts";
import type { Message } from "./changes.ts";
import { goodValue, isWanted, pickIdentity, type Subject } from "./good-values.ts";
import { CODE_STATES, type CodeState, one, type World } from "./world.ts";

/*
 * Calls by the OpenAPI documents, as fast-check draws and shrinks them. A plan names codes, partners and ids by their
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
	/** Method and path with `{parameters}`, or a path that the documents do not have. */
	target: string;
	/** Seed of the random numbers that good values are drawn from. */
	seed: number;
	state: CodeState;
	/** About another partner's code, which it must not reach. */
	othersCode: boolean;
	fields: [name: string, instead: Instead][];
	changes: { name: string; seed: number }[];
}

/** Frequency of partner operations relative to those of ops. */
const PARTNER_WEIGHT = 5;
const OCSP = "/pki/ocsp";
const UNDOCUMENTED = [
	...`${OCSP} ${OCSP} / /nothing /.env /wrangler.toml /api/partners/v2/status /api/partner/v1/pcode/x /ops`.split(
		" ",
	),
	..."/ops/v1/ /pki/ /pki/nothing.crl /pki/root.cer /robots.txt /healthz /readyz /openapi.json".split(" "),
];

const seed = fc.noBias(fc.nat());

/** @param changes - names of what can be done to a message. */
export function arbitraryCalls(changes: readonly string[]): fc.Arbitrary<CallPlan> {
	const some = fc.array(fc.record({ name: fc.constantFrom(...changes), seed }), {
		minLength: 1,
		maxLength: 3,
	});
	const rest = {
		seed,
		changes: fc.oneof(
			{ weight: 6, arbitrary: fc.constant<CallPlan["changes"]>([]) },
			{ weight: 4, arbitrary: some },
		),
	};
	const outside = fc.record({
		target: fc.constantFrom(...UNDOCUMENTED),
		state: fc.constant("fresh" as const),
		othersCode: fc.constant(false),
		fields: fc.constant<CallPlan["fields"]>([]),
		...rest,
	});
	return fc.oneof(
		...OPERATIONS.map((operation) => ({
			weight: 3 * (operation.path.startsWith("/ops/") ? 1 : PARTNER_WEIGHT),
			arbitrary: fc.record({
				target: fc.constant(`${operation.method} ${operation.path}`),
				state: fc.constantFrom(...statesFor(operation.path)),
				othersCode: fc.integer({ min: 0, max: 19 }).map((n) => n === 1),
				fields: fieldsOf(operation),
				...rest,
			}),
		})),
		{ weight: 15, arbitrary: outside },
	);
}

function fieldsOf({ parameters, body, deref }: Operation): fc.Arbitrary<CallPlan["fields"]> {
	const schemas: Record<string, Schema> = Object.fromEntries([
		...parameters.map(({ name, schema }) => [name, schema]),
		...Object.entries(body?.properties ?? {}),
	]);
	const instead = Object.entries(schemas).map(([name, schema]) =>
		fc.tuple(fc.constant(name), insteadOf(name, schema, deref)),
	);
	const added = fc.tuple(fc.constantFrom(...OTHER_NAMES), asValue(fc.jsonValue({ maxDepth: 1 })));
	const some = fc.array(fc.oneof(...instead, added), { minLength: 1, maxLength: 3 });
	return fc.oneof(fc.constant<CallPlan["fields"]>([]), some);
}

function insteadOf(name: string, schema: Schema, deref: Operation["deref"]): fc.Arbitrary<Instead> {
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

/** The message that a plan is, with what the service has now. */
export function messageOf(plan: CallPlan, world: World, opsToken: string): Message {
	const random = seededRandom(plan.seed);
	const operation = OPERATIONS.find(({ method, path }) => `${method} ${path}` === plan.target);
	if (!operation) return undocumentedMessage(plan.target, random, world);
	const member = one(random, world.members);
	const owner = plan.othersCode ? one(random, world.members) : member;
	const code = world.pickCode(owner, plan.othersCode ? one(random, CODE_STATES) : plan.state, random);
	const identity = code.identity && random() < 0.8 ? code.identity : pickIdentity(random);
	return documentedMessage(plan, { world, operation, member, code, identity, random }, opsToken);
}

function documentedMessage({ fields: changed, seed }: CallPlan, subject: Subject, opsToken: string): Message {
	const { operation, member, code } = subject;
	const { deref, parameters, body, method, path } = operation;
	const isOps = path.startsWith("/ops/");
	const instead = new Map(changed);
	const sent = (name: string, schema: Schema, required: boolean): unknown => {
		const plan = instead.get(name) ?? { as: required || isWanted(name, subject) ? "good" : "absent" };
		if (plan.as === "absent") return undefined;
		if (plan.as === "value") return plan.value;
		const good = goodValue(name, subject) ?? fc.sample(valid(schema, deref), { numRuns: 1, seed })[0];
		return plan.as === "good" || typeof good !== "string" ? good : changedText(good, plan as Instead);
	};
	const message: Message = {
		member: isOps ? null : member,
		method,
		path,
		query: [],
		headers: [isOps ? ["Authorization", `Bearer ${opsToken}`] : ["x-gw", member.key]],
		text: null,
		body: null,
		code,
	};
	for (const { name, schema, required, in: place } of parameters) {
		const value = sent(name, schema, required);
		if (place === "path") message.path = message.path.replace(`{${name}}`, () => encode(asText(value ?? "")));
		else if (value === undefined) continue;
		else if (place === "query") message.query.push([name, encode(asText(value))]);
		else message.headers.push([name, asText(value).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?")]);
	}
	const added = changed.flatMap(([name, plan]) =>
		OTHER_NAMES.includes(name) && plan.as === "value" ? [[name, plan.value] as const] : [],
	);
	if (!body) {
		for (const [name, value] of added) message.query.push([encode(name), encode(asText(value))]);
		return message;
	}
	message.headers.push(["Content-Type", "application/json"]);
	const fields: Record<string, unknown> = {};
	for (const [name, schema] of Object.entries(body.properties ?? {})) {
		const value = sent(name, schema, body.required?.includes(name) ?? false);
		if (value !== undefined) fields[name] = value;
	}
	// `__proto__` too becomes a field of its own.
	for (const [name, value] of added)
		Object.defineProperty(fields, name, { value, enumerable: true, writable: true, configurable: true });
	return { ...message, pin: fields.pin, text: JSON.stringify(fields) };
}

function undocumentedMessage(path: string, random: () => number, { serials }: World): Message {
	const message: Message = {
		member: null,
		method: "GET",
		path,
		query: [],
		headers: [],
		text: null,
		body: null,
	};
	if (path !== OCSP || random() < 0.1) return message;
	const body = encodeRequest(responder, [{ serial: one(random, serials) }]) as Uint8Array<ArrayBuffer>;
	if (random() < 0.4) return { ...message, path: `${OCSP}/${encodeURIComponent(body.toBase64())}` };
	return { ...message, method: "POST", headers: [["Content-Type", "application/ocsp-request"]], body };
}

function changedText(text: string, instead: Instead): string {
	if (instead.as === "changed") return TEXT_CHANGES[instead.how]!(text);
	if (instead.as !== "spliced") return text;
	const at = instead.at % (text.length + 1);
	return text.slice(0, at) + instead.piece + text.slice(at + instead.dropped);
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
