import { type AuditFault, type ChainCursor, verifyChains } from "../../db/audit-chain.ts";
import { digestRows } from "../../db/audit-events.ts";
import type { Platform } from "../../platform.ts";
import { log } from "../../telemetry/log.ts";
import type { Job } from "../job.ts";
import { listDigests, supersededIn } from "./digest-log.ts";

/* The whole verification: D1's rows against each other, against the key and against the digests in R2. */

/** Position of a verification of the whole audit: along D1's rows and entities first, then along the digests. */
export type AuditCursor = ChainCursor | { walk: "digests"; after: number };

export interface AuditPage {
	/** Number of rows or entities verified. */
	checked: number;
	faults: AuditFault[];
	/** Null at the end. */
	next: AuditCursor | null;
}

type Context = Pick<Platform, "db" | "auditLog">;

/** Verifies one page of the audit and says where to go on. @param limit - rows to read; a day is read whole. */
export async function verifyAuditPage(
	{ db, auditLog }: Context,
	cursor: AuditCursor | null,
	limit: number,
): Promise<AuditPage> {
	if (cursor?.walk === "digests") return verifyDigests({ db, auditLog }, cursor.after, limit);
	const page = await verifyChains(db, cursor, limit);
	return { ...page, next: page.next ?? { walk: "digests", after: 0 } };
}

/** Days of a page, however few rows they have. */
const DAYS = 31;

async function verifyDigests({ db, auditLog }: Context, after: number, limit: number): Promise<AuditPage> {
	const all = await listDigests(auditLog);
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
		const found = await digestRows(db, from, until);
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

/** Verifies the whole audit without end, a page a run; every run logs each fault that it finds. */
export const verifyAuditChains: Job = {
	name: "verify-audit",
	async run({ platform }, cursor) {
		const page = await verifyAuditPage(platform, cursor as AuditCursor | null, ROWS_PER_RUN);
		for (const { entity, version, kind } of page.faults)
			log("error", "audit_fault", { entity, version, fault: kind });
		return {
			cursor: page.next,
			report: { looked_at: page.checked, faults: page.faults.length },
			changes: [],
		};
	},
};
