import { type CodeChange, type CodeRow, commitCodeChange } from "../db/code-changes.ts";
import { endOpenSessions } from "../db/onboarding-sessions.ts";
import { insertDeliveries } from "../db/outbox.ts";
import type { PartnerDb } from "../db/query.ts";
import { createEventDelivery } from "../delivery/outbox.ts";
import { enqueue } from "../delivery/queue.ts";
import type { Actor } from "../domain/actor.ts";
import { type CodeEvent, eventOf } from "../domain/code-event.ts";
import { endBy } from "../domain/onboarding.ts";
import { type Revocation, revokerOf } from "../domain/revocation-reason.ts";
import type { WebhookEvent } from "../domain/webhook-events.ts";
import type { Platform } from "../platform.ts";
import { log } from "../telemetry/log.ts";
import { count } from "../telemetry/metrics.ts";
import { eraseProgressBut } from "./onboarding-progress.ts";
import { tellRevoked } from "./tell-revoked.ts";
import type { WaitingKey } from "./waiting-key.ts";

/** Context of a commit, in a step, in its recovery and for ops. */
export interface CommitContext {
	platform: Platform;
	/** The database in which the code's partner lives; the object asks for it at each call and remembers none. */
	db: PartnerDb;
	/** The object's own storage. */
	storage: DurableObjectStorage;
	/** In the object's memory alone. */
	waitingKey: WaitingKey;
	/** Work that the answer does not wait for. */
	later: (work: Promise<unknown>) => void;
}

/** An event for the partner's webhook, if it subscribes to it. */
export interface PartnerEvent {
	type: WebhookEvent;
	data: Record<string, unknown>;
	/** The partner's reference, unless it is the code's. */
	reference?: string | null;
}

export type Change = Omit<CodeChange, "events"> & {
	/** Events that do not follow from the change itself. */
	events?: readonly PartnerEvent[];
	/** A certificate that the change revokes; its partner and its holder are notified. */
	revoked?: Revocation | null;
	/** Reason told to the partner: in ops' words, of the mend after a restore, of a lapse; null for a step's own. */
	opsReason: string | null;
};

/**
 * Commits a change of a code with the deliveries of its events, reports a security lock that it opened, and enqueues.
 * @throws {Unavailable} when it is unknown whether the change arrived.
 */
export async function commitChange(
	{ platform, db, storage, waitingKey, later }: CommitContext,
	{ opsReason, revoked = null, events = [], ...decided }: Change,
): Promise<"committed" | "conflict" | "email_in_use"> {
	const { change, ended } = endOnboarding(db, decided);
	const { row, set, actor, now } = change;
	const at = platform.clock();
	const event = eventOf(row.facts, set);
	const told: PartnerEvent[] = [
		...(event ? [{ type: event.event, data: dataOf(event, opsReason) }] : []),
		...(revoked ? [{ type: "certificate.revoked" as const, data: revocationData(revoked, actor) }] : []),
		...events,
	];
	const { partnerId, code } = row.facts;
	const ownReference = set.externalReferenceId ?? row.facts.externalReferenceId;
	const deliveries = await Promise.all(
		told.map(({ type, data, reference = ownReference }) =>
			createEventDelivery({ ...platform, db }, type, { partnerId, code, reference, data, now }),
		),
	);
	const statements = deliveries.map(({ statement }) => statement);
	const toHolder = revoked && (await tellRevoked(platform, row, revoked, { actor, now }));
	const alongside = [...change.alongside, ...(toHolder ? [insertDeliveries(db, [toHolder])] : [])];
	const result = await commitCodeChange(db, { ...change, at, alongside, events: statements });
	if (result.kind !== "committed") return result.kind;
	if (set.cancelledAt != null || set.blockedAt != null) waitingKey.drop();
	if (ended) eraseProgressBut(storage, ended.except);
	if (change.stepId !== null) reportLock(platform, change);
	const due = [...result.deliveries, ...(toHolder ? [toHolder.id] : [])];
	if (due.length > 0) later(enqueue(platform, partnerId, due));
	return "committed";
}

/** Ends onboarding of a code closed, validated or issued, and its session unless this is the session's step. */
function endOnboarding<C extends Omit<CodeChange, "events">>(db: PartnerDb, change: C) {
	const { row, set, actor, now, alongside } = change;
	const reason = endBy(set);
	if (reason === null) return { change, ended: null };
	const except =
		reason === "superseded" && actor.startsWith("widget:") ? actor.slice("widget:".length) : null;
	const sessions = endOpenSessions(db, row.facts, { reason, now, except });
	return {
		change: { ...change, set: { ...set, onboardingUntil: null }, alongside: [...alongside, sessions] },
		ended: { except },
	};
}

function revocationData({ serial, reason, at }: Revocation, actor: Actor) {
	const revoked_at = new Date(at).toISOString();
	return { serialNumber: serial, reason, revoked_at, revoked_by: revokerOf(actor) };
}

function dataOf(event: CodeEvent, opsReason: string | null) {
	switch (event.event) {
		case "pcode.validated":
			return {};
		case "pcode.locked":
			return {
				reason: event.reason ?? opsReason ?? "ops",
				locked_until: event.lockedUntil === null ? null : new Date(event.lockedUntil).toISOString(),
				permanent: event.permanent,
			};
		case "pcode.cancelled":
			return { reason: opsReason ?? "ops", serialNumber: event.serial };
	}
}

/** Logs and counts a security lock that a step opened: guessing shows here first. */
function reportLock(
	{ metrics }: Platform,
	{ row, set, action, requestId }: { row: CodeRow } & Pick<CodeChange, "set" | "action" | "requestId">,
): void {
	const { partnerId, code } = row.facts;
	const event = eventOf(row.facts, set);
	if (event?.event !== "pcode.locked") return;
	const outcome = event.permanent ? "permanent" : "temporary";
	const what = { request_id: requestId, partner_id: partnerId, p_code: code, cause: action, outcome };
	log("warn", "code_locked", what);
	count(metrics, { name: "lock", outcome, subject: action, partnerId });
}
