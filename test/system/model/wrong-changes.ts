import type { Outcome, Shape } from "./document/expected.ts";
import {
	type CodeState,
	changeCode,
	changeCodes,
	changePartner,
	freeEmail,
	type Ledger,
	NO_ATTEMPTS,
	type PartnerState,
} from "./document/ledger.ts";

/* Changes that a wrong model makes to a right outcome. */

export type Change = (outcome: Outcome, before: Ledger) => Outcome;

/** This of every code stays as it was. */
export function keep(field: keyof CodeState): Change {
	return ({ expected, ledger }, before) => ({
		expected,
		ledger: Object.keys(before.codes).reduce(
			(changed, name) => changeCode(changed, name, { [field]: before.codes[name]![field] }),
			ledger,
		),
	});
}

type Lock = "requestLockedUntil" | "claimLockedUntil";

/** A lock of the one call is one of the other too. */
export function locksToo(lock: Lock, other: Lock): Change {
	return ({ expected, ledger }) => ({
		expected,
		ledger: changeCodes(ledger, (code) => (code[lock] === null ? {} : { [other]: code[lock] })),
	});
}

/** A lock that opens takes the other call's away. */
export function overwrites(lock: Lock, other: Lock): Change {
	return ({ expected, ledger }, before) => ({
		expected,
		ledger: Object.entries(before.codes).reduce(
			(changed, [name, was]) =>
				changed.codes[name]![lock] === was[lock] ? changed : changeCode(changed, name, { [other]: null }),
			ledger,
		),
	});
}

/** Blocks each code whose certificate_request is closed for good. */
export function blockWhole({ expected, ledger }: Outcome): Outcome {
	return {
		expected,
		ledger: changeCodes(ledger, ({ blockedAt, requestBlockedAt }) => ({
			blockedAt: blockedAt ?? requestBlockedAt,
		})),
	};
}

export function forgetFailures({ expected, ledger }: Outcome): Outcome {
	return { expected, ledger: changeCodes(ledger, () => ({ validationAttempts: NO_ATTEMPTS })) };
}

export function forgetClaimLocks({ expected, ledger }: Outcome): Outcome {
	return { expected, ledger: changeCodes(ledger, () => ({ claimAttempts: NO_ATTEMPTS })) };
}

/** This of every partner stays as it was. */
export function keepOfPartners(field: keyof PartnerState): Change {
	return ({ expected, ledger }, before) => ({
		expected,
		ledger: Object.keys(before.partners).reduce(
			(changed, name) => changePartner(changed, name, { [field]: before.partners[name]![field] }),
			ledger,
		),
	});
}

export function moveAllClocks({ expected, ledger }: Outcome): Outcome {
	const furthest = Math.max(...Object.values(ledger.partners).map(({ clockOffset }) => clockOffset));
	return { expected, ledger: changeEach(ledger, { clockOffset: furthest }) };
}

export function freezeAll({ expected, ledger }: Outcome): Outcome {
	return { expected, ledger: changeEach(ledger, { move: "frozen" }) };
}

export function endSessions({ expected, ledger }: Outcome): Outcome {
	const ended = Object.entries(ledger.sessions).map(([name, session]) => {
		const end = session.end ?? { at: session.createdAt, reason: "cancelled" as const };
		return [name, { ...session, end }];
	});
	return { expected, ledger: { ...ledger, sessions: Object.fromEntries(ended) } };
}

export function forgetEmissions({ expected, ledger }: Outcome): Outcome {
	return { expected, ledger: changeEach(ledger, { emissions: [] }) };
}

function changeEach(ledger: Ledger, change: Partial<PartnerState>): Ledger {
	return Object.keys(ledger.partners).reduce((changed, name) => changePartner(changed, name, change), ledger);
}

export function forgetAnswers({ expected, ledger }: Outcome): Outcome {
	return { expected, ledger: { ...ledger, kept: {} } };
}

export function keepFirstPin({ expected, ledger }: Outcome, before: Ledger): Outcome {
	const validated = Object.entries(before.codes).filter(([, code]) => code.validation);
	return {
		expected,
		ledger: validated.reduce(
			(changed, [name, { validation }]) => changeCode(changed, name, { validation }),
			ledger,
		),
	};
}

export function forgetEmails({ expected, ledger }: Outcome): Outcome {
	return { expected, ledger: changeCodes(ledger, freeEmail) };
}

/** Leaves every e-mail with its former owner. */
export function keepEmails({ expected, ledger }: Outcome, before: Ledger): Outcome {
	const carriers = Object.entries(before.codes).filter(([, { validation }]) => validation?.email != null);
	return {
		expected,
		ledger: carriers.reduce((changed, [name, { validation }]) => {
			const now = changed.codes[name]!.validation!;
			return changeCode(changed, name, { validation: { ...now, email: validation!.email } });
		}, ledger),
	};
}

export function unrevokeAll({ expected, ledger }: Outcome): Outcome {
	const good = { revokedAt: null, revocationReason: null };
	return {
		expected,
		ledger: changeCodes(ledger, ({ certificate }) => ({
			certificate: certificate && { ...certificate, ...good },
		})),
	};
}

export function answer(change: Partial<Outcome["expected"]>): Change {
	return ({ expected, ledger }) => ({ ledger, expected: { ...expected, ...change } });
}

export function report(change: Record<string, Shape>): Change {
	return ({ expected, ledger }) => {
		const { data, ...body } = expected.body as { success: true; data: Record<string, Shape> };
		return { ledger, expected: { ...expected, body: { ...body, data: { ...data, ...change } } } };
	};
}

export function reverse(outcome: Outcome): Outcome {
	const { data } = outcome.expected.body as { data: { pcodes: readonly Shape[] } };
	return report({ pcodes: data.pcodes.toReversed() })(outcome, outcome.ledger);
}
