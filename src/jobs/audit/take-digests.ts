import { appendAudit, type ChangeOrigin, readAuditBeginning } from "../../db/audit-events.ts";
import { askAll, firstDb } from "../../directory.ts";
import { bindingOf } from "../../domain/database-names.ts";
import { DAY_MS, HOUR_MS } from "../../domain/durations.ts";
import { beginMending } from "../../mending.ts";
import type { Platform } from "../../platform.ts";
import { keepSignerHead } from "../../signer/kept-heads.ts";
import { Unavailable } from "../../unavailable.ts";
import type { Job } from "../job.ts";
import {
	type AuditBoundary,
	appendDigest,
	beginLog,
	type LoggedDigest,
	listDigests,
	readBoundary,
	supersededIn,
} from "./digest-log.ts";
import { digestPartners } from "./digest-partners.ts";

export type AuditContext = Pick<Platform, "directory" | "databases" | "auditLog">;

/** A row is committed within minutes of its time; its day is digested this long after the day's end. */
const FINAL_AFTER_MS = HOUR_MS;
const DAYS_PER_RUN = 31;
const ROWS_PER_RUN = 200_000;

/** Digests the days that are final and have no digest yet, oldest first, as many as one run may. */
async function takeDigests(context: AuditContext, now: number): Promise<LoggedDigest[]> {
	const { auditLog } = context;
	const boundary = await boundaryOf(context, now);
	const earlier = await listDigests(auditLog);
	const taken: LoggedDigest[] = [];
	let from = endOf(earlier, boundary);
	let sequence = nextSequence(earlier);
	let rows = 0;
	while (from + DAY_MS <= lastFinalDay(now) && taken.length < DAYS_PER_RUN && rows < ROWS_PER_RUN) {
		const until = from + DAY_MS;
		const period = { sequence, from, until, takenAt: now, restoredTo: null };
		const digest = await appendDigest(auditLog, period, await digestPartners(context, period));
		if (!digest) break;
		taken.push(digest);
		rows += digest.rows;
		from = until;
		sequence += 1;
	}
	return taken;
}

/**
 * Records that a database was put back to an earlier time. Its mending begins. The digests of the days since then no longer match the rows, and one
 * new digest replaces them. The audit gets `restore:d1` first.
 * @throws {Unavailable}
 */
export async function recordRestore(
	context: AuditContext & Pick<Platform, "pki">,
	{ database, restoredTo, reason }: { database: number; restoredTo: number; reason: string },
	origin: ChangeOrigin,
): Promise<LoggedDigest> {
	const { auditLog, pki } = context;
	const { now } = origin;
	await beginMending({ pki }, database, { now, restoredTo });
	const boundary = await boundaryOf(context, now);
	const outcome = `${new Date(restoredTo).toISOString()} ${reason}`;
	const what = {
		entity: restoreEntity(database),
		partnerId: "",
		action: "restore_recorded" as const,
		outcome,
	};
	await appendAudit(firstDb(context), what, origin);
	const earlier = await listDigests(auditLog);
	const until = Math.max(endOf(earlier, boundary), lastFinalDay(now));
	const restoredFrom = Math.min(until, Math.max(boundary.digestedFrom, lastFinalDay(restoredTo)));
	const from = beginOfDigestAt(restoredFrom, earlier);
	const period = { sequence: nextSequence(earlier), from, until, takenAt: now, restoredTo };
	const digest = await appendDigest(auditLog, period, await digestPartners(context, period));
	if (!digest) throw new Unavailable("bucket", "the log grew meanwhile");
	return digest;
}

/** Entity of the audit's rows about a database's restores. */
export function restoreEntity(database: number): string {
	return `restore:${database === 1 ? "d1" : bindingOf(database)}`;
}

/** End of the last day that was final at this time: no earlier row is ever written again. */
function lastFinalDay(now: number): number {
	return Math.floor((now - FINAL_AFTER_MS) / DAY_MS) * DAY_MS;
}

function endOf(digests: readonly LoggedDigest[], boundary: AuditBoundary): number {
	return Math.max(boundary.digestedFrom, ...digests.map(({ until }) => until));
}

/** Start of the digest in force at this time, which a new one supersedes whole; the time itself without one. */
function beginOfDigestAt(time: number, digests: readonly LoggedDigest[]): number {
	const superseded = supersededIn(digests);
	const reaching = digests.filter(({ sequence, until }) => until > time && !superseded.has(sequence));
	return Math.min(time, ...reaching.map(({ from }) => from));
}

function nextSequence(digests: readonly LoggedDigest[]): number {
	return (digests.at(-1)?.sequence ?? 0) + 1;
}

/** Reads the start of the log; begins it with the first row's day if need be. */
async function boundaryOf({ databases, auditLog }: AuditContext, now: number): Promise<AuditBoundary> {
	const known = await readBoundary(auditLog);
	if (known) return known;
	const firsts = await askAll({ databases }, ({ db }) => readAuditBeginning(db));
	const first = Math.min(now, ...firsts.filter((at) => at !== null));
	return beginLog(auditLog, { digestedFrom: Math.floor(first / DAY_MS) * DAY_MS });
}

/** Writes digests of each day's audit rows, of all databases, to R2, an hour after the day, and the last head of the signer's log. */
export const digestAudit: Job = {
	name: "digest-audit",
	once: true,
	async run({ platform, now }) {
		const taken = await takeDigests(platform, now);
		const heads = Number(await keepSignerHead(platform, now));
		const report = {
			days: taken.length,
			rows: taken.reduce((sum, { rows }) => sum + rows, 0),
			...(platform.signer && { heads }),
		};
		return { cursor: null, report, changes: [] };
	},
};
