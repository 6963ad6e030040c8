import { batch, type DatabaseDb, named, PARTNER_LIVES_HERE } from "./query.ts";

/* Settings that partners change themselves, row by row, to be compared with those of before a restore. */

/** Tables that are compared, and their columns that nobody is shown. */
const SECRET_COLUMNS = { partners: [], api_keys: ["hash"], webhook_secrets: ["secret_sealed"] } as const;
export const COMPARED_TABLES = ["partners", "api_keys", "webhook_secrets"] as const;

export interface SettingsRow {
	table: (typeof COMPARED_TABLES)[number];
	id: string;
	partnerId: string;
	/** Every other column, as D1 has it. */
	fields: Record<string, string | number | null>;
}

type Row = Record<string, string | number | null>;

/**
 * Reads the settings of a page of partners, with their keys and webhook secrets that are in force at `now`.
 * @param after - the last partner of the page before; '' from the start
 * @returns `next`: the last partner of this page; null at the end
 */
export async function pageSettings(
	db: DatabaseDb,
	page: { after: string; size: number; now: number },
): Promise<{ rows: SettingsRow[]; next: string | null }> {
	const { now, ...bounds } = page;
	const from = `FROM partners WHERE id > :after AND ${PARTNER_LIVES_HERE} ORDER BY id LIMIT :size + 0`;
	const these = `(SELECT id ${from})`;
	const read = await batch(db, {
		partners: named<Row>(`SELECT * ${from}`, bounds),
		api_keys: named<Row>(
			`SELECT * FROM api_keys WHERE partner_id IN ${these}
				AND (revoked_at IS NULL OR revoked_at > :now) AND (expires_at IS NULL OR expires_at > :now)`,
			page,
		),
		webhook_secrets: named<Row>(
			`SELECT * FROM webhook_secrets WHERE partner_id IN ${these} AND (expires_at IS NULL OR expires_at > :now)`,
			page,
		),
	});
	const rows = COMPARED_TABLES.flatMap((table) => read[table].map((row) => rowOf(table, row)));
	const last = read.partners.at(-1)?.id;
	return { rows, next: read.partners.length === page.size ? String(last) : null };
}

function rowOf(table: SettingsRow["table"], { id, partner_id, ...rest }: Row): SettingsRow {
	const hidden: readonly string[] = SECRET_COLUMNS[table];
	const fields = Object.fromEntries(Object.entries(rest).filter(([name]) => !hidden.includes(name)));
	return { table, id: String(id), partnerId: String(partner_id ?? id), fields };
}
