import {
	abortAllDurableObjects,
	createExecutionContext,
	reset,
	waitOnExecutionContext,
} from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "../../client/openapi.ts";
import { dataOf } from "../../scripts/data-of.ts";
import { forgetKeys } from "../../src/db/api-keys.ts";
import { app } from "../../src/sandbox/app.ts";
import { BOUND, execute } from "./db.ts";
import { expectDescribed } from "./expect-described.ts";
import { tableNames } from "./tables.ts";
import { endAllWork } from "./whose-work.ts";

/* The service as a partner or ops see it: HTTP in, HTTP out, on real D1, objects and bindings. */

const SERVICE = "http://service.test";

/**
 * An empty register, no objects, no cached keys. `reset` may pass over a register that is in use at that moment, and
 * over a bucket that nobody has used for a while.
 */
export async function freshService(): Promise<void> {
	await endAllWork(abortAllDurableObjects);
	do await reset();
	while ((await Promise.all(BOUND.map(tableNames))).flat().length > 0);
	forgetKeys();
	await Promise.all([createTables(), ...[env.AUDIT, env.EVIDENCE, env.PKI].map(emptyBucket)]);
}

/** All migrations as one text: each statement by itself would have an answer, which takes twice as long. */
async function createTables(): Promise<void> {
	const statements = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries).join(";\n");
	await Promise.all(BOUND.map((database) => database.prepare(statements).run()));
}

export async function emptyBucket(bucket: R2Bucket): Promise<void> {
	await bucket.delete((await bucket.list()).objects.map(({ key }) => key));
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by name
export interface Answer<Body = any> {
	status: number;
	headers: Headers;
	body: Body;
	text: string;
}

export async function call(
	method: string,
	path: string,
	init: { headers?: HeadersInit; body?: BodyInit } = {},
): Promise<Answer> {
	const response = await exports.default.fetch(
		new Request(SERVICE + path, { method, redirect: "manual", ...init }),
	);
	const text = await response.text();
	const answer = { status: response.status, headers: response.headers, text, body: parse(text) };
	expectDescribed(method, path, answer);
	return answer;
}

/** Headers and a body as JSON; without one, none is sent. */
export function withJson(headers: Record<string, string>, body?: unknown) {
	if (body === undefined) return { headers };
	return { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

const deployments = new WeakMap<object, object>();

/** Bindings of another deployment, the same for the same changes: what is read of the settings is kept with them. */
export function bindingsWith(changes: object): object {
	const bindings = deployments.get(changes) ?? { ...env, ...changes };
	deployments.set(changes, bindings);
	return bindings;
}

/**
 * A call to a deployment with other bindings; what it does after its answer is over when this returns.
 * @param path - or a whole address
 */
export async function callWith(
	changes: object,
	method: string,
	path: string,
	init: RequestInit = {},
): Promise<Answer> {
	const context = createExecutionContext();
	const request = new Request(new URL(path, "https://service.test"), { method, redirect: "manual", ...init });
	const response = await app.fetch(request, bindingsWith(changes), context);
	const text = await response.text();
	await waitOnExecutionContext(context);
	return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

export function ops(method: string, path: string, body?: unknown, token = env.OPS_TOKEN): Promise<Answer> {
	return call(method, `/ops/v1${path}`, withJson({ authorization: `Bearer ${token}` }, body));
}

export type Product =
	paths["/api/partner/v1/pcode/bulk"]["post"]["requestBody"]["content"]["application/json"]["productCode"];

export type Settings = Record<string, unknown>;

/** A partner with its key, calling as its integration would. */
export class Partner {
	readonly id: string;
	readonly key: string;
	/** Valid calls; `post` and `get` send anything. */
	readonly client: Client<paths>;
	#manageKey: Promise<string> | undefined;

	constructor(id: string, key: string) {
		this.id = id;
		this.key = key;
		const send = (request: Request) => exports.default.fetch(request);
		this.client = createClient<paths>({ baseUrl: SERVICE, headers: { "x-gw": key }, fetch: send });
	}

	/**
	 * Creates a partner. Holders' keys are elliptic, a hundred times faster than RSA's, unless the settings say
	 * otherwise. A B2B partner of no address has a webhook that is off since a 410, so that nothing is called.
	 */
	static async create(settings: Settings = {}): Promise<Partner> {
		const waits = settings.mode === "B2B" && !settings.webhook_url && !settings.delivery_email;
		const { body, status, text } = await ops("POST", "/partners", {
			name: "Partner under test",
			key_algorithm: "ec-p256",
			...settings,
			...(waits && { webhook_url: "https://partner.example/gone" }),
		});
		if (status !== 201) throw new Error(`ops refused the partner: ${status} ${text}`);
		const { id } = body.data.partner;
		if (waits)
			await execute(
				"UPDATE partners SET webhook_off_at = created_at, webhook_off_by = 'endpoint' WHERE id = ?",
				id,
			);
		return new Partner(id, body.data.api_key);
	}

	/** A key of every scope, made by ops at the first call. */
	manageKey(): Promise<string> {
		this.#manageKey ??= ops("POST", `/partners/${this.id}/keys`, {
			label: "everything",
			scopes: ["codes", "redeem", "read", "manage"],
		}).then(({ body }) => body.data.api_key);
		return this.#manageKey;
	}

	/** A call of the partner's desk, with that key. */
	async desk(method: string, path: string, body?: unknown): Promise<Answer> {
		return call(method, `/api/partner/v1${path}`, withJson({ "x-gw": await this.manageKey() }, body));
	}

	/** Takes a B2B partner's addresses away in the database: no call does. */
	async loseAddresses(): Promise<void> {
		await execute(
			"UPDATE partners SET webhook_url = NULL, webhook_off_at = NULL, delivery_email = NULL WHERE id = ?",
			this.id,
		);
	}

	change(settings: Settings): Promise<Answer> {
		return ops("PATCH", `/partners/${this.id}`, settings);
	}

	post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
		return call("POST", path, {
			headers: { "x-gw": this.key, "content-type": "application/json", ...headers },
			body: typeof body === "string" ? body : JSON.stringify(body),
		});
	}

	get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
		return call("GET", path, { headers: { "x-gw": this.key, ...headers } });
	}

	bulk(quantity = 1, productCode = "FV01", headers: Record<string, string> = {}): Promise<Answer> {
		return this.post("/api/partner/v1/pcode/bulk", { productCode, quantity }, headers);
	}

	/** One fresh purchase code. */
	async code(productCode: Product = "FV01"): Promise<string> {
		const body = { productCode, quantity: 1 };
		return dataOf(await this.client.POST("/api/partner/v1/pcode/bulk", { body })).pcodes[0]!;
	}

	request(fields: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Answer> {
		return this.post("/api/partners/v1/certificate_request", fields, headers);
	}

	claim(
		pCode: string,
		fields: Record<string, unknown> = {},
		headers: Record<string, string> = {},
	): Promise<Answer> {
		return this.post(
			"/api/partners/v1/certificate_claim",
			{ p_code: pCode, dni: JUANA.dni, pin: JUANA.pin, ...fields },
			headers,
		);
	}

	async status(pCode: string): Promise<string> {
		const params = { query: { p_code: pCode } };
		return dataOf(await this.client.GET("/api/partners/v1/status", { params })).status;
	}

	list(query = ""): Promise<Answer> {
		return this.get(`/api/partner/v1/pcodes${query}`);
	}

	async listed(pCode: string) {
		const params = { query: { limit: 500 } };
		const { pcodes } = dataOf(await this.client.GET("/api/partner/v1/pcodes", { params }));
		const item = pcodes.find(({ pcode }) => pcode === pCode);
		if (!item) throw new Error(`${pCode} is not listed`);
		return item;
	}
}

/** Every setting of §2.7 and of onboarding, by a value that is not its default. */
export const EVERY_SETTING: Settings = {
	name: "Notaría Ñuñoa & Hijos",
	mode: "B2B",
	require_cedula_serie: 0,
	validate_vencimiento: 1,
	require_sso: 1,
	require_serial_with_sso: 1,
	allowed_products: ["FV03", "FV00"],
	pfx_profile: "legacy",
	key_algorithm: "ec-p256",
	max_codes_14_days: 500,
	webhook_url: "https://partner.example/hooks?tenant=7",
	delivery_email: "entregas@partner.example",
};

/** The first bytes of a PNG, and three more, base64. */
export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]).toString("base64");

/** JUANA ANDREA PÉREZ SOTO of the sandbox, in the reduced flow. */
export const JUANA = {
	referenceId: "order-1001",
	dni: "11111111-1",
	email: "juana@example.cl",
	pin: "4821",
	serialNumber: "111111111",
};

/** PEDRO PABLO MUÑOZ ÑANCUPIL. */
export const PEDRO = {
	referenceId: "order-2002",
	dni: "22222222-2",
	email: "pedro@example.cl",
	pin: "0042",
	serialNumber: "A222222222",
};

/** JUANA in the full flow, signed on. */
export const JUANA_FULL = {
	referenceId: "order-1001",
	dni: "11111111-1",
	email: "juana@example.cl",
	pin: "4821",
	names: "Juana Andrea",
	fLastname: "Pérez",
	mLastname: "Soto",
	phone: "+56912345678",
	ssoCredential: "sso-11111111-1",
};

/** A holder of the sandbox's load range. @param n - 0 to 999,999. */
export function loadHolder(n: number) {
	const number = 20_000_000 + n;
	return {
		referenceId: `load-${n}`,
		dni: `${number}-${check(number)}`,
		email: `holder-${n}@example.cl`,
		pin: "1357",
		serialNumber: String(number).padStart(9, "0"),
	};
}

function check(number: number): string {
	const sum = [...String(number)]
		.reverse()
		.reduce((total, digit, i) => total + Number(digit) * (2 + (i % 6)), 0);
	return ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "K", "0"][11 - (sum % 11)]!;
}
