import fc from "fast-check";
import { LIST_STATUSES } from "../document/apply-list.ts";
import type { Filters } from "./commands.ts";
import { likely } from "./likely.ts";

export function generateFilters(): fc.Arbitrary<Filters> {
	const instant = fc.record({
		batch: fc.nat(5),
		offBy: fc.constantFrom(-1, 0, 1),
		form: fc.constantFrom("date", "Z", "no offset", "offset", "Z", "no such day"),
	});
	return fc
		.record(
			{
				status: likely(1, fc.constant("usado"), fc.constantFrom<string>(...LIST_STATUSES)),
				page: fc.constantFrom("1", "2", "3", "0", "x"),
				limit: fc.constantFrom("1", "2", "3", "500", "501"),
				from: instant,
				to: instant,
				reference: fc.constantFrom("ref-0", "ref-1", "ref-2", "ref-none"),
				batch: fc.nat(5),
				unknown: fc.constant(true),
			},
			{ requiredKeys: [] },
		)
		.map(({ unknown, ...rest }) =>
			unknown && Object.keys(rest).length < 2 ? { ...rest, unknown } : rest,
		) as fc.Arbitrary<Filters>;
}
