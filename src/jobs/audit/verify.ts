import { type AuditFault, type ChainCursor, readChain, verifyChains } from "../../db/audit-chain.ts";
import { type Database, type DatabaseCursor, findInOne, readNext } from "../../directory.ts";
import type { Platform } from "../../platform.ts";
import { log } from "../../telemetry/log.ts";
import type { Job } from "../job.ts";
import { listDigests, supersededIn } from "./digest-log.ts";
import { digestOfAll } from "./take-digests.ts";

/* The whole verification: D1's rows against each other, against the key and against the digests in R2. */

/** Position of a verification of the whole audit: along the rows and entities of each database first, then along the digests. */
export type AuditCursor = DatabaseCursor<ChainCursor> | DigestCursor;
type DigestCursor = { walk: "digests"; after: number };
/** The job's own: each database has a cursor, and the digests are read with the first. */
type JobCursor = ChainCursor | DigestCursor;

interface AuditPage<Cursor> {
	/** Number of rows or entities verified. */
	checked: number;
	faults: AuditFault[];
	/** Null at the end. */
	next: Cursor | null;
}

type Context = Pick<Platform, "databases" | "auditLog">;

/** Verifies one page of the audit and says where to go on. @param limit - rows to read; a day is read whole. */
export async function verifyAuditPage(
	context: Context,
	cursor: AuditCursor | null,
	limit: number,
): Promise<AuditPage<AuditCursor>> {
	if (cursor && "walk" in cursor) return verifyDigests(context, cursor.after, limit);
	const page = await readNext(context, cursor, ({ db }, at: ChainCursor | null) =>
		verifyChains(db, at, limit),
	);
	return { ...page, next: page.next ?? DIGESTS };
}

const DIGESTS: DigestCursor = { walk: "digests", after: 0 };

/** The chain of one entity, in whichever database it is. */
export async function readAnyChain(
	platform: Pick<Platform, "databases">,
	asked: Parameters<typeof readChain>[1],
): ReturnType<typeof readChain> {
	const none = { rows: [], faults: [], more: false };
	const found = await findInOne(platform, async ({ db }) => {
		const chain = await readChain(db, asked);
		return chain.rows.length > 0 ? chain : null;
	});
	return found ?? none;
}

/** Days of a page, however few rows they have. */
const DAYS = 31;

async function verifyDigests(
	context: Context,
	after: number,
	limit: number,
): Promise<AuditPage<DigestCursor>> {
	const all = await listDigests(context.auditLog);
	const superseded = supersededIn(all);
	const left = all.filter(({ sequence }) => sequence > after);
	const faults: AuditFault[] = [];
	let checked = 0;
	let at = after;
	for (const { sequence, from, until, rows, digest } of left.slice(0, DAYS)) {
		if (checked >= limit) break;
		const entity = `digest:${new Date(from).toISOString().slice(0, 10)}`;
		if (sequence !== at + 1) faults.push({ entity, version: sequence, kind: "missing" });
		at = sequence;
		if (superseded.has(sequence)) continue;
		const found = await digestOfAll(context, from, until);
		checked += found.rows;
		if (found.rows !== rows || found.digest !== digest)
			faults.push({ entity, version: sequence, kind: "contradicted" });
	}
	return {
		checked,
		faults,
		next: at === (all.at(-1)?.sequence ?? 0) ? null : { walk: "digests", after: at },
	};
}

const ROWS_PER_RUN = 3_000;

async function verifyPart(
	platform: Platform,
	{ number, db }: Database,
	cursor: JobCursor | null,
): Promise<AuditPage<JobCursor>> {
	if (cursor?.walk === "digests") return verifyDigests(platform, cursor.after, ROWS_PER_RUN);
	const page = await verifyChains(db, cursor, ROWS_PER_RUN);
	return { ...page, next: page.next ?? (number === 1 ? DIGESTS : null) };
}

/** Verifies the whole audit without end, a page a run; every run logs each fault that it finds. */
export const verifyAuditChains: Job = {
	name: "verify-audit",
	async run({ platform, database }, cursor) {
		const page = await verifyPart(platform, database, cursor as JobCursor | null);
		for (const { entity, version, kind } of page.faults)
			log("error", "audit_fault", { entity, version, fault: kind });
		return {
			cursor: page.next,
			report: { looked_at: page.checked, faults: page.faults.length },
			changes: [],
		};
	},
};
