import { expect, inject } from "vitest";
import type { Place } from "./global-setup.ts";

/* A partner of the service under test, as its server calls it. Every test has its own. */

export interface Session {
	session_id: string;
	token: string;
	url: string;
	expires_at: string;
}

export interface Partner {
	id: string;
	key: string;
	/** Another key, made by ops, good for these scopes. */
	addKey(...scopes: string[]): Promise<string>;
	/** A new purchase code. */
	buyCode(): Promise<string>;
	session(code: string, fields?: object): Promise<Session>;
	status(code: string): Promise<string>;
	/** Changes settings as ops, by the names there. */
	change(settings: object): Promise<void>;
	operate(code: string, verb: "block" | "cancel"): Promise<void>;
	/** Puts the session's end into the past. */
	expire(session: Session): Promise<void>;
	call(method: string, path: string, body?: object): Promise<{ status: number; body: Answer }>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many calls
type Answer = any;

/** Takes settings by ops' names; the shop of the set-up may embed the widget. */
export async function createPartner(settings: object = {}, widget: object = {}): Promise<Partner> {
	const { url, opsToken, shop } = place();
	const asOps = caller(url, { authorization: `Bearer ${opsToken}` });
	const made = await asOps("POST", "/ops/v1/partners", { name: "Tienda Andes", ...settings });
	const { api_key, partner } = made.body.data;
	const { id } = partner;
	const looks = { origins: [shop], accent: null, ...widget };
	expect((await asOps("PUT", `/ops/v1/partners/${id}/widget`, looks)).status).toBe(200);
	const call = caller(url, { "x-gw": api_key });
	return {
		id,
		key: api_key,
		call,
		async addKey(...scopes) {
			const { body } = await asOps("POST", `/ops/v1/partners/${id}/keys`, { label: "test", scopes });
			return body.data.api_key;
		},
		async buyCode() {
			const { body } = await call("POST", "/api/partner/v1/pcode/bulk", { productCode: "FV01", quantity: 1 });
			return body.data.pcodes[0];
		},
		async session(code, fields = {}) {
			const sent = { p_code: code, referenceId: "order-1", ...fields };
			const { status, body } = await call("POST", "/api/partners/v1/onboarding_sessions", sent);
			if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
			return body.data;
		},
		async change(settings) {
			expect((await asOps("PATCH", `/ops/v1/partners/${id}`, settings)).status).toBe(200);
		},
		async operate(code, verb) {
			const path = `/ops/v1/pcodes/${code}/${verb}`;
			expect((await asOps("POST", path, { reason: "test" })).status).toBe(200);
		},
		async expire({ session_id }) {
			await inDatabase("UPDATE onboarding_sessions SET until_at = 1 WHERE id = ?", session_id);
			await inDatabase(
				"UPDATE purchase_codes SET onboarding_until = 1 WHERE code = (SELECT code FROM onboarding_sessions WHERE id = ?)",
				session_id,
			);
		},
		status: async (code) => (await call("GET", `/api/partners/v1/status?p_code=${code}`)).body.data.status,
	};
}

export function place(): Place {
	return inject("place")!;
}

/**
 * Changes one row, in whichever database has it, through the server's own D1 (wrangler's local explorer). Another program that opens the file
 * makes a statement of the service fail with SQLITE_BUSY.
 */
export async function inDatabase(sql: string, ...params: (string | number)[]): Promise<void> {
	const api = `${place().url}/cdn-cgi/local/explorer/api/d1/database`;
	const databases = (await (await fetch(api)).json()) as { result: { uuid: string }[] };
	let changes = 0;
	for (const { uuid } of databases.result) {
		const response = await fetch(`${api}/${uuid}/raw`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ sql, params: params.map(String) }),
		});
		// A database in which the partner is not refuses a row of its.
		const { result } = (await response.json()) as { result?: { meta: { changes: number } }[] };
		changes += result?.[0]?.meta.changes ?? 0;
	}
	expect(changes).toBe(1);
}

function caller(url: string, key: Record<string, string>): Partner["call"] {
	return async (method, path, body) => {
		const headers = { ...key, ...(body && { "content-type": "application/json" }) };
		const response = await fetch(url + path, {
			method,
			headers,
			...(body && { body: JSON.stringify(body) }),
		});
		return { status: response.status, body: (await response.json()) as Answer };
	};
}
