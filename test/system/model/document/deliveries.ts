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
import { type DeliveryState, type Ledger, nextName } from "./ledger.ts";

/*
 * What an issued certificate has to deliver (§4.1, §6). No partner here has a webhook: a B2B certificate and the copy go by
 * e-mail in the call; the copy of a claim is queued, and so is the message to the holder. The queue of these sequences hands on what it is told to.
 * One address refuses every e-mail.
 */

export const REFUSED_ADDRESS = "refused@partner.example";
const REFUSED = "email E_RECIPIENT_NOT_ALLOWED";
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Standard Webhooks' example schedule: the wait after each attempt. */
const RETRIES = [5 * SECOND, 300 * SECOND, HOUR / 2, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
const ROUND = 72 * HOUR;

export const DELIVERY_STATES = ["pending", "delivered", "dead"] as const;
const PAGE_SIZE = 50;

/** @param to - the delivery e-mail in B2B, null in B2C. */
export function createDelivery(ledger: Ledger, code: string, to: string | null, now: number): Ledger {
	const untried = untriedEmail(code, now);
	const tried = { ...untried, attempts: 1, triedAt: now, dueAt: null };
	const refused: DeliveryState = {
		...tried,
		outcome: REFUSED,
		dueAt: now + RETRIES[0]!,
	};
	const sent: DeliveryState = { ...tried, outcome: "delivered", deliveredAt: now, kept: false };
	const hasCopy = ledger.codes[code]!.validation!.copy !== null;
	const due: DeliveryState[] = [
		...(to === null ? [] : [{ ...(to === REFUSED_ADDRESS ? refused : sent), toPartner: true }]),
		...(hasCopy ? [to === null ? untried : sent] : []),
		{ ...untried, event: "holder.issued" },
	];
	return due.reduce(add, ledger);
}

/** The holder of a certificate that was revoked is told, unless it was erased. */
export function tellRevoked(ledger: Ledger, code: string, now: number): Ledger {
	if (ledger.codes[code]!.validation!.erased) return ledger;
	return add(ledger, { ...untriedEmail(code, now), event: "holder.revoked" });
}

function add(ledger: Ledger, delivery: DeliveryState): Ledger {
	const name = nextName("d", ledger, "deliveries");
	return { ...ledger, deliveries: { ...ledger.deliveries, [name]: delivery } };
}

function untriedEmail(code: string, now: number): DeliveryState {
	return {
		code,
		event: "certificate.emitted",
		toPartner: false,
		channel: "email",
		createdAt: now,
		attempts: 0,
		outcome: null,
		triedAt: null,
		dueAt: now,
		deliveredAt: null,
		deadAt: null,
		resentAt: null,
		kept: true,
	};
}

/** An attempt by the queue. Without an address, or at the end of its round, the delivery waits. */
export function applyHandOn(ledger: Ledger, { delivery: name }: CallOf<"hand on">, now: number): Outcome {
	const delivery = ledger.deliveries[name]!;
	const { dueAt, toPartner, code, resentAt, createdAt } = delivery;
	if (dueAt === null || dueAt > now || ledger.frozen)
		return { ledger, expected: unanswered("delivery not due") };
	const { delivery_email } = ledger.partners[ledger.codes[code]!.partner]!.settings;
	const attempts = delivery.attempts + 1;
	const tried = { ...delivery, attempts, triedAt: now, dueAt: null };
	const ended = (outcome: string, after: Partial<DeliveryState>): Outcome => ({
		ledger: { ...ledger, deliveries: { ...ledger.deliveries, [name]: { ...tried, ...after } } },
		expected: unanswered(`delivery ${outcome}`),
	});
	if (toPartner && delivery_email === null)
		return ended("waits for an address", { outcome: "no_endpoint", deadAt: now });
	if (!toPartner || delivery_email !== REFUSED_ADDRESS)
		return ended("delivered", { outcome: "delivered", deliveredAt: now, kept: false });
	const end = (resentAt ?? createdAt) + ROUND;
	const delay = RETRIES[attempts - 1];
	return delay === undefined || now >= end
		? ended("dead", { outcome: REFUSED, deadAt: now })
		: ended("refused", { outcome: REFUSED, dueAt: Math.min(now + delay, end) });
}

/** Decisions, "Delivery": what waits goes out as soon as an address is set. */
export function reopenWaiting(ledger: Ledger, partner: string, now: number): Ledger {
	return changeDeliveries(ledger, (delivery) => (waitsFor(ledger, partner, delivery) ? reopened(now) : null));
}

export function hasWaiting(ledger: Ledger, partner: string): boolean {
	return Object.values(ledger.deliveries).some((delivery) => waitsFor(ledger, partner, delivery));
}

function waitsFor({ codes }: Ledger, partner: string, { code, toPartner, deadAt, kept }: DeliveryState) {
	return codes[code]!.partner === partner && toPartner && deadAt !== null && kept;
}

/** A new round of attempts. */
function reopened(now: number) {
	return { attempts: 0, dueAt: now, resentAt: now, deadAt: null };
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
		.filter(([, { code }]) => ledger.codes[code]!.partner === partner)
		.filter(([, delivery]) => state === undefined || stateOf(delivery) === state)
		.sort(([, a], [, b]) => b.createdAt - a.createdAt);
	const last = found[Number(limit) - 1]?.[1].createdAt ?? Number.NEGATIVE_INFINITY;
	const shown = found.filter(([, { createdAt }]) => createdAt >= last);
	// Of several that were made at once the limit may show some.
	const isCertain = (delivery: DeliveryState) => shown.length <= Number(limit) || delivery.createdAt > last;
	const facts = (certain: boolean) =>
		shown
			.filter(([, delivery]) => isCertain(delivery) === certain)
			.map(([name, delivery]) => deliveryFacts(ledger, name, delivery));
	const deliveries: Shape = { $: "set", of: facts(true), maybe: facts(false) };
	const filtered = state === undefined ? kind : `${kind} ${state}`;
	return { ledger, expected: success(filtered, 200, { deliveries }) };
}

export function applyResend(ledger: Ledger, call: CallOf<"resend">, now: number): Outcome {
	const delivery = ledger.deliveries[call.delivery];
	if (!delivery) return { ledger, expected: error("resend", "NOT_FOUND") };
	if (!delivery.kept) return { ledger, expected: businessRejection("resend", "PAYLOAD_ERASED") };
	const again = { ...delivery, ...reopened(now) };
	const deliveries = { ...ledger.deliveries, [call.delivery]: again };
	const data = { delivery: deliveryFacts(ledger, call.delivery, again) };
	return { ledger: { ...ledger, deliveries }, expected: success("resend", 200, data) };
}

function stateOf({ deliveredAt, deadAt }: DeliveryState): (typeof DELIVERY_STATES)[number] {
	return deliveredAt !== null ? "delivered" : deadAt !== null ? "dead" : "pending";
}

function deliveryFacts({ codes }: Ledger, name: string, delivery: DeliveryState): Shape {
	return {
		p_code: made("code", delivery.code),
		partner_id: made("partner", codes[delivery.code]!.partner),
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
