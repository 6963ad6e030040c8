import type { CallOf } from "./calls.ts";
import { COUNT, error, type Made, made, type Outcome, success, TEXT, time } from "./expected.ts";
import type { Ledger } from "./ledger.ts";

/* The audit, and the database compared with itself: at any moment nothing is wrong with either. */

/** Every change is one entry, and what has not changed has no chain. What the entry says besides is left open. */
export function applyShowAudit(ledger: Ledger, { entity }: CallOf<"show audit">): Outcome {
	const { what, name } = subjectOf(entity);
	const kind = `show audit of ${what}`;
	const entries = ledger.audit[entity];
	if (!entries) return { ledger, expected: error(kind, "NOT_FOUND") };
	const events = entries.map(({ at, by, action }, i) => ({
		version: i + 1,
		partner_id: made("partner", ownerOf(ledger, what, name)),
		at: time(at),
		actor: by === "ops" ? "ops:token" : ({ $: "containing", text: `${by}:` } as const),
		action,
		outcome: TEXT,
		request_id: TEXT,
		hash: TEXT,
	}));
	const data = { entity: TEXT, events, faults: [], next_version: null };
	return { ledger, expected: success(kind, 200, data) };
}

/** What the thing is called by that a chain is of. */
export function subjectOf(entity: string): { what: string; made: Made; name: string } {
	const [what = "", name = ""] = entity.split(" ");
	return { what, made: what === "evidence" ? "code" : (what as Made), name };
}

function ownerOf(ledger: Ledger, what: string, name: string): string {
	if (what === "partner") return name;
	return (what === "batch" ? ledger.batches[name] : ledger.codes[name])!.partner;
}

/** All its pages; other sequences' rows are among those looked at. */
export function applyVerifyAudit(ledger: Ledger): Outcome {
	return { ledger, expected: success("verify audit", 200, { checked: COUNT, faults: [], next: null }) };
}

export function applyReconcile(ledger: Ledger, { repair }: CallOf<"reconcile">): Outcome {
	const data = { looked_at: COUNT, counts: {}, findings: [], next: null };
	return { ledger, expected: success(repair ? "reconcile with repair" : "reconcile", 200, data) };
}
