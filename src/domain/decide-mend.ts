import type { CodeFacts } from "./code-facts.ts";
import type { CertificateFacts } from "./decide-revocation.ts";
import { DEFAULT_REVOCATION_REASON, type RevocationReason } from "./revocation-reason.ts";

/** Rows of a code and its certificates to enter into D1 again. */
export interface Mend<Certificate> {
	set: Partial<CodeFacts>;
	/** Certificates that D1 lacks. */
	enter: Certificate[];
	/** Certificates that D1 has as unrevoked. */
	revoke: { serial: string; reason: RevocationReason; at: number }[];
}

/**
 * Finds what D1, restored to an earlier moment, lacks of what the code's object remembers; null when nothing. A
 * certificate that left makes its code emitted again. Any other than the one that the code names is revoked.
 * @param known - the code's certificates as D1 has them.
 */
export function decideMend<Certificate extends CertificateFacts & { cancelledAt: number | null }>(
	facts: CodeFacts,
	known: readonly CertificateFacts[],
	remembered: readonly Certificate[],
	now: number,
): Mend<Certificate> | null {
	const issued = facts.issuedAt === null ? remembered.find(({ issuedAt }) => issuedAt !== null) : undefined;
	const named = issued?.serial ?? facts.certificateSerial;
	const whole = remembered.map((certificate) =>
		certificate.revokedAt !== null || certificate.serial === named
			? certificate
			: { ...certificate, revokedAt: now, revocationReason: DEFAULT_REVOCATION_REASON },
	);
	const cancelledAt = remembered.find((one) => one.cancelledAt !== null)?.cancelledAt ?? null;
	const set = {
		...(issued && emitted(facts, issued)),
		...(cancelledAt !== null && facts.cancelledAt === null && { cancelledAt }),
	};
	const enter = whole.filter(({ serial }) => !known.some((row) => row.serial === serial));
	const revoke = whole.flatMap(({ serial, revokedAt, revocationReason }) =>
		revokedAt !== null && known.some((row) => row.serial === serial && row.revokedAt === null)
			? [{ serial, reason: revocationReason ?? DEFAULT_REVOCATION_REASON, at: revokedAt }]
			: [],
	);
	return Object.keys(set).length + enter.length + revoke.length > 0 ? { set, enter, revoke } : null;
}

/** Sets the validation before the issue, as for a claim: D1 knows of no delivery that is due. */
function emitted(facts: CodeFacts, { serial, issuedAt, notAfter }: CertificateFacts): Partial<CodeFacts> {
	return {
		validatedAt: facts.validatedAt ?? issuedAt! - 1,
		issuedAt,
		certificateSerial: serial,
		certificateNotAfter: notAfter,
		claimFailures: 0,
		claimLockedUntil: null,
	};
}
