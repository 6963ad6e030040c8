import { HOUR_MS } from "../../../../src/domain/durations.ts";
import type { Ledger } from "../document/ledger.ts";
import type { Filters, Instant } from "./commands.ts";
import { pick } from "./pick-things.ts";

/** The parameters of a list, as they are sent. */
export function queryOf(ledger: Ledger, filters: Filters, now: number): Record<string, string> {
	const { from, to, reference, batch, unknown, ...rest } = filters;
	const batches = Object.keys(ledger.batches);
	return {
		...rest,
		...(from && { created_from: instantOf(ledger, from, now) }),
		...(to && { created_to: instantOf(ledger, to, now) }),
		...(reference !== undefined && { external_reference_id: reference }),
		...(batch !== undefined && { batch_id: batch === 5 ? "unknown" : (pick(batches, batch) ?? "unknown") }),
		...(unknown && { order: "oldest" }),
	};
}

function instantOf(ledger: Ledger, { batch, offBy, form }: Instant, now: number): string {
	const at = (pick(Object.values(ledger.batches), batch)?.createdAt ?? now) + offBy;
	const text = new Date(at).toISOString();
	switch (form) {
		case "date":
			return text.slice(0, 10);
		case "Z":
			return text;
		case "no offset":
			return text.slice(0, -1);
		case "offset":
			return new Date(at - 3 * HOUR_MS).toISOString().replace("Z", "-03:00");
		case "no such day":
			return "2026-02-30";
	}
}
