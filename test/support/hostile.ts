import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { type Answer, call, JUANA, Partner } from "./service.ts";
import { countRows } from "./tables.ts";

/* Hostile requests, their targets, and the allowed contents of the answers. */

export const MIB = 1024 * 1024;
const PIN = "9137";
const CREDENTIAL = "sso-11111111-1";

export interface Target {
	name: string;
	path: string;
	/** Bytes of body that it takes. */
	limit: number;
	/** A body that it would accept, every field of it. */
	fields: Record<string, unknown>;
	/** The header that lets a call in. */
	credentials(partner: Partner): Record<string, string>;
}

const key = (partner: Partner) => ({ "x-gw": partner.key });

/** The four POSTs. Codes in them do not exist, so that nothing but the shape can be to blame. */
export const TARGETS: readonly Target[] = [
	{
		name: "certificate_request",
		path: "/api/partners/v1/certificate_request",
		limit: 12 * MIB,
		fields: {
			...JUANA,
			pCode: "7K3M-9QXT-2B4C-H8WD",
			pin: PIN,
			names: "Juana Andrea",
			fLastname: "Pérez",
			mLastname: "Soto",
			phone: "+56912345678",
			ssoCredential: CREDENTIAL,
			dniFront: "iVBORw0KGgo=",
			dniBack: "data:image/png;base64,iVBORw0KGgo=",
			partnerCopy: "copia@example.cl",
			fechaVencimiento: "2031-05-20",
		},
		credentials: key,
	},
	{
		name: "certificate_claim",
		path: "/api/partners/v1/certificate_claim",
		limit: 16 * 1024,
		fields: { p_code: "7K3M-9QXT-2B4C-H8WD", dni: JUANA.dni, pin: PIN },
		credentials: key,
	},
	{
		name: "pcode/bulk",
		path: "/api/partner/v1/pcode/bulk",
		limit: 16 * 1024,
		fields: { productCode: "FV01", quantity: 1 },
		credentials: key,
	},
	{
		name: "ops partners",
		path: "/ops/v1/partners",
		limit: 16 * 1024,
		fields: {
			name: "Hostile",
			mode: "B2C",
			require_cedula_serie: 1,
			validate_vencimiento: 0,
			require_sso: 0,
			require_serial_with_sso: 0,
			allowed_products: ["FV01"],
			pfx_profile: "modern",
			key_algorithm: "rsa-2048",
			max_codes_14_days: 10,
			webhook_url: "https://partner.example/hook",
			delivery_email: "partner@example.cl",
			language: "en",
		},
		credentials: () => ({ authorization: `Bearer ${env.OPS_TOKEN}` }),
	},
];

/** Calls that one partner may make before another takes its turn: under every rate limit. */
const CALLS_EACH = 8;

/** Partners by turns, so that no case meets a rate limit. */
export class Callers {
	#partners: Partner[] = [];
	#calls = 0;

	static async create(calls: number): Promise<Callers> {
		const callers = new Callers();
		while (callers.#partners.length * CALLS_EACH < calls) callers.#partners.push(await Partner.create());
		return callers;
	}

	next(): Partner {
		const partner = this.#partners[Math.floor(this.#calls++ / CALLS_EACH)];
		if (!partner) throw new Error("give the callers more calls");
		return partner;
	}

	/** @param body - sent as it is when it is no plain object. */
	async send(target: Target, body: BodyInit | Record<string, unknown> | null, headers: HeadersInit = {}) {
		const partner = this.next();
		const sent = isFields(body) ? JSON.stringify(body) : body;
		const all = new Headers({ "content-type": "application/json", ...target.credentials(partner) });
		for (const [name, value] of new Headers(headers)) {
			if (value === "") all.delete(name);
			else all.set(name, value);
		}
		const answer = await call("POST", target.path, { headers: all, ...(sent !== null && { body: sent }) });
		expectBareRefusal(answer, [partner.key, env.OPS_TOKEN ?? "", PIN, CREDENTIAL]);
		return answer;
	}
}

function isFields(body: BodyInit | Record<string, unknown> | null): body is Record<string, unknown> {
	return body !== null && typeof body === "object" && Object.getPrototypeOf(body) === Object.prototype;
}

/** §2.6 with details and nothing else: JSON, no 5xx, no inner text, no secret. */
export function expectBareRefusal(answer: Answer, secrets: readonly string[]): void {
	expect(answer.status, answer.text.slice(0, 300)).toBeGreaterThanOrEqual(400);
	expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500);
	expect(answer.headers.get("content-type")).toBe("application/json");
	const { details, ...body } = answer.body;
	expect(body).toEqual({ success: false, error: expect.any(String), message: expect.any(String) });
	if (details !== undefined) expect(details.length).toBeGreaterThan(0);
	for (const { field = "", ...detail } of details ?? []) {
		expect(field).toBeTypeOf("string");
		expect(detail).toEqual({ code: expect.any(String), message: expect.any(String) });
	}
	expect(answer.text).not.toMatch(/\.[jt]s:\d|\bat [\w.]+ \(|Error:|SQLITE|D1_ERROR|zod|undefined|\[object/i);
	for (const secret of secrets) expect(answer.text).not.toContain(secret);
}

/** Runs hostile calls and holds that no table has a row more or less for it. */
export async function withoutWriting(calls: () => Promise<void>): Promise<void> {
	const before = await countRows();
	await calls();
	expect(await countRows()).toEqual(before);
}

/** The fields that details names, sorted; an element of an array counts as its array. */
export function namedFields({ body }: Answer): string[] {
	const fields = (body.details ?? []).map(({ field }: { field?: string }) => field?.split(".")[0] ?? "");
	return [...new Set<string>(fields)].sort();
}
