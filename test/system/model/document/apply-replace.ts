import type { CallOf } from "./calls.ts";
import { createCodes } from "./create-codes.ts";
import { freeEmail } from "./emails.ts";
import { error, made, type Outcome, success, unavailable } from "./expected.ts";
import { isSellable } from "./issue.ts";
import { changeCode, type Ledger } from "./ledger.ts";
import { momentOf } from "./moment.ts";
import type { Rules } from "./rules.ts";

/**
 * Decisions, "a code that cannot be used any more": cancelled if it is not issued, and a new one with its own 14 days in
 * its place. A code is replaced once: repeating the call answers the same new code (0001).
 */
export function applyReplace(ledger: Ledger, call: CallOf<"replace">, at: number, rules: Rules): Outcome {
	const name = call.code.code;
	const code = ledger.codes[name];
	if (!code) return { ledger, expected: error("replace", "NOT_FOUND") };
	const tell = (replacement: string) =>
		success("replace", 200, {
			p_code: made("code", replacement),
			replaces: made("code", name),
			partner_id: made("partner", code.partner),
			product: code.product,
		});
	if (code.replacedBy !== null) {
		const again = tell(code.replacedBy);
		return { ledger, expected: { ...again, outcome: "replace again" } };
	}
	if (!isSellable(ledger, code.product, at, rules))
		return { ledger, expected: unavailable("replace", "beyond the authority") };
	const { now } = momentOf(ledger, code.partner, at, rules);
	const { ledger: created, names } = createCodes(ledger, { ...code, quantity: 1 }, now);
	const closes = code.certificate === null && code.cancelledAt === null;
	const replaced = changeCode(created, name, {
		...(closes && { cancelledAt: now }),
		...freeEmail(code),
		replacedBy: names[0]!,
		updatedAt: now,
	});
	return { ledger: replaced, expected: tell(names[0]!) };
}
