import { type SQL, sql } from "drizzle-orm";
import { type AuditEntry, BATCH_ABANDONED, chainHash } from "./audit-events.ts";
import { batch, type DatabaseDb, livesHere } from "./query.ts";

/* Written by hand: drizzle cannot join on a part of a value (`substr(entity, 6)`), nor take a table from a variable. */

/** An audit row as it is stored, with what D1 stores of its entity. */
export interface AuditRow extends AuditEntry {
	previousHash: string;
	hash: string;
	mac: string | null;
	/** The entity's own version; null when it does not exist. */
	entityVersion: number | null;
	/** The entity's partner; null when it does not exist. */
	entityPartnerId: string | null;
}

/**
 * - `altered`: the hash does not follow from the columns and the hash before
 * - `unkeyed`: it has no mac
 * - `forged`: its mac is not of its hash under the audit's key
 * - `missing`: versions before this one are not there
 * - `unlinked`: the row does not name the hash of the row before it, so that one was replaced
 * - `truncated`: the entity is at a later version than its last row
 * - `beyond`: the entity is at an earlier version than its last row
 * - `foreign`: the row names another partner than the entity does
 * - `orphaned`: the entity does not exist
 * - `unrecorded`: the entity has changed and has no row
 * - `contradicted`: the rows of a day are not those whose digest was written then
 */
type AuditFaultKind =
	| "altered"
	| "unkeyed"
	| "forged"
	| "missing"
	| "unlinked"
	| "truncated"
	| "beyond"
	| "foreign"
	| "orphaned"
	| "unrecorded"
	| "contradicted";

export interface AuditFault {
	entity: string;
	/** Version of the faulty row; null without one. */
	version: number | null;
	kind: AuditFaultKind;
}

/** The last row of a chain that was looked at, for the page that goes on from it. */
interface ChainPosition {
	entity: string;
	version: number;
	hash: string;
}

/** Entities whose own row gives the length of their chain. A lost tail of any other chain cannot be detected. */
const ANCHORED = /^(code|partner|batch|upkeep):/;

/**
 * Finds every row that was altered, removed or moved, in rows ordered by entity and version.
 * @param before - the row before the first, when a page ended within its entity.
 * @param following - entity of the row after the last, null at the end: a chain is measured where it ends.
 */
async function verifyRows(
	db: DatabaseDb,
	rows: readonly AuditRow[],
	before: ChainPosition | null,
	following: string | null,
): Promise<AuditFault[]> {
	const faults: AuditFault[] = [];
	let previous = before;
	for (const [i, row] of rows.entries()) {
		const last = (rows[i + 1]?.entity ?? following) !== row.entity;
		const kinds = [
			...(await checkLink(row, previous?.entity === row.entity ? previous : null)),
			...(await checkMac(db, row)),
			...checkEntity(row, last),
		];
		faults.push(...kinds.map((kind) => ({ entity: row.entity, version: row.version, kind })));
		previous = row;
	}
	return faults;
}

async function checkLink(row: AuditRow, previous: ChainPosition | null): Promise<AuditFaultKind[]> {
	const faults: AuditFaultKind[] = [];
	const whole = row.version === (previous?.version ?? 0) + 1;
	if (!whole) faults.push("missing");
	else if (row.previousHash !== (previous?.hash ?? "")) faults.push("unlinked");
	if (row.hash !== (await chainHash(row, row.previousHash))) faults.push("altered");
	return faults;
}

async function checkMac({ auditKey }: DatabaseDb, { hash, mac }: AuditRow): Promise<AuditFaultKind[]> {
	if (mac === null) return ["unkeyed"];
	return (await auditKey.isMacOf(mac, hash)) ? [] : ["forged"];
}

function checkEntity(row: AuditRow, last: boolean): AuditFaultKind[] {
	if (!ANCHORED.test(row.entity)) return [];
	if (row.entityVersion === null) return last && row.action !== BATCH_ABANDONED ? ["orphaned"] : [];
	const faults: AuditFaultKind[] = [];
	if (row.entityPartnerId !== row.partnerId) faults.push("foreign");
	if (last && row.version < row.entityVersion) faults.push("truncated");
	if (last && row.version > row.entityVersion) faults.push("beyond");
	return faults;
}

/**
 * Where a walk over the rows of D1 stands: along the audit's, then along everything that must have rows, to find
 * what has lost all of them. Null is the beginning.
 */
export type ChainCursor =
	| { walk: "rows"; after: ChainPosition }
	| { walk: "partners" | "batches" | "codes"; after: string };

interface ChainPage {
	/** Rows or entities looked at. */
	checked: number;
	faults: AuditFault[];
	/** Null when everything was looked at. */
	next: ChainCursor | null;
}

/** The table that says of each kind of entity that it exists, and which of its rows must have been recorded. */
const ENTITIES = {
	partners: { table: sql`partners`, key: sql`id`, owner: sql`id`, prefix: "partner:", recorded: sql`true` },
	batches: {
		table: sql`batches`,
		key: sql`id`,
		owner: sql`partner_id`,
		prefix: "batch:",
		recorded: sql`true`,
	},
	codes: {
		table: sql`purchase_codes`,
		key: sql`code`,
		owner: sql`partner_id`,
		prefix: "code:",
		recorded: sql`version > 0`,
	},
};
const NEXT_WALK = { partners: "batches", batches: "codes", codes: null } as const;

/**
 * Verifies one page of the audit and says where to go on. Each page reads one moment of D1, so that what
 * is written meanwhile is no fault.
 * @param limit - rows to read.
 */
export async function verifyChains(
	db: DatabaseDb,
	cursor: ChainCursor | null,
	limit: number,
): Promise<ChainPage> {
	if (cursor !== null && cursor.walk !== "rows") return findUnrecorded(db, cursor, limit);
	const before = cursor?.after ?? null;
	const rows = await selectRows(
		db,
		sql`(entity, version) > (${before?.entity ?? ""}, ${before?.version ?? 0})`,
		limit + 1,
	);
	const page = rows.slice(0, limit);
	const faults = await verifyRows(db, page, before, rows[limit]?.entity ?? null);
	const last = page.at(-1);
	const next: ChainCursor =
		rows.length > limit && last
			? { walk: "rows", after: { entity: last.entity, version: last.version, hash: last.hash } }
			: { walk: "partners", after: "" };
	return { checked: page.length, faults, next };
}

/** The chain of one entity, from a version on, and the faults in it. */
export async function readChain(
	db: DatabaseDb,
	{ entity, fromVersion, limit }: { entity: string; fromVersion: number; limit: number },
) {
	const [before] =
		fromVersion > 1 ? await selectRows(db, sql`entity = ${entity} AND version = ${fromVersion - 1}`, 1) : [];
	const rows = await selectRows(db, sql`entity = ${entity} AND version >= ${fromVersion}`, limit + 1);
	const page = rows.slice(0, limit);
	return {
		rows: page,
		faults: await verifyRows(db, page, before ?? null, rows[limit]?.entity ?? null),
		more: rows.length > limit,
	};
}

/** Entities that have changed and of which the audit has nothing. */
async function findUnrecorded(
	db: DatabaseDb,
	{ walk, after }: Exclude<ChainCursor, { walk: "rows" }>,
	limit: number,
): Promise<ChainPage> {
	const { table, key, owner, prefix, recorded } = ENTITIES[walk];
	const { rows } = await batch(db, {
		rows: sql<{ id: string; unrecorded: number }>`SELECT ${key} AS id, ${recorded} AND NOT EXISTS
				(SELECT 1 FROM audit_events WHERE entity = ${prefix} || ${table}.${key}) AS unrecorded
			FROM ${table} WHERE ${key} > ${after} AND ${livesHere(owner)} ORDER BY ${key} LIMIT ${limit}`,
	});
	const faults = rows
		.filter(({ unrecorded }) => unrecorded)
		.map(({ id }): AuditFault => ({ entity: prefix + id, version: null, kind: "unrecorded" }));
	const last = rows.at(-1);
	const following = NEXT_WALK[walk];
	const next =
		last && rows.length === limit
			? ({ walk, after: last.id } as const)
			: following && ({ walk: following, after: "" } as const);
	return { checked: rows.length, faults, next };
}

async function selectRows(db: DatabaseDb, condition: SQL, limit: number): Promise<AuditRow[]> {
	const { rows } = await batch(db, {
		rows: sql<AuditRow>`SELECT entity, audit.version, audit.partner_id AS "partnerId", at, actor, action, outcome,
				request_id AS "requestId", step, previous_hash AS "previousHash", hash, mac,
				coalesce(codes.version, partners.version, batches.last_seq >= 0, upkeep_jobs.version) AS "entityVersion",
				coalesce(codes.partner_id, partners.id, batches.partner_id, iif(upkeep_jobs.job IS NULL, NULL, '')) AS "entityPartnerId"
			FROM (SELECT * FROM audit_events WHERE ${condition} AND ${livesHere(sql`partner_id`)} ORDER BY entity, version LIMIT ${limit}) AS audit
			LEFT JOIN purchase_codes AS codes ON entity GLOB 'code:*' AND codes.code = substr(entity, 6)
			LEFT JOIN partners ON entity GLOB 'partner:*' AND partners.id = substr(entity, 9)
			LEFT JOIN batches ON entity GLOB 'batch:*' AND batches.id = substr(entity, 7)
			LEFT JOIN upkeep_jobs ON entity GLOB 'upkeep:*' AND job = substr(entity, 8)
			ORDER BY entity, audit.version`,
	});
	return rows;
}
