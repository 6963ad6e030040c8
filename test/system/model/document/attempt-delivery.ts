import type { Channel, DeliveryState } from "./facts.ts";
import { changePartner, type Ledger, record } from "./ledger.ts";
import type { Moment } from "./moment.ts";
import type { Rules } from "./rules.ts";
import type { Settings } from "./settings.ts";

/*
 * One attempt of a delivery, and what comes of it (§6; decisions, "Delivery"). An address answers always the same: what it
 * is called says how.
 */

export const REFUSED_ADDRESS = "refused@partner.example";
export const ENDPOINTS = {
	good: "https://partner.example/hook",
	another: "https://partner.example/hook/2",
	broken: "https://partner.example/broken",
	gone: "https://partner.example/gone",
} as const;

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Standard Webhooks' example schedule: the wait after each attempt. */
const RETRIES = [5 * SECOND, 300 * SECOND, HOUR / 2, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
export const ROUND = 72 * HOUR;

/** What an endpoint answers a webhook. */
export function statusOf(url: string): number {
	if (url === ENDPOINTS.gone) return 410;
	return url === ENDPOINTS.broken ? 500 : 204;
}

interface Result {
	outcome: string;
	status: number | null;
}

/** @param settings - of the partner, when its addresses were read */
export function attempt(
	ledger: Ledger,
	name: string,
	settings: Settings,
	{ now, at, rules }: Moment,
): Ledger {
	const delivery = ledger.deliveries[name]!;
	const { partner, attempts, tries } = delivery;
	const to = destinationOf(ledger, delivery, settings, rules);
	const channel = "why" in to ? delivery.channel : to.channel;
	const result = "why" in to ? { outcome: to.why, status: null } : answerOf(to);
	const tried = {
		...delivery,
		...{ channel, attempts: attempts + 1, outcome: result.outcome, triedAt: now, dueAt: null },
		tries: [...tries, { at: now, channel, ...result }],
	};
	const ended = { ...tried, ...endOf(ledger, tried, settings, now) };
	const changed = { ...ledger, deliveries: { ...ledger.deliveries, [name]: ended } };
	const isGone = result.outcome === "gone" && "address" in to && to.address === settings.webhook_url;
	return isGone && rules.goneSwitchesOff ? switchOff(changed, partner, at) : changed;
}

type Destination = { channel: Channel; address: string } | { why: "no_endpoint" | "endpoint_off" };

/** A certificate may go by the other channel, if that has the only address and no delivery of its own. */
function destinationOf(
	ledger: Ledger,
	delivery: DeliveryState,
	{ webhook_url, webhook_off, delivery_email }: Settings,
	rules: Rules,
): Destination {
	const { channel, address, toPartner } = delivery;
	const isOldWebhook = channel === "webhook" && address !== webhook_url && rules.noticesKeepAddress;
	if (address !== null && (channel === "email" || isOldWebhook)) return { channel, address };
	const webhook: Destination =
		webhook_url === null
			? { why: "no_endpoint" }
			: webhook_off
				? { why: "endpoint_off" }
				: { channel: "webhook", address: webhook_url };
	if (!toPartner) return webhook;
	const email: Destination =
		delivery_email === null ? { why: "no_endpoint" } : { channel: "email", address: delivery_email };
	const [own, other] = channel === "webhook" ? [webhook, email] : [email, webhook];
	return "why" in own && !("why" in other) && isAlone(ledger, delivery) ? other : own;
}

/** No other delivery carries the certificate to its partner. */
export function isAlone({ deliveries }: Ledger, { partner, code, toPartner }: DeliveryState): boolean {
	const carriers = Object.values(deliveries).filter(
		(other) => other.partner === partner && other.code === code && other.toPartner,
	);
	return toPartner && carriers.length === 1;
}

function answerOf({ channel, address }: { channel: Channel; address: string }): Result {
	if (channel === "email")
		return {
			outcome: address === REFUSED_ADDRESS ? "email E_RECIPIENT_NOT_ALLOWED" : "delivered",
			status: null,
		};
	const status = statusOf(address);
	if (status === 410) return { outcome: "gone", status };
	return { outcome: status < 300 ? "delivered" : `http ${status}`, status };
}

/** A dead letter of the webhook goes to the delivery e-mail, if its partner has one. */
function endOf(
	ledger: Ledger,
	tried: DeliveryState,
	{ delivery_email }: Settings,
	now: number,
): Partial<DeliveryState> {
	const { outcome, attempts, resentAt, createdAt, channel } = tried;
	if (outcome === "delivered") return { deliveredAt: now, kept: false };
	const end = (resentAt ?? createdAt) + ROUND;
	const delay = RETRIES[attempts - 1];
	const mayRepeat = /^(http|email) /.test(outcome!) && delay !== undefined && now < end;
	if (mayRepeat) return { dueAt: Math.min(now + delay, end) };
	const goesByEmail = channel === "webhook" && delivery_email !== null && isAlone(ledger, tried);
	return goesByEmail ? { ...reopened(now), channel: "email" } : { deadAt: now };
}

/** A new round of attempts. */
export function reopened(now: number) {
	return { attempts: 0, dueAt: now, resentAt: now, deadAt: null };
}

/** By a 410. */
export function switchOff(ledger: Ledger, partner: string, at: number): Ledger {
	const { settings } = ledger.partners[partner]!;
	if (settings.webhook_off) return ledger;
	const off = { ...settings, webhook_off: { at, by: "endpoint" as const } };
	const changed = changePartner(ledger, partner, { settings: off, updatedAt: at });
	return record(changed, `partner ${partner}`, { at, by: "job", action: "webhook_switched_off" });
}
