import { type AuditFault, type ChainCursor, readChain, verifyChains } from "../../db/audit-chain.ts";
import { findInOne } from "../../directory.ts";
import { DIRECTORY } from "../../domain/database-names.ts";
import type { Platform } from "../../platform.ts";
import { log } from "../../telemetry/log.ts";
import { type DatabaseCursor, readNext } from "../../walk-databases.ts";
import type { Job } from "../job.ts";
import {
	type DigestsOfPartners,
	linesOf,
	listDigests,
	readPartnerDigests,
	rootOf,
	supersededIn,
} from "./digest-log.ts";
import { digestPartners } from "./digest-partners.ts";
import type { AuditContext } from "./take-digests.ts";

/* The whole verification: the rows of each database against each other, against the key and against the digests in R2. */

/** Position of a verification of the whole audit: along the rows and entities of each database first, then along the digests. */
export type AuditCursor = DatabaseCursor<ChainCursor> | DigestCursor;
type DigestCursor = { walk: "digests"; after: number };
/** The job's own: each database has a cursor, and the digests are verified by the run on the first. */
type JobCursor = ChainCursor | DigestCursor;

interface AuditPage<Cursor> {
	/** Number of rows or entities verified. */
	checked: number;
	faults: AuditFault[];
	/** Null at the end. */
	next: Cursor | null;
}

const NOTHING: Omit<AuditPage<never>, "next"> = { checked: 0, faults: [] };
const DIGESTS: DigestCursor = { walk: "digests", after: 0 };

/**
 * Verifies one page of the audit and says where to go on.
 * @param limit - rows to read; a day is read whole.
 * @returns with the databases that did not answer and were left out
 */
export async function verifyAuditPage(
	context: AuditContext,
	cursor: AuditCursor | null,
	limit: number,
): Promise<AuditPage<AuditCursor> & { silent: number[] }> {
	if (cursor && "walk" in cursor)
		return { silent: [], ...(await verifyDigests(context, cursor.after, limit)) };
	const page = await readNext(
		context,
		cursor,
		({ db }, at: ChainCursor | null) => verifyChains(db, at, limit),
		NOTHING,
	);
	return { ...page, next: page.next ?? DIGESTS };
}

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
	context: AuditContext,
	after: number,
	limit: number,
): Promise<AuditPage<DigestCursor>> {
	const { auditLog } = context;
	const all = await listDigests(auditLog);
	const superseded = supersededIn(all);
	const left = all.filter(({ sequence }) => sequence > after);
	const faults: AuditFault[] = [];
	let checked = 0;
	let at = after;
	for (const { sequence, from, until, rows, digest } of left.slice(0, DAYS)) {
		if (checked >= limit) break;
		const day = `digest:${new Date(from).toISOString().slice(0, 10)}`;
		if (sequence !== at + 1) faults.push({ entity: day, version: sequence, kind: "missing" });
		at = sequence;
		if (superseded.has(sequence)) continue;
		const found = await digestPartners(context, { from, until });
		const root = rootOf(found);
		checked += root.rows;
		if (root.rows === rows && root.digest === digest) continue;
		const owners = differing(found, await readPartnerDigests(auditLog, sequence));
		for (const entity of owners.length > 0 ? owners.map((owner) => `${day}:${owner}`) : [day])
			faults.push({ entity, version: sequence, kind: "contradicted" });
	}
	return {
		checked,
		faults,
		next: at === (all.at(-1)?.sequence ?? 0) ? null : { walk: "digests", after: at },
	};
}

/** Finds whose rows are not those of the digests that were taken: partners, or databases for the rows of none. */
function differing(found: DigestsOfPartners, taken: DigestsOfPartners): string[] {
	const [now, then] = [linesOf(found), linesOf(taken)];
	const owners = new Set([...now.keys(), ...then.keys()]);
	return [...owners].filter((owner) => now.get(owner) !== then.get(owner)).sort();
}

const ROWS_PER_RUN = 3_000;

/** Verifies the whole audit without end, a page a run; every run logs each fault that it finds. */
export const verifyAuditChains: Job = {
	name: "verify-audit",
	async run({ platform, database: { number, db } }, from) {
		const cursor = from as JobCursor | null;
		const page: AuditPage<JobCursor> =
			cursor?.walk === "digests"
				? await verifyDigests(platform, cursor.after, ROWS_PER_RUN)
				: await verifyChains(db, cursor, ROWS_PER_RUN);
		for (const { entity, version, kind } of page.faults)
			log("error", "audit_fault", { database: number, entity, version, fault: kind });
		const areDigestsNext = number === DIRECTORY && cursor?.walk !== "digests";
		return {
			cursor: page.next ?? (areDigestsNext ? DIGESTS : null),
			report: { looked_at: page.checked, faults: page.faults.length },
			changes: [],
		};
	},
};
