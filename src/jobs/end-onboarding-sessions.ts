import { findDueSessions } from "../db/onboarding-sessions.ts";
import { askEach } from "../directory.ts";
import { callCode } from "../objects/stubs.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";

/** Calls to objects: a minute's run of the cron may make a thousand calls in all. */
const SESSIONS_PER_RUN = 200;
const AT_ONCE = 10;

/**
 * Ends the sessions whose time is over through their codes' objects; the cron calls it each minute. Such sessions
 * already read as ended: this tells the partner and erases what the holder typed.
 * @param of - limits the run to one partner, by its clock. @returns how many were due.
 */
export async function endDueSessions(
	platform: Platform,
	of?: { partnerId: string; now: number },
): Promise<number> {
	const now = of?.now ?? platform.clock();
	const { answers } = await askEach(platform, ({ db }) =>
		findDueSessions(db, now, SESSIONS_PER_RUN, of?.partnerId ?? null),
	);
	const due = answers.flat();
	for (let i = 0; i < due.length; i += AT_ONCE)
		await Promise.all(due.slice(i, i + AT_ONCE).map((session) => end(platform, session, now)));
	return due.length;
}

async function end(
	platform: Platform,
	key: { session: string; partnerId: string; code: string },
	now: number,
): Promise<void> {
	const call = { ...key, actor: "job:end-onboarding-sessions", requestId: `cron-${now}` } as const;
	try {
		await callCode(platform, key, (object) =>
			object.endSession({ ...call, idempotency: null, reason: "expired" }),
		);
	} catch (error) {
		log("error", "session_end_failed", { session: key.session, ...describeError(error) });
	}
}
