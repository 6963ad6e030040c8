import { JOBS } from "../document/apply-upkeep.ts";
import type { Call, CallOf, LookCall } from "../document/calls.ts";
import { DELIVERY_STATES } from "../document/deliveries.ts";
import type { Ledger } from "../document/ledger.ts";
import { flawOf, OPS_ROUTES } from "../document/misuse.ts";
import { finishAll } from "./finish-all.ts";
import { codeAt, partnerAt, pick } from "./pick-things.ts";
import type { ReadCommand } from "./read-command.ts";

/** Needs that nothing runs: the database is compared, or erased from, between two steps. */
const QUIET = new Set<ReadCommand["at"]>(["reconcile", "run job", "lapse", "verify audit"]);

/** As many of a kind at once, of jobs and routes of which there are many. */
const SEVERAL = [0, 1, 2, 3, 4, 5];

/** What ops look at, of what there is; what runs is ended first where quiet is needed. */
export function resolveRead(command: ReadCommand, ledger: Ledger): Call[] {
	return [...(QUIET.has(command.at) ? finishAll(ledger) : []), ...look(command, ledger)];
}

function look({ at, of, variant }: ReadCommand, ledger: Ledger): (LookCall | CallOf<"hand on">)[] {
	const partner = of >= 9 ? "unknown" : partnerAt(ledger, of);
	const [code] = codeAt(ledger, of);
	switch (at) {
		case "list partners":
		case "verify audit":
		case "list jobs":
			return [{ kind: at }];
		case "show partner":
			return [{ kind: at, partner }];
		case "rotate secret":
			return [{ kind: at, partner, overlapHours: variant % 3 }];
		case "show audit": {
			const kinds = ["code", "partner", "batch", "evidence"];
			const what = kinds[variant % kinds.length]!;
			const chains = Object.keys(ledger.audit).filter(
				(entity) => entity.startsWith(`${what} `) && !isOfReplacement(ledger, entity),
			);
			const known = of < 7 ? pick(chains, of) : undefined;
			const other = of >= 7 && what === "code" ? code.code : "unknown";
			return [{ kind: at, entity: known ?? `${what} ${other}` }];
		}
		case "list deliveries": {
			const states = [undefined, undefined, ...DELIVERY_STATES, "lost"];
			const limits = [undefined, undefined, "1", "2", "501"];
			const [state, limit] = [pick(states, variant), pick(limits, of)];
			return [{ kind: at, partner, ...(state && { state }), ...(limit && { limit }) }];
		}
		case "resend": {
			const delivery = of === 11 ? undefined : pick(Object.keys(ledger.deliveries), of);
			if (delivery === undefined) return [{ kind: at, delivery: "unknown" }];
			const handOn = { kind: "hand on", delivery } as const;
			const owner = ledger.deliveries[delivery]!.partner;
			return [
				{ kind: "list deliveries", partner: owner, limit: "500" },
				...(variant % 3 > 0 ? [{ kind: at, delivery }] : []),
				...(variant % 3 < 2 ? [handOn] : []),
			];
		}
		case "list evidence":
			return [{ kind: at, code: withPictures(ledger, of) ?? code }];
		case "show picture": {
			const side = variant % 2 === 0 ? "front" : "back";
			const validation = variant === 11 ? ({ validation: "unknown" } as const) : {};
			return [{ kind: at, code: withPictures(ledger, of) ?? code, side, ...validation }];
		}
		case "reconcile":
			return [{ kind: at, repair: variant % 3 === 0 }];
		case "run job":
			return SEVERAL.map((nth) => ({
				kind: at,
				job: pick([...JOBS, "no-such-job"], of * 72 + variant * 6 + nth)!,
			}));
		case "lapse":
			return [{ kind: "run job", job: "lapse-validations" }];
		case "misuse": {
			const routes = Object.keys(OPS_ROUTES);
			const credentials = ["no token", "wrong token", "partner's key"] as const;
			return SEVERAL.flatMap((nth): LookCall[] => {
				const route = pick(routes, of * 72 + variant * 6 + nth)!;
				const flaw = flawOf(route, of) && { kind: at, route, flaw: of };
				return [{ kind: at, route, flaw: pick(credentials, of + variant)! }, ...(flaw ? [flaw] : [])];
			});
		}
	}
}

function withPictures(ledger: Ledger, n: number) {
	const names = Object.keys(ledger.codes).filter((name) => ledger.codes[name]!.pictures.length > 0);
	const name = n < 9 ? pick(names, n) : undefined;
	return name === undefined ? undefined : { code: name };
}

/** Its batch is named in its partner's list alone, which a suspended partner cannot read. */
function isOfReplacement({ audit }: Ledger, entity: string): boolean {
	return entity.startsWith("batch ") && audit[entity]![0]!.by === "ops";
}
