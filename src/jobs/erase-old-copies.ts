import { findPlace } from "../db/directory.ts";
import { eraseOldRows, findErased, findLeftPlaces, pageOldKeys } from "../db/erase-old-rows.ts";
import { refusalOf, type Seen } from "../db/move-partner.ts";
import { PARTNER_TABLES } from "../db/partner-tables.ts";
import { askEach, homeOf } from "../directory.ts";
import type { Job, JobCaller } from "./job.ts";

const ROWS_PER_PAGE = 5_000;
/** 200,000 rows a run. */
const PAGES_PER_RUN = 40;

const TABLES = PARTNER_TABLES.filter(({ ends, emptied }) => ends || emptied.length > 0);

/** Where the walk is: in the rows of a partner, of a table, after a key. */
interface Cursor {
	partnerId: string;
	table: number;
	after: readonly (string | number)[] | null;
}

/**
 * Erases in the rows that moved partners left what is erased where they live, until ops clear them. Decided by what is there and
 * not by time, so that each erasure is decided once.
 */
export const eraseOldCopies: Job = {
	name: "erase-old-copies",
	async run(caller, cursor) {
		const begun = (cursor as Cursor | null) ?? { partnerId: "", table: 0, after: null };
		const counts = { looked_at: 0, erased: 0 };
		let pages = 0;
		for (const seen of await findLeftPlaces(caller.db, begun.partnerId)) {
			const { partnerId } = seen;
			let at: Cursor | null = partnerId === begun.partnerId ? begun : { partnerId, table: 0, after: null };
			if (!(await isLeft(caller, partnerId))) continue;
			while (at) {
				if (pages++ === PAGES_PER_RUN) return { cursor: at, report: counts, changes: [] };
				at = await erasePage(caller, seen, at, counts);
			}
		}
		return { cursor: null, report: counts, changes: [] };
	},
};

/** Tells whether a partner's move from here has ended, and no other has begun. */
async function isLeft({ platform, database }: JobCaller, partnerId: string): Promise<boolean> {
	const where = await findPlace(platform.directory, { partnerId });
	return where?.state === "moved" && where.target === database.number;
}

/** @returns where the walk goes on; null: with the next partner */
async function erasePage(
	{ db, platform }: JobCaller,
	seen: Seen,
	at: Cursor,
	counts: { looked_at: number; erased: number },
): Promise<Cursor | null> {
	const table = TABLES[at.table];
	if (!table) return null;
	const page = await pageOldKeys(db, table, seen.partnerId, { after: at.after, limit: ROWS_PER_PAGE });
	counts.looked_at += page.looked;
	const next = page.after ? { ...at, after: page.after } : { ...at, table: at.table + 1, after: null };
	if (page.keys.length === 0) return next;
	const home = await homeOf(platform, seen.partnerId);
	// A silent database holds up no other partner's rows.
	const { answers } = await askEach({ databases: [home.database] }, () =>
		findErased(home.db, table, seen, page.keys),
	);
	const [found] = answers;
	if (!found) return null;
	const erased = found.columns.reduce((sum, { keys }) => sum + keys.length, found.rows.length);
	if (erased === 0) return next;
	try {
		await eraseOldRows(db, table, seen, found);
	} catch (error) {
		if (refusalOf(error) === "overtaken") return null;
		throw error;
	}
	counts.erased += erased;
	return next;
}
