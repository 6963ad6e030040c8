import { type SQL, sql } from "drizzle-orm";
import { LEASE_MS } from "../domain/limits.ts";
import { batch, type DatabaseDb, openHere } from "./query.ts";

/* Written by hand: most columns are conditions over the rows of other tables, aliased within them. */

/**
 * Lists what D1 must never contain:
 * - `stale_step`: a step's mark is far past its lease
 * - `serial_not_emitted`: a certificate that its code does not name is not revoked
 * - `serial_not_revoked`: a serial that was reserved and never handed out is not revoked
 * - `cancelled_not_revoked`: the code is cancelled, its certificate is not revoked
 * - `certificate_missing`: the code reads emitted and its certificate is missing
 * - `holder_missing`: the code is bound to a RUT and its holder is gone
 * - `delivery_missing`: emitted in B2B, and no delivery was created
 * - `batch_missing`: a code lies in no batch
 * - `codes_missing`: a batch has fewer codes than it was made with
 * - `batch_gap`: a batch does not go on where the partner's last one ended
 */
export type DefectKind =
	| "stale_step"
	| "serial_not_emitted"
	| "serial_not_revoked"
	| "cancelled_not_revoked"
	| "certificate_missing"
	| "holder_missing"
	| "delivery_missing"
	| "batch_missing"
	| "codes_missing"
	| "batch_gap";

export interface Defect {
	kind: DefectKind;
	partnerId: string;
	/** A purchase code, or a batch's id. */
	subject: string;
	serial: string | null;
}

export interface DefectPage {
	looked: number;
	defects: Defect[];
	/** Key of the last row looked at; null behind the last. */
	last: string[] | null;
}

/** After its lease a step is recovered by alarm; a mark older than this was lost. */
const FORGOTTEN_AFTER_MS = 10 * LEASE_MS;

/** @param after - as `last` of the page before; [] from the start. */
type Find = (db: DatabaseDb, after: readonly string[], limit: number, now: number) => Promise<DefectPage>;

/** A page of codes: their steps, and the rows that must exist with them. */
export const findCodeDefects: Find = async (db, [after = ""], limit, now) => {
	const rows = await select(
		db,
		sql<Row>`SELECT partner_id, code AS subject, certificate_serial AS serial, code AS "key",
			processing_until < ${now - FORGOTTEN_AFTER_MS} AS stale_step,
			issued_at IS NOT NULL AND NOT EXISTS
				(SELECT 1 FROM certificates WHERE serial = certificate_serial AND certificates.code = codes.code) AS certificate_missing,
			bound_rut_index IS NOT NULL AND NOT EXISTS
				(SELECT 1 FROM holders WHERE holders.code = codes.code AND holders.partner_id = codes.partner_id) AS holder_missing,
			issued_at <= validated_at AND NOT EXISTS
				(SELECT 1 FROM outbox WHERE outbox.partner_id = codes.partner_id AND outbox.code = codes.code) AS delivery_missing,
			NOT EXISTS (SELECT 1 FROM batches WHERE id = batch_id AND batches.partner_id = codes.partner_id
				AND seq BETWEEN first_seq AND last_seq) AS batch_missing
		FROM purchase_codes AS codes WHERE code > ${after} AND ${openHere(sql`partner_id`)} ORDER BY code LIMIT ${limit}`,
	);
	return pageOf(rows, limit, [
		"stale_step",
		"certificate_missing",
		"holder_missing",
		"delivery_missing",
		"batch_missing",
	]);
};

/** A page of serials: each is its code's certificate, or revoked. */
export const findSerialDefects: Find = async (db, [after = ""], limit) => {
	const rows = await select(
		db,
		sql<Row>`SELECT certificates.partner_id, certificates.code AS subject, serial, serial AS "key",
			revoked_at IS NULL AND certificates.issued_at IS NULL AS serial_not_revoked,
			revoked_at IS NULL AND certificates.issued_at IS NOT NULL
				AND codes.certificate_serial IS NOT serial AS serial_not_emitted,
			revoked_at IS NULL AND codes.certificate_serial = serial
				AND codes.cancelled_at IS NOT NULL AS cancelled_not_revoked
		FROM certificates LEFT JOIN purchase_codes AS codes
			ON codes.code = certificates.code AND codes.partner_id = certificates.partner_id
		WHERE serial > ${after} AND ${openHere(sql`certificates.partner_id`)} ORDER BY serial LIMIT ${limit}`,
	);
	return pageOf(rows, limit, ["serial_not_revoked", "serial_not_emitted", "cancelled_not_revoked"]);
};

/** A page of batches: `seq` without a gap, and every code there. */
export const findBatchDefects: Find = async (db, [partner = "", seq = "0"], limit) => {
	const rows = await select(
		db,
		sql<Row>`SELECT partner_id, id AS subject, NULL AS serial, partner_id AS "key", last_seq AS "key2",
			(SELECT count(*) FROM purchase_codes AS codes WHERE codes.partner_id = batches.partner_id
				AND seq BETWEEN first_seq AND last_seq AND batch_id = id) < last_seq - first_seq + 1 AS codes_missing,
			first_seq <> 1 + coalesce((SELECT max(last_seq) FROM batches AS earlier
				WHERE earlier.partner_id = batches.partner_id AND earlier.last_seq < batches.last_seq), 0) AS batch_gap
		FROM batches WHERE (partner_id, last_seq) > (${partner}, ${Number(seq)}) AND ${openHere(sql`partner_id`)}
		ORDER BY partner_id, last_seq LIMIT ${limit}`,
	);
	return pageOf(rows, limit, ["codes_missing", "batch_gap"]);
};

interface Row extends Partial<Record<DefectKind, number | null>> {
	partner_id: string;
	subject: string;
	serial: string | null;
	key: string;
	key2?: number;
}

async function select(db: DatabaseDb, statement: SQL<Row>): Promise<Row[]> {
	const { rows } = await batch(db, { rows: statement });
	return rows;
}

function pageOf(rows: readonly Row[], limit: number, kinds: readonly DefectKind[]): DefectPage {
	const defects = rows.flatMap((row) =>
		kinds
			.filter((kind) => row[kind])
			.map((kind): Defect => ({ kind, partnerId: row.partner_id, subject: row.subject, serial: row.serial })),
	);
	const end = rows.length < limit ? null : rows.at(-1)!;
	const last = end && (end.key2 === undefined ? [end.key] : [end.key, String(end.key2)]);
	return { looked: rows.length, defects, last };
}
