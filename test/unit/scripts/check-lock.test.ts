import { expect, test } from "vitest";
import { keepsForGood } from "../../../scripts/deploy/check-lock.ts";

/** Prints a rule like wrangler, labels in white and values in grey. */
function rule(enabled: string, prefix: string, condition: string): string {
	return Object.entries({ name: "keep", enabled, prefix, condition })
		.map(
			([label, value]) =>
				`\u001b[37m${label}:\u001b[39m${" ".repeat(11 - label.length)}\u001b[90m${value}\u001b[39m`,
		)
		.join("\n");
}

const listing = (...rules: string[]) =>
	["Listing lock rules for bucket 'partner-certificates-audit-prod'...", rules.join("\n\n"), ""].join("\n");

test("a bucket of the audit keeps its objects by an enabled rule for all of them, without an end", () => {
	const whole = rule("Yes", "(all prefixes)", "indefinitely");
	expect(keepsForGood(listing(whole))).toBe(true);
	expect(keepsForGood(listing(rule("Yes", "other/", "indefinitely"), whole))).toBe(true);
});

test.each([
	["no rule", "There are no lock rules for bucket 'partner-certificates-audit-prod'."],
	["a rule that is switched off", rule("No", "(all prefixes)", "indefinitely")],
	["a rule for some objects", rule("Yes", "digests/", "indefinitely")],
	["a rule that ends", rule("Yes", "(all prefixes)", "after 90 days")],
	["a rule until a date", rule("Yes", "(all prefixes)", "on 2030-01-01")],
	[
		"two rules that together would make one",
		`${rule("No", "(all prefixes)", "indefinitely")}\n\n${rule("Yes", "(all prefixes)", "after 1 day")}`,
	],
])("%s does not keep them", (_, rules) => {
	expect(keepsForGood(listing(rules))).toBe(false);
});
