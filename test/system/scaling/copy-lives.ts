import { randomBytes, randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Life, Row } from "./sample-rows.ts";

const PARTNERS = 20;
const BATCH = 500;

/** A code in the stock. */
interface Made {
	partner: string;
	seq: number;
	code: string;
}

/** Batches of 500 unused codes, a partner in turn, with their counters. @param codes - a multiple of 500. */
export function createStock(db: DatabaseSync, codes: number): Made[] {
	const made: Made[] = [];
	const partners = Array.from({ length: PARTNERS }, () => `pt_${randomUUID()}`);
	for (let n = 0; n < codes / BATCH; n++) {
		const partner = partners[n % PARTNERS]!;
		const first = Math.floor(n / PARTNERS) * BATCH + 1;
		const batch = `bt_${randomUUID()}`;
		insert(db, "batches", {
			id: batch,
			partner_id: partner,
			product: "FV01",
			first_seq: first,
			last_seq: first + BATCH - 1,
			created_at: NOW + n,
		});
		insert(db, "audit_events", {
			...AUDIT,
			entity: `batch:${batch}`,
			version: 1,
			partner_id: partner,
			hash: hex(32),
		});
		for (let i = 0; i < BATCH; i++) {
			const code = {
				partner,
				seq: first + i,
				code: hex(8)
					.toUpperCase()
					.replace(/(.{4})(?=.)/g, "$1-"),
			};
			const row = {
				partner_id: partner,
				seq: code.seq,
				code: code.code,
				batch_id: batch,
				product: "FV01",
				created_at: NOW + n,
				updated_at: NOW + n,
			};
			insert(db, "purchase_codes", row);
			made.push(code);
		}
		countStock(db, partner, first);
	}
	return made;
}

/** As the statement of pcode/bulk counts a batch. */
function countStock(db: DatabaseSync, partner: string, first: number): void {
	for (const level of [7, 14])
		for (let block = first >> level; block <= (first + BATCH - 1) >> level; block++)
			db.prepare(
				`INSERT INTO code_counts VALUES (?, '', 'unused', ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n`,
			).run(
				partner,
				level,
				block,
				Math.min(first + BATCH - 1, ((block + 1) << level) - 1) - Math.max(first, block << level) + 1,
			);
}

/** The rows of a sampled life under another code, holder, serial and reference. */
export function liveAgain(db: DatabaseSync, { partner, seq, code }: Made, life: Life, n: number): void {
	const serial = hex(16).toUpperCase();
	const reference = `order-${100_000_000 + n}`;
	const own = { partner_id: partner, code };
	const [facts] = life.purchase_codes;
	const { facet, busy_until, ...stored } = {
		...facts,
		...own,
		seq,
		external_reference_id: reference,
		certificate_serial: serial,
		bound_rut_index: token(),
	} as Row;
	const set = Object.keys(stored).filter(
		(column) =>
			stored[column] !== null && !["partner_id", "seq", "code", "batch_id", "product"].includes(column),
	);
	db.prepare(
		`UPDATE purchase_codes SET ${set.map((column) => `${column} = ?`).join(", ")} WHERE partner_id = ? AND seq = ?`,
	).run(...set.map((column) => stored[column]!), partner, seq);
	for (const row of life.audit_events)
		insert(db, "audit_events", {
			...row,
			entity: `code:${code}`,
			partner_id: partner,
			hash: hex(32),
			previous_hash: row.version === 1 ? "" : hex(32),
			step: randomUUID(),
			request_id: randomUUID(),
		});
	const rut = token();
	for (const row of life.holders) insert(db, "holders", { ...row, ...own, rut_index: rut });
	insert(db, "holder_emails", { partner_id: partner, email_index: token(), rut_index: rut, created_at: NOW });
	for (const row of life.certificates) insert(db, "certificates", { ...row, ...own, serial });
}

const NOW = 1_790_000_000_000;
const AUDIT = {
	at: NOW,
	actor: `key:${randomUUID()}`,
	action: "created",
	outcome: "500 FV01",
	request_id: randomUUID(),
	step: null,
	previous_hash: "",
};

function insert(db: DatabaseSync, table: string, row: Row): void {
	const columns = Object.keys(row);
	db.prepare(
		`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
	).run(...Object.values(row));
}

/** Bytes by table, its indexes with it. */
const hex = (octets: number) => randomBytes(octets).toString("hex");
const token = () => randomBytes(32).toString("base64url");
