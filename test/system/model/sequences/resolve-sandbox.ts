import { ENDPOINTS } from "../document/attempt-delivery.ts";
import type { CallOf, Flow } from "../document/calls.ts";
import { EVENTS } from "../document/events.ts";
import type { Ledger } from "../document/ledger.ts";
import { LOGOS } from "../document/widget.ts";
import type { Asked, Picks } from "./asked.ts";
import { pick } from "./pick-things.ts";

/* What a partner does of its widget, and in its sandbox. */

const FLOWS: readonly Flow[] = [
	{ mode: "B2B" },
	{ mode: "B2B" },
	{ mode: "B2C" },
	{ require_cedula_serie: 0 },
	{ require_cedula_serie: 1, mode: "B2C" },
	{ mode: "B2B", require_sso: 0 },
	{ require_cedula_serie: 1, require_sso: 1 },
	{ validate_vencimiento: 1 },
	{ require_cedula_serie: 1, require_sso: 1 },
	{ validate_vencimiento: 0, require_cedula_serie: 0, require_sso: 1 },
];
const EXAMPLES = [...EVENTS, "pcode.lost", "ping", "pcode.lost"];

export function atSandbox({ of, variant }: Picks): Asked[] {
	return [
		{ kind: "set flow", sent: pick(FLOWS, variant)! },
		{ kind: "example of", event: pick(EXAMPLES, of)! },
	];
}

const ORIGINS = [
	["https://shop.example"],
	[],
	["http://localhost:4000", "https://shop.example:8443"],
	["https://shop.example/path"],
	["https://shop.example", "https://shop.example"],
	["http://shop.example"],
	Array.from({ length: 21 }, (_, i) => `https://shop${i}.example`),
];
const ACCENTS = ["#0b5cad", null, "#0B5CAD", "#008000", "#ffff00", "blue"];

export function atWidget(ledger: Ledger, { of, variant }: Picks): (Asked | CallOf<"page">)[] {
	const logo = pick([undefined, ...Object.keys(LOGOS), null], of);
	const right = { origins: pick(ORIGINS.slice(0, 3), variant)!, accent: pick(ACCENTS.slice(0, 4), variant)! };
	const wrong = { origins: pick(ORIGINS, of)!, accent: pick(ACCENTS.slice(3), of)! };
	const sent = { ...(variant % 3 === 2 ? wrong : right), ...(logo !== undefined && { logo }) };
	const session = of > 8 ? undefined : pick(Object.keys(ledger.sessions).toReversed(), of >> 1);
	return [
		{ kind: "set widget", sent },
		{ kind: "own widget" },
		{ kind: "page", session: session ?? "unknown" },
	];
}

const ADVANCES = ["PT5S", "PT5M", "PT31M", "P1D", "P12D", "P15D", "P31D", "P90D", "P306D"];
const REFUSED_ADVANCES = ["15D", "P5Y"];

/** Of the deliveries that are tried at once none may switch off the webhook of the others. */
export function atClock(ledger: Ledger, partner: string, { of, variant }: Picks): Asked[] {
	const isGone = ledger.partners[partner]!.settings.webhook_url === ENDPOINTS.gone;
	const advances = isGone ? [] : [pick(ADVANCES, variant)!];
	const refused = of % 4 === 0 ? [pick(REFUSED_ADVANCES, variant)!] : [];
	return [...advances, ...refused].map((advance) => ({ kind: "advance", advance }));
}
