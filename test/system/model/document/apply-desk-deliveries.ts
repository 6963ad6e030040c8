import { readInstant } from "./apply-list.ts";
import type { CallOf } from "./calls.ts";
import { DELIVERY_STATES, deliveryFacts, stateOf } from "./deliveries.ts";
import type { Desk } from "./desk.ts";
import { isOwn } from "./desk.ts";
import { EVENTS } from "./events.ts";
import { badShape, COUNT, error, type Outcome, type Shape, success, time } from "./expected.ts";
import type { Ledger } from "./ledger.ts";

const KINDS = [...EVENTS, "holder.issued", "holder.revoked", "holder.expiring", "settings.changed"];

/** Newest first, all pages; those of one moment in any order. */
export function applyOwnDeliveries(
	ledger: Ledger,
	{ query, code }: CallOf<"own deliveries">,
	desk: Desk,
): Outcome {
	const { state, event, since, limit = "50" } = query;
	const from = since === undefined ? undefined : readInstant(since);
	const problems = [
		...(state === undefined || (DELIVERY_STATES as readonly string[]).includes(state) ? [] : ["state"]),
		...(event === undefined || (KINDS as readonly string[]).includes(event) ? [] : ["event"]),
		...(from === null ? ["since"] : []),
		...(isLimit(limit) ? [] : ["limit"]),
	];
	if (problems.length > 0) return { ledger, expected: badShape(desk.kind, problems) };
	const found = Object.entries(ledger.deliveries)
		.filter(([, { partner }]) => partner === desk.id)
		.filter(([, delivery]) => state === undefined || stateOf(delivery) === state)
		.filter(([, delivery]) => event === undefined || delivery.event === event)
		.filter(([, delivery]) => code === undefined || delivery.code === code)
		.filter(([, { createdAt }]) => !from || createdAt >= from.first);
	const newest = [...new Set(found.map(([, { createdAt }]) => createdAt))].sort((a, b) => b - a);
	const of = newest.map((moment) =>
		found
			.filter(([, { createdAt }]) => createdAt === moment)
			.map(([name, delivery]) => deliveryFacts(name, delivery, "partner")),
	);
	const data: Shape = { deliveries: { $: "groups", of }, next: null };
	const isFiltered = Object.keys(query).some((name) => name !== "limit") || code !== undefined;
	return { ledger, expected: success(isFiltered ? `${desk.kind} filtered` : desk.kind, 200, data) };
}

export function isLimit(text: string): boolean {
	return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 500;
}

/** With its attempts, oldest first; never what is in it. */
export function applyOwnDelivery(ledger: Ledger, name: string, desk: Desk): Outcome {
	const delivery = ledger.deliveries[name];
	if (!isOwn(delivery, desk)) return { ledger, expected: error(desk.kind, "NOT_FOUND") };
	const attempts = delivery!.tries.map(({ at, channel, outcome, status }) => ({
		at: time(at),
		channel,
		outcome,
		http_status: status,
		duration_ms: COUNT,
	}));
	const data = { delivery: deliveryFacts(name, delivery!, "partner"), attempts };
	return { ledger, expected: success(desk.kind, 200, data) };
}
