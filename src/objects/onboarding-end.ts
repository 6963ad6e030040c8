import { retryLostRaces } from "../db/audit-events.ts";
import {
	endSession as endInDb,
	type SessionKey,
	type SessionRow,
	selectSession,
} from "../db/onboarding-sessions.ts";
import { query } from "../db/query.ts";
import { createEventDelivery } from "../delivery/outbox.ts";
import { enqueue } from "../delivery/queue.ts";
import { endOf } from "../domain/onboarding-session.ts";
import { type PartnerClock, partnerNow } from "../domain/partner-clock.ts";
import type { Platform } from "../platform.ts";
import { isAtRest } from "./change-code.ts";
import { eraseProgress } from "./onboarding-progress.ts";
import type { EndAnswer, EndCall } from "./onboarding-rpc.ts";
import { rejected } from "./rpc.ts";
import type { StepContext } from "./use-case.ts";

/**
 * Ends a session: its partner cancels it, or the cron finds that its time is over. While a step runs on its code it is
 * left alone. Ending it twice changes nothing.
 */
export async function endSession(context: StepContext<EndCall>): Promise<EndAnswer> {
	if (!(await isAtRest(context))) return tellWhileBusy(context);
	const { session, reason } = context.call;
	const answer = await endOnce(context, session, reason);
	if (answer.kind === "ended") eraseProgress(context.storage, session);
	return answer;
}

/** Writes nothing: an ended session answers so, and a living one cannot be ended now. */
async function tellWhileBusy({ call, ...context }: StepContext<EndCall>): Promise<EndAnswer> {
	const read = await readSession(context, call);
	if (read === null) return rejected({ reason: "not_found" });
	const { session, end } = read;
	if (end === null) return rejected({ reason: "other_validation_in_progress" });
	return { kind: "ended", session: { ...session, endedAt: end.at, endReason: end.reason } };
}

/** Ends a session of a code that is at rest, or whose own step this is. */
export function endOnce(
	{ call, db, platform, later }: StepContext,
	id: string,
	reason: EndCall["reason"],
): Promise<EndAnswer> {
	const { clock } = platform;
	const { partnerId, code, actor, requestId } = call;
	const key = { session: id, partnerId, code };
	return retryLostRaces(async (): Promise<EndAnswer> => {
		const read = await readSession({ db, platform }, key);
		if (read === null) return rejected({ reason: "not_found" });
		const { session, end: overdue } = read;
		const now = read.now();
		if (session.endedAt !== null) return { kind: "ended", session };
		if (overdue === null && reason === "expired") return { kind: "kept", session };
		const end = overdue ?? { reason, at: now };
		const data = { session_id: session.id };
		const event =
			end.reason === "expired"
				? await createEventDelivery({ ...platform, db }, "onboarding.expired", {
						partnerId,
						code,
						reference: session.reference,
						data,
						now,
					})
				: null;
		const origin = { actor, requestId, now: clock() };
		const { eventCreated } = await endInDb(db, key, end, origin, event?.statement ?? null);
		if (event && eventCreated) later(enqueue(platform, partnerId, [event.id]));
		return { kind: "ended", session: { ...session, endedAt: end.at, endReason: end.reason } };
	});
}

async function readSession({ db, platform }: Pick<StepContext, "db" | "platform">, key: SessionKey) {
	const [row] = await query(selectSession(db, key));
	return row ? judgeSession(platform, row) : null;
}

/** A session without its token's hash, its partner's time, and how the session has ended, null while it lives. */
export function judgeSession(platform: Platform, row: SessionRow & PartnerClock) {
	const { tokenHash: _, clockOffset, ...session } = row;
	const now = () => partnerNow(platform, { clockOffset });
	return { session, now, end: endOf(session, now()) };
}
