import { deleteEndedKeys, findEndedKeys } from "../db/api-keys.ts";
import { deleteEndedConsoleSessions } from "../db/console-sessions.ts";
import { deleteOldAttempts } from "../db/delivery-attempts.ts";
import { removeKeys } from "../db/directory.ts";
import { deleteEndedCounts, deleteEndedVisits } from "../db/holder-visits.ts";
import type { JobReport } from "../db/jobs.ts";
import { deleteEndedSessions } from "../db/onboarding-sessions.ts";
import type { Statement } from "../db/query.ts";
import {
	deleteEmails,
	deleteExpiredKeys,
	type EmailKey,
	eraseDetailsOf,
	eraseLeavesOf,
	pageEmails,
	pageFinishedDeliveries,
	pageLeaves,
} from "../db/retention.ts";
import { deleteEndedRutAttempts } from "../db/rut-attempts.ts";
import { deleteOldForms } from "../db/sent-forms.ts";
import type { JobName } from "../domain/audit-actions.ts";
import { DELIVERY_DETAILS_MS, ENDED_KEY_MS, registerUntil } from "../domain/retention.ts";
import { type Job, type JobCaller, keyAfter } from "./job.ts";

/* Erasures that are due, except holders'. docs/operators/retention.md has the periods and the reasons. */

const ROWS_PER_RUN = 5_000;

/** For what the directory holds. */
const ONCE = { once: true } as const;

/** 200,000 rows a run: many more than an hour brings. */
const PAGES_PER_RUN = 40;

/** Deletes used Idempotency-Keys, and forms that were sent, after 24 hours. */
export const forgetIdempotencyKeys = forgetJob("forget-idempotency-keys", {
	keys: async ({ db, database, platform: { directory } }, limit, now) =>
		(await deleteExpiredKeys(db, limit, now)) +
		(database.number === 1 ? await deleteOldForms(directory, limit, now) : 0),
});

/** Deletes counts and locks of RUTs that have ended. */
export const forgetRutAttempts = forgetJob("forget-rut-attempts", {
	ruts: ({ db, partnerId: only }, limit, now) => deleteEndedRutAttempts(db, limit, now, only),
});

/** Deletes records of widget sessions that ended a day ago. */
export const forgetOnboardingSessions = forgetJob("forget-onboarding-sessions", {
	sessions: ({ db, partnerId: only }, limit, now) => deleteEndedSessions(db, limit, now, only),
});

/** Deletes visits to the page to revoke. */
export const forgetHolderVisits = forgetJob(
	"forget-holder-visits",
	{
		visits: ({ platform: { directory } }, limit, now) => deleteEndedVisits(directory, limit, now),
	},
	ONCE,
);

/** Deletes sessions of consoles that have ended, and keys 90 days after their end. */
export const forgetConsoleSessions = forgetJob("forget-console-sessions", {
	sessions: ({ db }, limit, now) => deleteEndedConsoleSessions(db, limit, now),
	keys: async ({ db, platform: { directory } }, limit, now) => {
		const ended = await findEndedKeys(db, limit, now - ENDED_KEY_MS);
		await removeKeys(directory, ended);
		return deleteEndedKeys(db, ended);
	},
});

/** Deletes counts of the codes that the page has sent. */
export const forgetHolderCounts = forgetJob(
	"forget-holder-counts",
	{
		counts: ({ platform: { directory } }, limit, now) => deleteEndedCounts(directory, limit, now),
	},
	ONCE,
);

/** Deletes outcomes of attempts once complaints about them are no longer expected. */
export const forgetDeliveryAttempts = forgetJob("forget-delivery-attempts", {
	attempts: ({ db, partnerId: only }, limit, now) =>
		deleteOldAttempts(db, limit, now - DELIVERY_DETAILS_MS, only),
});

/** Deletes the index of an e-mail once no code of its RUT has it any more. */
export const forgetEmails: Job = walkJob({
	name: "forget-emails",
	page: ({ db }, cursor) =>
		pageEmails(db, Array.isArray(cursor) ? (cursor as unknown as EmailKey) : ["", ""], ROWS_PER_RUN),
	keyOf: ({ key }) => key,
	isPast: ({ orphan }) => orphan,
	erase: ({ db }, past) =>
		deleteEmails(
			db,
			past.map(({ key }) => key),
		),
	report: (looked, erased) => ({ looked_at: looked, emails: erased }),
});

/** Erases certificates. Serial, dates and revocation stay: they are no personal data. */
export const eraseLeaves: Job = walkJob({
	name: "erase-leaves",
	page: ({ db }, cursor) => pageLeaves(db, { ...pageAfter(cursor), only: null }),
	keyOf: ({ serial }) => serial,
	isPast: ({ notAfter }, now) => notAfter !== null && registerUntil(notAfter) <= now,
	erase: ({ db }, past) =>
		eraseLeavesOf(
			db,
			past.map(({ serial }) => serial),
		),
	report: (looked, erased) => ({ looked_at: looked, certificates: erased }),
});

/**
 * Erases recipients of finished deliveries. Payloads are erased with the delivery itself; a remaining one is erased
 * here. A pending delivery stays, however old.
 */
export const eraseDeliveryDetails: Job = walkJob({
	name: "erase-delivery-details",
	page: ({ db, now, partnerId: only }, cursor) =>
		pageFinishedDeliveries(db, { ...pageAfter(cursor), only }, now - DELIVERY_DETAILS_MS),
	keyOf: ({ id }) => id,
	isPast: () => true,
	erase: ({ db }, past, now) =>
		eraseDetailsOf(
			db,
			past.map(({ id }) => id),
			now - DELIVERY_DETAILS_MS,
		),
	report: (_, erased) => ({ deliveries: erased }),
});

type DeleteEnded = (caller: JobCaller, limit: number, now: number) => Promise<number>;

/**
 * A job that deletes ended records, found by their index; each kind under the name that the report counts it by. Not
 * audited: they hold no more than keyed hashes, times and a partner's own words.
 */
function forgetJob(
	name: JobName,
	kinds: Readonly<Record<string, DeleteEnded>>,
	where: Pick<Job, "once"> = {},
): Job {
	return {
		name,
		...where,
		async run(caller) {
			const report: Record<string, number> = {};
			let isDone = true;
			for (const [what, deleteEnded] of Object.entries(kinds)) {
				let [deleted, page] = [0, 0];
				do {
					deleted += await deleteEnded(caller, ROWS_PER_RUN, caller.now);
					page++;
				} while (deleted === page * ROWS_PER_RUN && page < PAGES_PER_RUN);
				report[what] = deleted;
				isDone &&= deleted < page * ROWS_PER_RUN;
			}
			return { cursor: isDone ? null : "more", report, changes: [] };
		},
	};
}

interface Walk<Row> {
	name: JobName;
	/** Rows in the order of their key, after the cursor. */
	page(caller: JobCaller, cursor: unknown): Promise<Row[]>;
	keyOf(row: Row): unknown;
	isPast(row: Row, now: number): boolean;
	/** Not async: awaiting a statement would run it outside the commit. */
	erase(caller: JobCaller, past: readonly Row[], now: number): Statement | readonly Statement[];
	report(looked: number, erased: number): JobReport;
}

function pageAfter(cursor: unknown): { after: string; limit: number } {
	return { after: keyAfter(cursor), limit: ROWS_PER_RUN };
}

/** A job that reads a table by its primary key and erases the rows that are past their time, a page a run. */
function walkJob<Row>({ name, page, keyOf, isPast, erase, report }: Walk<Row>): Job {
	return {
		name,
		async run(caller, cursor) {
			const { now } = caller;
			const rows = await page(caller, cursor);
			const past = rows.filter((row) => isPast(row, now));
			return {
				cursor: rows.length < ROWS_PER_RUN ? null : keyOf(rows.at(-1)!),
				report: report(rows.length, past.length),
				changes: past.length > 0 ? [erase(caller, past, now)].flat() : [],
			};
		},
	};
}
