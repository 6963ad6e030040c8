import { addDelivery } from "./deliveries.ts";
import type { Event } from "./facts.ts";
import type { CodeState, Ledger } from "./ledger.ts";
import { type Moment, momentOf } from "./moment.ts";

/* webhooks.md, "Choose the events": what a change of a code queues for the partner that has subscribed to it. */

export const EVENTS: readonly Event[] = [
	"certificate.emitted",
	"certificate.revoked",
	"certificate.expiring",
	"pcode.expiring",
	"pcode.validated",
	"pcode.locked",
	"pcode.cancelled",
];

/** @param code - null: of a batch */
export function tellPartner(
	ledger: Ledger,
	{ partner, code, event }: { partner: string; code: string | null; event: Event },
	now: number,
): Ledger {
	const { webhook_url, webhook_events } = ledger.partners[partner]!.settings;
	if (webhook_url === null || !webhook_events.includes(event)) return ledger;
	const toWebhook = { toPartner: false, channel: "webhook", address: null } as const;
	return addDelivery(ledger, { partner, code, event, ...toWebhook }, now)[0];
}

/** What has become of each code, once each. */
export function tellOfChanges(
	before: Ledger,
	after: Ledger,
	{ at, rules }: Pick<Moment, "at" | "rules">,
): Ledger {
	return Object.entries(after.codes).reduce((changed, [name, code]) => {
		const was = before.codes[name];
		if (was === undefined || was === code) return changed;
		const { partner } = code;
		const { now } = momentOf(after, partner, at, rules);
		return eventsOf(was, code)
			.filter((event) => !rules.untold.includes(event))
			.reduce((told, event) => tellPartner(told, { partner, code: name, event }, now), changed);
	}, after);
}

/** In B2B VALIDATED is no state of its own. A cancelled code's revocation comes beside its cancellation (0001). */
function eventsOf(was: CodeState, code: CodeState): Event[] {
	const { validation, certificate, lock, blockedAt, cancelledAt } = code;
	const isValidated = validation !== null && validation.at !== was.validation?.at && certificate === null;
	const isLocked = lock !== null && lock !== was.lock && lock.until !== was.lock?.until;
	const isBlocked = blockedAt !== null && was.blockedAt === null;
	const isRevoked = certificate?.revokedAt != null && was.certificate?.revokedAt == null;
	return [
		...(isValidated ? (["pcode.validated"] as const) : []),
		...(isLocked || isBlocked ? (["pcode.locked"] as const) : []),
		...(cancelledAt !== null && was.cancelledAt === null ? (["pcode.cancelled"] as const) : []),
		...(isRevoked ? (["certificate.revoked"] as const) : []),
	];
}

/** The events that a call queued: outcomes that its answer does not report. */
export function eventsQueued(before: Ledger, after: Ledger): string[] {
	const queued = Object.keys(after.deliveries).filter((name) => !before.deliveries[name]);
	const events = new Set(queued.map((name) => after.deliveries[name]!.event));
	return EVENTS.filter((event) => events.has(event)).map((event) => `event ${event}`);
}
