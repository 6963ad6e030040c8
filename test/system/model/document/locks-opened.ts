import type { CallKind } from "./calls.ts";
import type { Ledger } from "./ledger.ts";

/** The security locks that a partner's call opened: outcomes that its answer does not report. */
export function locksOpened(kind: CallKind, before: Ledger, after: Ledger): string[] {
	if (kind !== "request" && kind !== "claim") return [];
	return Object.entries(after.codes).flatMap(([name, code]) => {
		const { lockedUntil, blockedAt } = before.codes[name] ?? code;
		if (code.blockedAt !== blockedAt) return [`${kind} locks for good`];
		return code.lockedUntil !== null && code.lockedUntil !== lockedUntil ? [`${kind} locks`] : [];
	});
}
