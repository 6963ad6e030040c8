import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Actor } from "../domain/actor.ts";
import type { AuditAction } from "../domain/audit-actions.ts";
import { Unavailable } from "../unavailable.ts";
import {
	batch,
	ConstraintViolated,
	type DatabaseDb,
	type Db,
	type PartnerDb,
	query,
	type Statement,
} from "./query.ts";
import { auditEvents, isOneOf, LIMITED_ACTIONS, type LimitedAction } from "./schema-operations.ts";

/** Who makes the change, for the audit. */
export interface ChangeOrigin {
	actor: Actor;
	requestId: string;
	/** Epoch milliseconds. */
	now: number;
}

/** One change, without personal data or secrets. */
export interface AuditEntry {
	/** `code:…`, `partner:…`, `batch:…`, `evidence:…`, `delivery:…`, `console:…`, `upkeep:…`, `restore:…`, `holder_search:…` or `holder_request:…`. */
	entity: string;
	/** The version the entity has after the change. */
	version: number;
	partnerId: string;
	/** Epoch milliseconds. */
	at: number;
	/** An `Actor`; rows from before that form say `key:<id>`, `ops` or `system`. */
	actor: string;
	action: AuditAction;
	outcome: string;
	requestId: string;
	/** Id of the step that made the change, or null. */
	step: string | null;
}

type WhatChanged = Pick<AuditEntry, "entity" | "partnerId" | "action" | "outcome">;

/** The one row of a batch that never came to be: it keeps a late commit out. */
export const BATCH_ABANDONED = "batch_abandoned" satisfies AuditAction;

/**
 * The row that records a change. The batch that inserts it fails as a whole when another writer made this version.
 * @param previousHash - hash of the entity's row one version before; '' for the first.
 */
export async function auditRow(
	{ auditKey }: Db,
	entry: AuditEntry,
	previousHash: string,
): Promise<typeof auditEvents.$inferInsert> {
	const hash = await chainHash(entry, previousHash);
	return { ...entry, previousHash, hash, mac: await auditKey.macOf(hash) };
}

/** SHA-256 over every column of the row and the hash before it, hex. */
export async function chainHash(entry: AuditEntry, previousHash: string): Promise<string> {
	const { entity, version, partnerId, at, actor, action, outcome, requestId, step } = entry;
	const text = JSON.stringify([
		previousHash,
		entity,
		version,
		partnerId,
		at,
		actor,
		action,
		outcome,
		requestId,
		step,
	]);
	return bytesToHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/**
 * Version and hash that the entity's next row goes on from; version 0 and '' before the first.
 * @param partnerId - whose the entity is; not given for a job's.
 */
export async function findChainEnd(db: Db, entity: string, partnerId?: string): Promise<ChainEnd> {
	const [last] = await query(selectChainEnd(db, entity, partnerId));
	return last ?? CHAIN_BEGIN;
}

interface ChainEnd {
	version: number;
	hash: string;
}

export const CHAIN_BEGIN: ChainEnd = { version: 0, hash: "" };

/** The row of a chain's next entry, for a change that is no step's. */
export function nextAuditRow(
	db: Db,
	what: WhatChanged,
	{ actor, requestId, now }: ChangeOrigin,
	{ version, hash }: ChainEnd,
): Promise<typeof auditEvents.$inferInsert> {
	return auditRow(db, { ...what, version: version + 1, at: now, actor, requestId, step: null }, hash);
}

/** Selects an entity's newest row, for a trip that asks for more; no row before the first. */
export function selectChainEnd(db: Db, entity: string, partnerId?: string) {
	const own = partnerId === undefined ? undefined : eq(auditEvents.partnerId, partnerId);
	return db
		.select({ version: auditEvents.version, hash: auditEvents.hash })
		.from(auditEvents)
		.where(and(eq(auditEvents.entity, entity), own))
		.orderBy(desc(auditEvents.version))
		.limit(1);
}

/**
 * When a partner itself last made changes of these kinds after `since`, the latest first, `limit` of them at most. Each
 * is a version of the partner: who reads this within a change of it misses none.
 */
export async function findOwnChanges(
	db: PartnerDb,
	partnerId: string,
	{ actions, since, limit }: { actions: readonly LimitedAction[]; since: number; limit: number },
): Promise<number[]> {
	const { changes } = await batch(db, {
		changes: sql<{ at: number }>`SELECT at FROM audit_events INDEXED BY audit_events_limited
			WHERE ${sql.raw(isOneOf(LIMITED_ACTIONS))} AND partner_id = ${partnerId} AND at > ${since}
				AND actor LIKE 'partner:%' AND action IN (SELECT value FROM json_each(${JSON.stringify(actions)}))
			ORDER BY at DESC LIMIT ${limit}`,
	});
	return changes.map(({ at }) => at);
}

/** Whether a batch was undone because another writer made the version it recorded: the compare-and-set. */
export function lostAuditRace(error: unknown): boolean {
	return error instanceof ConstraintViolated && error.constraint === "audit_events.entity";
}

/** Tries of a change: when several change one entity at once, one of them wins each time. */
const TRIES = 12;

/**
 * Makes a change anew, from what the entity is by then, as often as another writer was faster.
 * @throws {Unavailable} when it lost every race: nothing was changed.
 */
export async function retryLostRaces<T>(change: () => Promise<T>): Promise<T> {
	for (let attempt = 1; attempt <= TRIES; attempt++) {
		try {
			return await change();
		} catch (error) {
			if (!lostAuditRace(error) && !lostNotice(error)) throw error;
		}
	}
	throw new Unavailable("db", "every try was overtaken");
}

/** Tells whether the attempt of a notice began before the change that it should have told of: `replaceNotice`. */
function lostNotice(error: unknown): boolean {
	return error instanceof ConstraintViolated && error.constraint === "outbox.id";
}

/**
 * Records something that has no version of its own (a read of evidence, a delivery sent again) as the next entry of
 * its entity's chain, with the statements it is about, or nothing of it.
 * @param known - the end of the chain, where the caller has read it; null before the first entry.
 * @throws {Unavailable}: then nothing was recorded for sure, and nothing may be shown.
 */
export async function appendAudit(
	db: Db,
	what: WhatChanged,
	origin: ChangeOrigin,
	alongside: readonly Statement[] = [],
	known?: ChainEnd | null,
): Promise<void> {
	let read = known === null ? CHAIN_BEGIN : known;
	await retryLostRaces(async () => {
		const end = read ?? (await findChainEnd(db, what.entity, what.partnerId));
		read = undefined;
		const row = await nextAuditRow(db, what, origin, end);
		await batch(db, { audit: db.insert(auditEvents).values(row), alongside });
	});
}

/** Digest of one partner's rows of a period; partner '' for rows of no partner. */
export interface PartnerDigest {
	partnerId: string;
	rows: number;
	/** SHA-256, hex, over the rows' hashes, one a line, ordered by time, entity and version. */
	digest: string;
}

/** Partners of one round trip. The index begins with the partner: their rows of a period lie together. */
const PARTNERS = 50;

/**
 * Digests of the audit rows of a period, which must be over, of those of the partners that have some.
 * @param from - the first moment of the period, epoch milliseconds.
 * @param until - the first moment after it.
 */
export async function digestRows(
	db: DatabaseDb,
	partnerIds: readonly string[],
	{ from, until }: { from: number; until: number },
): Promise<PartnerDigest[]> {
	const digests: PartnerDigest[] = [];
	for (let at = 0; at < partnerIds.length; at += PARTNERS) {
		const asked = JSON.stringify(partnerIds.slice(at, at + PARTNERS));
		const { rows } = await batch(db, {
			rows: sql<{ partnerId: string; hash: string }>`SELECT partner_id AS partnerId, hash
				FROM audit_events INDEXED BY audit_events_partner
				WHERE partner_id IN (SELECT value FROM json_each(${asked})) AND at >= ${from} AND at < ${until}
				ORDER BY partner_id, at, entity, version`,
		});
		for (const [partnerId, own] of Map.groupBy(rows, (row) => row.partnerId)) {
			const digest = sha256.create();
			for (const { hash } of own) digest.update(utf8ToBytes(`${hash}\n`));
			digests.push({ partnerId, rows: own.length, digest: bytesToHex(digest.digest()) });
		}
	}
	return digests;
}

/** When the first row was written, epoch milliseconds. Looks through the whole table: only until the audit's log begins. */
export async function readAuditBeginning(db: DatabaseDb): Promise<number | null> {
	const { rows } = await batch(db, {
		rows: sql<{ first: number | null }>`SELECT min(at) AS first FROM audit_events`,
	});
	return rows[0]?.first ?? null;
}
