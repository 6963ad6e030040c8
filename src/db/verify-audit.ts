import { type AuditEntry, BATCH_ABANDONED, chainHash } from "./audit.ts";

/** An audit row as it is stored, beside what the register says of its entity. */
export interface AuditRow extends AuditEntry {
	previousHash: string;
	hash: string;
	/** The entity's own version; null when it is not in the register. */
	entityVersion: number | null;
	/** Whose the entity is; null when it is not in the register. */
	entityPartnerId: string | null;
}

/**
 * - `altered`: the hash does not follow from the columns and the hash before
 * - `missing`: versions before this one are not there
 * - `unlinked`: the row does not name the hash of the row before it, so that one was replaced
 * - `truncated`: the entity is at a later version than its last row
 * - `beyond`: the entity is at an earlier version than its last row
 * - `foreign`: the row names another partner than the entity does
 * - `orphaned`: the register does not know the entity
 * - `unrecorded`: the entity has changed and no row tells of it
 */
type AuditFaultKind =
	| "altered"
	| "missing"
	| "unlinked"
	| "truncated"
	| "beyond"
	| "foreign"
	| "orphaned"
	| "unrecorded";

export interface AuditFault {
	entity: string;
	/** Of the row where it shows; null where there is none. */
	version: number | null;
	kind: AuditFaultKind;
}

/** The last row of a chain that was looked at, for the page that goes on from it. */
export interface ChainPosition {
	entity: string;
	version: number;
	hash: string;
}

/** Entities whose own row tells how long their chain must be. Of others a lost tail cannot be told. */
const ANCHORED = /^(code|partner|batch|upkeep):/;

/**
 * Finds every row that was altered, removed or moved, in rows ordered by entity and version.
 * @param before - the row before the first, when a page ended within its entity.
 * @param following - entity of the row after the last, null at the end: a chain is measured where it ends.
 */
export async function verifyRows(
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

function checkEntity(row: AuditRow, last: boolean): AuditFaultKind[] {
	if (!ANCHORED.test(row.entity)) return [];
	if (row.entityVersion === null) return last && row.action !== BATCH_ABANDONED ? ["orphaned"] : [];
	const faults: AuditFaultKind[] = [];
	if (row.entityPartnerId !== row.partnerId) faults.push("foreign");
	if (last && row.version < row.entityVersion) faults.push("truncated");
	if (last && row.version > row.entityVersion) faults.push("beyond");
	return faults;
}
