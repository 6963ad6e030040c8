import { attempt, isAlone, reopened } from "./attempt-delivery.ts";
import type { CallOf } from "./calls.ts";
import {
	badShape,
	businessRejection,
	error,
	made,
	type Outcome,
	type Shape,
	success,
	time,
	unanswered,
} from "./expected.ts";
import type { Channel, DeliveryState } from "./facts.ts";
import { type Ledger, nextName } from "./ledger.ts";
import { type Moment, momentOf } from "./moment.ts";
import type { Rules } from "./rules.ts";
import type { Settings } from "./settings.ts";

/*
 * What an issued certificate has to deliver (§4.1, §6). In B2B what goes to the partner, and the copy, are tried in the call;
 * all else is queued. The queue of these sequences hands on what it is told to.
 */

export const DELIVERY_STATES = ["pending", "delivered", "dead"] as const;
const PAGE_SIZE = 50;

type NewDelivery = Pick<DeliveryState, "partner" | "code" | "event" | "toPartner" | "channel" | "address">;

/** @returns the ledger, and what the delivery is called. */
export function addDelivery(ledger: Ledger, delivery: NewDelivery, now: number): [Ledger, string] {
	const name = nextName("d", ledger, "deliveries");
	const untried: DeliveryState = {
		...delivery,
		createdAt: now,
		attempts: 0,
		tries: [],
		outcome: null,
		triedAt: null,
		dueAt: now,
		deliveredAt: null,
		deadAt: null,
		resentAt: null,
		kept: true,
	};
	return [{ ...ledger, deliveries: { ...ledger.deliveries, [name]: untried } }, name];
}

/** @param settings - of the partner, as they were read before the certificate was issued */
export function createDelivery(ledger: Ledger, code: string, settings: Settings, moment: Moment): Ledger {
	const { now } = moment;
	const { mode, webhook_url, webhook_events, delivery_email } = settings;
	const toPartner = mode === "B2B";
	const isSubscribed = webhook_url !== null && webhook_events.includes("certificate.emitted");
	const { partner, validation } = ledger.codes[code]!;
	const email = toPartner ? delivery_email : null;
	const copy = validation!.copy === email ? null : validation!.copy;
	const of = { partner, code, event: "certificate.emitted" } as const;
	const due: NewDelivery[] = [
		...(isSubscribed || (toPartner && email === null)
			? [{ ...of, toPartner, channel: "webhook" as const, address: null }]
			: []),
		...(email === null ? [] : [{ ...of, toPartner, channel: "email" as const, address: null }]),
		...(copy === null ? [] : [{ ...of, toPartner: false, channel: "email" as const, address: copy }]),
	];
	const names: string[] = [];
	let changed = ledger;
	for (const delivery of due) {
		const [added, name] = addDelivery(changed, delivery, now);
		changed = added;
		names.push(name);
	}
	const tried = toPartner ? names : [];
	const delivered = tried.reduce((before, name) => attempt(before, name, settings, moment), changed);
	const toHolder = { ...of, event: "holder.issued", toPartner: false, channel: "email" } as const;
	return addDelivery(delivered, { ...toHolder, address: "the holder" }, now)[0];
}

/** The holder of a certificate that was revoked is told, unless it was erased or forgotten by a restore. */
export function tellRevoked(ledger: Ledger, code: string, now: number): Ledger {
	const { partner, validation } = ledger.codes[code]!;
	if (!validation || validation.erased) return ledger;
	const toHolder = { partner, code, toPartner: false, channel: "email", address: "the holder" } as const;
	return addDelivery(ledger, { ...toHolder, event: "holder.revoked" }, now)[0];
}

/** An attempt by the queue. */
export function applyHandOn(
	ledger: Ledger,
	{ delivery: name }: CallOf<"hand on">,
	at: number,
	rules: Rules,
): Outcome {
	const { dueAt, partner } = ledger.deliveries[name]!;
	const moment = momentOf(ledger, partner, at, rules);
	if (dueAt === null || dueAt > moment.now || ledger.frozen)
		return { ledger, expected: unanswered("delivery not due") };
	const tried = attempt(ledger, name, ledger.partners[partner]!.settings, moment);
	const { tries, deadAt, event } = tried.deliveries[name]!;
	const { outcome } = tries.at(-1)!;
	const kind = event === "settings.changed" ? "notice" : "delivery";
	if (outcome === "delivered") return { ledger: tried, expected: unanswered(`${kind} delivered`) };
	const called = {
		no_endpoint: "waits for an address",
		endpoint_off: "waits for its endpoint",
		gone: "gone",
	};
	const failed = deadAt === null ? "refused" : "dead";
	const end = called[outcome as keyof typeof called] ?? failed;
	return { ledger: tried, expected: unanswered(`${kind} ${end}`) };
}

/** Outcomes of events, which end on the webhook until it is set or switched on. */
const WAITING = ["gone", "no_endpoint", "endpoint_off"];

/** Decisions, "Delivery": what waits for this channel's address goes out as soon as it is set or switched on. */
export function reopenWaiting(ledger: Ledger, partner: string, channel: Channel, now: number): Ledger {
	return changeDeliveries(ledger, (delivery) => {
		if (delivery.partner !== partner || delivery.deadAt === null || !delivery.kept) return null;
		const isEvent = channel === "webhook" && delivery.channel === "webhook";
		const waits = delivery.toPartner
			? delivery.channel === channel || isAlone(ledger, delivery)
			: isEvent && WAITING.includes(delivery.outcome!);
		return waits ? { ...reopened(now), channel } : null;
	});
}

/** A certificate that was made void must not leave any more. */
export function withdraw(ledger: Ledger, code: string, outcome: string, now: number): Ledger {
	return changeDeliveries(ledger, (delivery) =>
		delivery.code === code && delivery.event === "certificate.emitted" && delivery.deliveredAt === null
			? { outcome, dueAt: null, deadAt: now, kept: false }
			: null,
	);
}

export function changeDeliveries(
	ledger: Ledger,
	change: (delivery: DeliveryState) => Partial<DeliveryState> | null,
): Ledger {
	const changed = Object.entries(ledger.deliveries).map(([name, delivery]) => [
		name,
		{ ...delivery, ...change(delivery) },
	]);
	return { ...ledger, deliveries: Object.fromEntries(changed) };
}

/** Newest first; those of one moment in any order. */
export function applyListDeliveries(ledger: Ledger, call: CallOf<"list deliveries">): Outcome {
	const kind = "list deliveries";
	const { partner, state, limit = String(PAGE_SIZE) } = call;
	const problems = [
		...(state === undefined || (DELIVERY_STATES as readonly string[]).includes(state) ? [] : ["state"]),
		...(/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 500 ? [] : ["limit"]),
	];
	if (problems.length > 0) return { ledger, expected: badShape(kind, problems) };
	const found = Object.entries(ledger.deliveries)
		.filter(([, delivery]) => delivery.partner === partner)
		.filter(([, delivery]) => state === undefined || stateOf(delivery) === state)
		.sort(([, a], [, b]) => b.createdAt - a.createdAt);
	const last = found[Number(limit) - 1]?.[1].createdAt ?? Number.NEGATIVE_INFINITY;
	const shown = found.filter(([, { createdAt }]) => createdAt >= last);
	// Of several that were made at once the limit may show some.
	const isCertain = (delivery: DeliveryState) => shown.length <= Number(limit) || delivery.createdAt > last;
	const facts = (certain: boolean) =>
		shown
			.filter(([, delivery]) => isCertain(delivery) === certain)
			.map(([name, delivery]) => deliveryFacts(name, delivery, "ops"));
	const deliveries: Shape = { $: "set", of: facts(true), maybe: facts(false) };
	const filtered = state === undefined ? kind : `${kind} ${state}`;
	return { ledger, expected: success(filtered, 200, { deliveries }) };
}

export function applyResend(ledger: Ledger, call: CallOf<"resend">, at: number, rules: Rules): Outcome {
	const { now } = momentOf(ledger, ledger.deliveries[call.delivery]?.partner ?? "", at, rules);
	return resend(ledger, call.delivery, { kind: "resend", to: "ops", now });
}

export function resend(
	ledger: Ledger,
	name: string,
	{ kind, to, now }: { kind: string; to: "ops" | "partner"; now: number },
): Outcome {
	const delivery = ledger.deliveries[name];
	if (!delivery) return { ledger, expected: error(kind, "NOT_FOUND") };
	if (!delivery.kept) return { ledger, expected: businessRejection(kind, "PAYLOAD_ERASED") };
	const again = { ...delivery, ...reopened(now) };
	const data = { delivery: deliveryFacts(name, again, to) };
	return {
		ledger: { ...ledger, deliveries: { ...ledger.deliveries, [name]: again } },
		expected: success(kind, 200, data),
	};
}

export function stateOf({ deliveredAt, deadAt }: DeliveryState): (typeof DELIVERY_STATES)[number] {
	return deliveredAt !== null ? "delivered" : deadAt !== null ? "dead" : "pending";
}

/** As its partner sees it, or ops. */
export function deliveryFacts(name: string, delivery: DeliveryState, to: "ops" | "partner"): Shape {
	return {
		p_code: delivery.code === null ? null : made("code", delivery.code),
		...(to === "ops" && { partner_id: made("partner", delivery.partner) }),
		event: delivery.event,
		channel: delivery.channel,
		state: stateOf(delivery),
		attempts: delivery.attempts,
		last_outcome: delivery.outcome,
		created_at: time(delivery.createdAt),
		last_attempt_at: time(delivery.triedAt),
		next_attempt_at: time(delivery.dueAt),
		delivered_at: time(delivery.deliveredAt),
		dead_at: time(delivery.deadAt),
		resent_at: time(delivery.resentAt),
		payload_kept: delivery.kept,
		id: made("delivery", name),
	};
}
