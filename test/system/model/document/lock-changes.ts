import type { Call } from "./calls.ts";
import type { Ledger } from "./ledger.ts";

/** The security locks that a partner's call opened or ended: outcomes that its answer does not report. */
export function lockChanges(kind: Call["kind"], before: Ledger, after: Ledger, at: number): string[] {
	if (kind !== "request" && kind !== "claim") return [];
	const locksRut = Object.entries(after.partners).some(([name, { rutAttempts }]) =>
		Object.entries(rutAttempts).some(
			([rut, { lockedUntil }]) =>
				lockedUntil !== null && lockedUntil !== before.partners[name]!.rutAttempts[rut]?.lockedUntil,
		),
	);
	const ofCodes = Object.entries(after.codes).flatMap(([name, code]) => {
		const was = before.codes[name] ?? code;
		if (code.blockedAt !== was.blockedAt) return [`${kind} locks for good`];
		if (code.requestBlockedAt !== was.requestBlockedAt) return [`${kind} closes requests for good`];
		const locks = ["requestLockedUntil", "claimLockedUntil"] as const;
		if (locks.some((lock) => code[lock] !== null && code[lock] !== was[lock])) return [`${kind} locks`];
		const { clockOffset } = after.partners[code.partner]!;
		const isOn = (was.claimLockedUntil ?? 0) > at + clockOffset;
		return code.claimLockedUntil === null && isOn ? [`${kind} ends a lock of claims`] : [];
	});
	return locksRut ? [`${kind} locks a RUT`, ...ofCodes] : ofCodes;
}
