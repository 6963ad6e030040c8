import { monthOf } from "../document/apply-desk-usage.ts";
import { ENDPOINTS, REFUSED_ADDRESS } from "../document/attempt-delivery.ts";
import { OUR_RANGE } from "../document/authenticate.ts";
import type { AskedKey, Call, CallKind, CallOf } from "../document/calls.ts";
import { DELIVERY_STATES } from "../document/deliveries.ts";
import { EVENTS } from "../document/events.ts";
import { IDENTITIES } from "../document/identities.ts";
import type { Ledger } from "../document/ledger.ts";
import type { Asked, Picks } from "./asked.ts";
import type { DeskCommand } from "./desk-command.ts";
import { codeAt, issuedAt, keyOf, partnerAt, pick } from "./pick-things.ts";
import { atClock, atSandbox, atWidget } from "./resolve-sandbox.ts";

const HOUR = 3_600_000;
const URLS = [
	ENDPOINTS.good,
	ENDPOINTS.gone,
	ENDPOINTS.broken,
	ENDPOINTS.another,
	null,
	"http://partner.example/hook",
];
/** None of these has the events of widget's sessions. */
const SUBSCRIPTIONS = [["certificate.emitted"], EVENTS, EVENTS.slice(3), [], EVENTS.slice(0, 4)];
const EMAILS = ["delivery@partner.example", null, REFUSED_ADDRESS, "desk@partner.example", "no address"];

/** What a key can be for. */
export const RIGHTS: readonly AskedKey[] = [
	{ scopes: ["codes", "redeem", "read", "manage"] },
	{ scopes: ["manage"] },
	{},
	{ scopes: ["read"] },
	{ scopes: ["manage"], endsIn: HOUR },
	{ scopes: ["codes"] },
	{ scopes: ["redeem"], cidrs: [OUR_RANGE] },
	{ scopes: ["codes", "redeem", "read"], cidrs: ["203.0.113.0/24"] },
	{ scopes: ["codes", "redeem", "read", "manage"], cidrs: [OUR_RANGE] },
	{ endsIn: 0 },
];

/** Each call by a key that is good for it, or as `who` says. */
export function resolveDesk(command: DeskCommand, ledger: Ledger, now: number): Call[] {
	const partner = partnerAt(ledger, command.partner);
	const calls = callsOf(command, ledger, partner, now);
	const cancelled = calls.flatMap((call) => (call.kind === "own cancel" ? [call.code.code] : []));
	// A mark of what runs is by the clock of before.
	const moves = calls.some(({ kind }) => kind === "advance");
	const running = Object.keys(ledger.codes).filter(
		(name) => ledger.codes[name]!.running && (moves || cancelled.includes(name)),
	);
	return [
		...running.map((code): Call => ({ kind: "finish", code })),
		...calls.map((call) => {
			if (call.kind === "hand on" || call.kind === "list deliveries" || call.kind === "page") return call;
			return { ...call, key: keyOf(ledger, command.who, partner, now, call.kind as CallKind) } as Call;
		}),
	];
}

function callsOf(
	{ at, of, variant }: DeskCommand,
	ledger: Ledger,
	partner: string,
	now: number,
): (Asked | CallOf<"hand on" | "list deliveries" | "page">)[] {
	switch (at) {
		case "deliveries":
			return atDeliveries(ledger, partner, { of, variant }, now);
		case "webhook":
			return [
				{
					kind: "set webhook",
					url: pick(URLS, of)!,
					events: pick(SUBSCRIPTIONS, variant)!,
				},
				{ kind: variant % 2 === 0 ? "test webhook" : "own webhook" },
			];
		case "settings":
			return [
				{ kind: "set email", email: pick(EMAILS, of)! },
				{ kind: "set reminders", on: pick([true, false, true, false, "yes"], variant) },
				{ kind: "own secret", overlapHours: pick([0, 24, 169], variant)! },
				{ kind: "own settings" },
			];
		case "code": {
			const [code] = of % 3 === 0 ? issuedAt(ledger, of) : codeAt(ledger, of);
			const cancels = variant % 3 === 0 ? ([{ kind: "own cancel", code }] as const) : [];
			return [{ kind: "own code", code }, ...cancels, ...cancels, { kind: "own code", code }];
		}
		case "certificates":
			return atCertificates(ledger, { of, variant }, now);
		case "usage": {
			const created = pick(Object.values(ledger.codes), of)?.createdAt ?? now;
			const month = pick([monthOf(created), monthOf(now - 32 * 24 * HOUR), "2026-13"], variant)!;
			return [{ kind: "own usage" }, { kind: "own usage", month }];
		}
		case "keys":
			return atKeys(ledger, partner, { of, variant });
		case "sandbox":
			return atSandbox({ of, variant });
		case "widget":
			return atWidget(ledger, { of, variant });
		case "clock":
			return atClock(ledger, partner, { of, variant });
		case "csv": {
			const statuses = ["emitido", "sin_utilizar", "validado", "anulado"];
			const query = pick([{}, { status: pick(statuses, of)! }, { page: "1" }], variant)!;
			return [{ kind: "csv", query: { ...query } as Record<string, string> }];
		}
	}
}

/** Listed by ops first: what there is has its name from there. */
function atDeliveries(ledger: Ledger, partner: string, { of, variant }: Picks, now: number) {
	const filters = [
		{ state: pick(DELIVERY_STATES, of)! },
		{ event: pick(["settings.changed", "certificate.emitted", "pcode.locked", "holder.issued"], of)! },
		{ since: new Date(now - 1).toISOString() },
		{ limit: "1" },
		{ limit: "501" },
		{ state: "lost" },
	];
	const own = Object.keys(ledger.deliveries).filter((name) => ledger.deliveries[name]!.partner === partner);
	// Half of the time those of before, half the latest.
	const named = of > 8 ? undefined : pick(of % 2 === 0 ? own : own.toReversed(), of >> 1);
	const delivery = named ?? "unknown";
	const code = pick(Object.keys(ledger.codes), of);
	return [
		{ kind: "list deliveries", partner, limit: "500" } as const,
		{ kind: "own deliveries", query: { limit: "3" } } as const,
		variant === 11 && code
			? ({ kind: "own deliveries", query: {}, code } as const)
			: ({ kind: "own deliveries", query: pick(filters, variant)! } as const),
		...(variant % 3 === 0 || !named ? [{ kind: "own resend", of: delivery } as const] : []),
		...(variant % 3 < 2 && named ? [{ kind: "hand on", delivery } as const] : []),
		{ kind: "own delivery", of: delivery } as const,
	];
}

function atCertificates(ledger: Ledger, { of, variant }: Picks, now: number): Asked[] {
	const issued = Object.keys(ledger.codes).filter((name) => ledger.codes[name]!.certificate);
	const code = of > 8 ? "unknown" : (pick(issued, of) ?? "unknown");
	const queries = [
		{ validity: "valid" },
		{ validity: "expired" },
		{ validity: "revoked" },
		{ expiring_before: new Date(now + 366 * 24 * HOUR).toISOString(), limit: "2" },
		{ validity: "good" },
	];
	const rut = ledger.codes[code]?.validation?.rut ?? pick(IDENTITIES, of)!.rut;
	const reason = pick(["keyCompromise", "superseded", "unspecified", "aACompromise"], of)!;
	const revokes = variant % 3 > 0 ? [{ kind: "own revocation", of: code, reason } as const] : [];
	return [
		...revokes,
		...revokes,
		{ kind: "own certificates", query: pick(queries, variant)! },
		{ kind: "own certificates", query: variant % 2 === 0 ? {} : { limit: "1" } },
		variant > 9
			? { kind: "search by RUT", dni: "11111111-2" }
			: { kind: "search by RUT", dni: rut, ...(variant % 3 === 0 && { limit: 1 }) },
	];
}

function atKeys(ledger: Ledger, partner: string, { of, variant }: Picks): Asked[] {
	const own = Object.keys(ledger.keys).filter((name) => ledger.keys[name]!.partner === partner);
	const others = Object.keys(ledger.keys).filter((name) => ledger.keys[name]!.partner !== partner);
	const target = (of > 8 ? pick(others, variant) : pick(own.toReversed(), of)) ?? "unknown";
	const rotation = pick([{}, { endsIn: HOUR }, { endsIn: null }, { endsIn: 0 }], of)!;
	// A second time it stays as it is.
	const ends: Asked[] =
		variant % 2 === 0
			? [
					{ kind: "revoke own key", of: target },
					{ kind: "revoke own key", of: target },
				]
			: [{ kind: "rotate own key", of: target, overlapHours: variant % 3, ...rotation }];
	const added: Asked = { kind: "add own key", asked: pick(RIGHTS, of)! };
	return [{ kind: "own keys" }, ...(variant % 3 === 0 ? [] : ends), added];
}
