import type { SessionState } from "./facts.ts";
import { changeSession, type Ledger } from "./ledger.ts";
import { type Moment, momentOf } from "./moment.ts";

/** When and why a session ended, by itself when its time was over; null while it lives. */
export function endOf({ end, until, completedAt }: SessionState, now: number): SessionState["end"] {
	if (end !== null || until > now) return end;
	return { at: until, reason: completedAt === null ? "expired" : "completed" };
}

/** Ends the session of a code that lives. */
export function endSessions(ledger: Ledger, code: string, end: NonNullable<SessionState["end"]>): Ledger {
	return Object.entries(ledger.sessions)
		.filter(([, session]) => session.code === code && endOf(session, end.at) === null)
		.reduce((changed, [name]) => changeSession(changed, name, { end }), ledger);
}

/** A code that was closed, or validated or claimed by API, has no session any more. */
export function endByChange(
	before: Ledger,
	after: Ledger,
	{ at, rules }: Pick<Moment, "at" | "rules">,
	own: string | null,
): Ledger {
	return Object.entries(after.codes).reduce((changed, [name, code]) => {
		const { now } = momentOf(after, code.partner, at, rules);
		const was = before.codes[name] ?? code;
		const isClosed = code.cancelledAt !== was.cancelledAt || code.blockedAt !== was.blockedAt;
		if (isClosed && (code.cancelledAt ?? code.blockedAt) !== null)
			return endSessions(changed, name, { at: now, reason: "code_closed" });
		const isValidated = code.validation !== null && code.validation.at !== was.validation?.at;
		const isIssued = code.certificate !== null && was.certificate === null;
		const isOwn = own !== null && after.sessions[own]?.code === name;
		return (isValidated || isIssued) && !isOwn
			? endSessions(changed, name, { at: now, reason: "superseded" })
			: changed;
	}, after);
}
