import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { expect, vi } from "vitest";
import { MINUTE_MS } from "../../src/domain/durations.ts";
import type { Lease } from "../../src/objects/lease.ts";
import { objectName } from "../../src/objects/stubs.ts";
import { CivilRegistrySandbox } from "../../src/sandbox/civil-registry-sandbox.ts";
import { until } from "./clock.ts";
import { REGISTER } from "./db.ts";
import type { Partner } from "./service.ts";
import { readTables } from "./tables.ts";

/* Internals that no partner sees: the register's rows, an object's own storage, the registry's side of the wire. */

export function codeObject(partner: Partner, pCode: string) {
	return env.PURCHASE_CODES.getByName(objectName(partner.id, pCode));
}

/** Everything that a code's object remembers, by key. */
export function storedIn(partner: Partner, pCode: string): Promise<Record<string, unknown>> {
	return runInDurableObject(codeObject(partner, pCode), (_, { storage }) =>
		Object.fromEntries(storage.kv.list()),
	);
}

/** Reads the storage without the certificates that it remembers; empty for a settled code. */
export async function unsettledIn(partner: Partner, pCode: string): Promise<Record<string, unknown>> {
	const stored = Object.entries(await storedIn(partner, pCode));
	return Object.fromEntries(stored.filter(([key]) => !key.startsWith("certificate:")));
}

export async function leaseOf(partner: Partner, pCode: string): Promise<Lease | null> {
	return ((await storedIn(partner, pCode)).lease as Lease | undefined) ?? null;
}

// biome-ignore lint/suspicious/noExplicitAny: a row of any table, read by name.
export type Row = Record<string, any>;

/** Rows of the database in which the partners under test are. */
export function select(sql: string, ...values: unknown[]): Promise<Row[]> {
	return selectIn(REGISTER, sql, values);
}

/** Rows of the first database: the directory, and what belongs to no partner. */
export function selectOfNobody(sql: string, ...values: unknown[]): Promise<Row[]> {
	return selectIn(env.DB, sql, values);
}

async function selectIn(database: D1Database, sql: string, values: unknown[]): Promise<Row[]> {
	const { results } = await database
		.prepare(sql)
		.bind(...values)
		.all<Row>();
	return results;
}

export async function codeRow(pCode: string): Promise<Row> {
	const [row] = await select("SELECT * FROM purchase_codes WHERE code = ?", pCode);
	if (!row) throw new Error(`no purchase code ${pCode}`);
	return row;
}

export function certificatesOf(pCode: string): Promise<Row[]> {
	return select("SELECT * FROM certificates WHERE code = ? ORDER BY issued_at", pCode);
}

/** Deliveries to the code's partner, without its holder's messages. */
export function outboxOf(pCode: string): Promise<Row[]> {
	return select("SELECT * FROM outbox WHERE code = ? AND event NOT LIKE 'holder.%'", pCode);
}

export function holderMessagesOf(pCode: string): Promise<Row[]> {
	return select("SELECT * FROM outbox WHERE code = ? AND event LIKE 'holder.%' ORDER BY created_at", pCode);
}

/** The code's changes, oldest first, as `action outcome`. @throws when a hash does not follow from the row before. */
export async function auditOf(pCode: string): Promise<string[]> {
	const rows = await select("SELECT * FROM audit_events WHERE entity = ? ORDER BY version", `code:${pCode}`);
	let previous = "";
	for (const [i, row] of rows.entries()) {
		if (row.version !== i + 1 || row.previous_hash !== previous) throw new Error(`${pCode}: chain broken`);
		previous = hashOf(row);
		if (row.hash !== previous) throw new Error(`${pCode}: hash of version ${row.version} does not match`);
	}
	return rows.map(({ action, outcome }) => `${action} ${outcome}`);
}

/** The hash of a row and the one before it, without the service's own function. */
function hashOf(row: Row): string {
	const { previous_hash, entity, version, partner_id, at, actor, action, outcome, request_id, step } = row;
	const fields = [previous_hash, entity, version, partner_id, at, actor, action, outcome, request_id, step];
	return bytesToHex(sha256(utf8ToBytes(JSON.stringify(fields))));
}

/** One lease, and a moment. */
export const LEASE_OVER = MINUTE_MS + 1;

/** Expects what must hold of a code on which nothing runs, whatever happened before. */
export async function expectAtRest(partner: Partner, pCode: string): Promise<void> {
	expect(await unsettledIn(partner, pCode)).toEqual({});
	expect((await partner.listed(pCode)).processing).toBe(0);
	expect(await codeRow(pCode)).toMatchObject({ processing_until: null, processing_rut_index: null });
	await auditOf(pCode);
}

/** The whole register as text, to look for what must not be there. */
export async function dumpRegister(): Promise<string> {
	return readable(await readTables());
}

/** Begins a call, and waits until the registry is asked. */
export async function heldAtRegistry<T>(act: () => Promise<T>) {
	const registry = holdRegistry();
	const running = act();
	await until(registry.isAsked);
	return { registry, running };
}

/** Holds the answers to the first questions that the registry gets, until they are released. */
export function holdRegistry(first = Infinity) {
	const released = Promise.withResolvers<void>();
	const questions = { heard: 0 };
	const answer = CivilRegistrySandbox.prototype.fetch;
	const spy = vi.spyOn(CivilRegistrySandbox.prototype, "fetch").mockImplementation(async function (
		this: CivilRegistrySandbox,
		request,
	) {
		questions.heard += 1;
		if (questions.heard <= first) await released.promise;
		return answer.call(this, request);
	});
	return {
		isAsked: () => questions.heard > 0,
		heard: () => questions.heard,
		release: () => {
			spy.mockRestore();
			released.resolve();
		},
	};
}

/** A value with everything in it as text: bytes as Latin-1, whether they come as a buffer or as D1's list of numbers. Texts in it are quoted, as in JSON. */
export function readable(value: unknown): string {
	if (value instanceof ArrayBuffer) return readable(new Uint8Array(value));
	if (ArrayBuffer.isView(value))
		return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("latin1");
	if (typeof value !== "object" || value === null) return String(value);
	if (Array.isArray(value) && value.every((item) => typeof item === "number"))
		return Buffer.from(value).toString("latin1");
	return Object.entries(value)
		.map(([name, item]) => `${name}: ${typeof item === "string" ? `"${item}"` : readable(item)}`)
		.join("\n");
}
