import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type SQL, sql } from "drizzle-orm";
import { batch, type Db } from "./query.ts";

/* Written by hand: drizzle has neither WITH RECURSIVE nor INDEXED BY. */

export interface RowsDigest {
	rows: number;
	/** SHA-256, hex, over the rows' hashes, one a line, ordered by partner, time, entity and version. */
	digest: string;
}

interface Chunk {
	partners: { id: string }[];
	hashes: { hash: string }[];
}

/** Partners of one round trip. The index begins with the partner: their rows of a period lie together. */
const PARTNERS = 50;

/**
 * Digest of the audit rows of a period, which must be over.
 * @param from - the first moment of the period, epoch milliseconds.
 * @param until - the first moment after it.
 */
export async function digestRows(db: Db, from: number, until: number): Promise<RowsDigest> {
	const digest = sha256.create();
	let rows = 0;
	let after: string | null = null;
	for (;;) {
		const { partners, hashes }: Chunk = await batch(db, {
			partners: sql<{ id: string }>`${nextPartners(after)} SELECT id FROM partner WHERE id IS NOT NULL`,
			hashes: sql<{ hash: string }>`${nextPartners(after)}
				SELECT hash FROM audit_events INDEXED BY audit_events_partner
				WHERE partner_id IN (SELECT id FROM partner) AND at >= ${from} AND at < ${until}
				ORDER BY partner_id, at, entity, version`,
		});
		for (const { hash } of hashes) digest.update(utf8ToBytes(`${hash}\n`));
		rows += hashes.length;
		const last = partners.at(-1);
		if (!last || partners.length < PARTNERS) return { rows, digest: bytesToHex(digest.digest()) };
		after = last.id;
	}
}

/** `partner`: the next partners that have rows, found by one seek of the index each; then a null. */
function nextPartners(after: string | null): SQL {
	const first = after === null ? sql`true` : sql`partner_id > ${after}`;
	return sql`WITH RECURSIVE partner(id) AS (
		SELECT min(partner_id) FROM audit_events WHERE ${first}
		UNION ALL SELECT (SELECT min(partner_id) FROM audit_events WHERE partner_id > partner.id)
			FROM partner WHERE id IS NOT NULL
		LIMIT ${PARTNERS})`;
}

/** When the first row was written, epoch milliseconds. Looks through the whole table: only until the audit's log begins. */
export async function readAuditBeginning(db: Db): Promise<number | null> {
	const { rows } = await batch(db, {
		rows: sql<{ first: number | null }>`SELECT min(at) AS first FROM audit_events`,
	});
	return rows[0]?.first ?? null;
}
