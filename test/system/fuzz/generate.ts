import type { Schema } from "../../support/json-schema.ts";
import { BESIDE, type Described, type Operation } from "./described.ts";
import type { Draft } from "./draft.ts";
import { chooseSubject, one, type Subject, valueByName } from "./values.ts";
import { CODE_STATES, type Member, type World } from "./world.ts";

/** How often a partner operation is asked for each time that an operation of ops is. */
const PARTNER_WEIGHT = 5;
const OPTIONAL_SENT = 0.3;

/** Fields of the full flow, which the reduced one refuses. */
const FULL_FLOW = ["names", "fLastname", "phone"];

const UNLISTED = [
	"/",
	"/docs/",
	"/docs/index.html",
	"/nothing",
	"/.env",
	"/.dev.vars",
	"/wrangler.toml",
	"/api/partners/v2/status",
	"/api/partner/v1/pcodes/x",
	"/ops",
	"/ops/v1/",
	"/pki/",
	"/pki/nothing.crl",
	"/cdn-cgi/trace",
	"/favicon.ico",
	"/robots.txt",
	"/__scheduled?cron=*",
	"/cdn-cgi/handler/scheduled",
];

/** Makes well-formed calls of everything that there is to call. */
export class Generator {
	readonly #described: Described;
	readonly #world: World;
	readonly #ocspRequests: readonly Buffer[];
	readonly #bag: (Operation | string)[];
	#turn = 0;

	/** @param ocspRequests - DER of good OCSP requests. */
	constructor(described: Described, world: World, ocspRequests: readonly Buffer[]) {
		this.#described = described;
		this.#world = world;
		this.#ocspRequests = ocspRequests;
		const beside = [...Object.keys(BESIDE), "/pki/ocsp", "/pki/ocsp", ...UNLISTED.slice(0, 3)];
		this.#bag = [
			...described.operations.flatMap((operation) =>
				Array<Operation>(operation.path.startsWith("/ops/") ? 1 : PARTNER_WEIGHT).fill(operation),
			),
			...beside,
		];
	}

	next(random: () => number): Draft {
		const chosen = one(random, this.#bag);
		if (typeof chosen !== "string") return this.#call(chosen, random);
		const path = UNLISTED.includes(chosen) ? one(random, UNLISTED) : chosen;
		return beside(path, random, this.#ocspRequests);
	}

	#call(operation: Operation, random: () => number): Draft {
		// In turn: each partner has ten certificate_requests a minute.
		const member = this.#world.members[this.#turn++ % this.#world.members.length]!;
		const subject = chooseSubject(this.#world, operation, member, random);
		const isOps = operation.path.startsWith("/ops/");
		if (random() < 0.05) this.#takeAnothersCode(subject);
		const headers: Draft["headers"] = [["Host", "service.test"]];
		headers.push(isOps ? ["Authorization", `Bearer ${this.#world.opsToken}`] : ["x-gw", member.key]);
		const query: Draft["query"] = [];
		let path = operation.path;
		for (const parameter of operation.parameters) {
			const value = valueByName(parameter.name, subject) ?? this.fromSchema(parameter.schema, random);
			const text = encodeURIComponent(String(value));
			if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, text);
			else if (!parameter.required && random() >= OPTIONAL_SENT) continue;
			else if (parameter.in === "query") query.push([parameter.name, text]);
			else headers.push([parameter.name, String(value)]);
		}
		const fields = operation.body ? this.#body(operation.body, subject) : undefined;
		if (operation.body) headers.push(["Content-Type", "application/json"]);
		return {
			...{
				operation,
				caller: isOps ? ("ops" as const) : member,
				method: operation.method,
				path,
				query,
				headers,
			},
			...{ fields, text: null, body: null, framing: { kind: "length" } },
			...(subject.code && { code: subject.code }),
		};
	}

	/** A call about the purchase code of another partner, which it must not feel. */
	#takeAnothersCode(subject: Subject): void {
		const other = one(subject.random, this.#world.members);
		const code = this.#world.pickCode(other, one(subject.random, CODE_STATES), subject.random);
		if (code) subject.code = code;
	}

	#body(schema: Schema, subject: Subject): Record<string, unknown> {
		const { member, operation, random } = subject;
		const body: Record<string, unknown> = {};
		for (const [name, field] of Object.entries(schema.properties ?? {})) {
			const required = schema.required?.includes(name);
			if (!required && !isWanted(name, operation, member, random)) continue;
			body[name] = valueByName(name, subject) ?? this.fromSchema(field, random);
		}
		return body;
	}

	/** Any value that the schema takes, of those that are simple to make. */
	fromSchema(given: Schema, random: () => number): unknown {
		const schema = this.#described.deref(given);
		const either = schema.anyOf ?? schema.oneOf;
		if (either) return this.fromSchema(one(random, either), random);
		if (schema.enum) return one(random, schema.enum);
		if (schema.example !== undefined) return schema.example;
		switch ([schema.type].flat()[0]) {
			case "boolean":
				return random() < 0.5;
			case "integer":
			case "number":
				return (schema.minimum ?? 0) + Math.floor(random() * 5);
			case "array":
				return schema.items ? [this.fromSchema(schema.items, random)] : [];
			case "object":
				return {};
			case "null":
				return null;
			default:
				return "x".repeat(schema.minLength ?? 3);
		}
	}
}

/** Whether an optional field is sent: what the partner's flow asks for mostly is, what it refuses mostly not. */
function isWanted(name: string, { path }: Operation, { settings }: Member, random: () => number): boolean {
	if (!path.endsWith("/certificate_request")) return random() < OPTIONAL_SENT;
	const full = settings.require_cedula_serie === 0;
	if (FULL_FLOW.includes(name)) return full ? random() < 0.95 : random() < 0.03;
	if (name === "serialNumber") return random() < (full ? 0.1 : 0.95);
	if (name === "ssoCredential") return random() < (settings.require_sso ? 0.9 : 0.15);
	if (name === "fechaVencimiento") return random() < (settings.validate_vencimiento ? 0.9 : 0.1);
	return random() < 0.1;
}

function beside(path: string, random: () => number, ocspRequests: readonly Buffer[]): Draft {
	const draft: Draft = {
		...{ operation: null, caller: null, method: "GET", path, query: [], headers: [["Host", "service.test"]] },
		...{ fields: undefined, text: null, body: null, framing: { kind: "length" } },
	};
	if (path !== "/pki/ocsp" || random() < 0.1) return draft;
	const request = one(random, ocspRequests);
	if (random() < 0.4)
		return { ...draft, path: `/pki/ocsp/${encodeURIComponent(request.toString("base64"))}` };
	draft.headers.push(["Content-Type", "application/ocsp-request"]);
	return { ...draft, method: "POST", body: request };
}
