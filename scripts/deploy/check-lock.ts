import { stripVTControlCharacters } from "node:util";

/**
 * Whether what `wrangler r2 bucket lock list` prints has an enabled rule that keeps every object of the bucket for good.
 * Wrangler prints a rule as lines of `label: value`, and an empty line between two rules.
 */
export function keepsForGood(listing: string): boolean {
	const rules = stripVTControlCharacters(listing).split(/\n\s*\n/);
	return rules.some((rule) => {
		const values = new Map(
			Array.from(rule.matchAll(/^\s*(\w+):\s*(.*?)\s*$/gm), ([, label, value]) => [label, value]),
		);
		return (
			values.get("enabled") === "Yes" &&
			values.get("prefix") === "(all prefixes)" &&
			values.get("condition") === "indefinitely"
		);
	});
}
