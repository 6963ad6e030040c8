import { expect, test } from "vitest";
import type { CodeFacts } from "../../../src/domain/code-facts.ts";
import { decideMend } from "../../../src/domain/decide-mend.ts";
import type { CertificateFacts } from "../../../src/domain/decide-revocation.ts";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { certificateWith, codeWith, NOW } from "./code-in-state.ts";

/* Facts that a code's object enters again into a D1 restored to an earlier moment. */

const ISSUED = NOW - 1_000;
const DEFAULT_REASON = "cessationOfOperation";

function certificate(differences: Partial<CertificateFacts & { cancelledAt: number | null }> = {}) {
	const issued = certificateWith({ serial: "A1", issuedAt: ISSUED, notAfter: ISSUED + DAY_MS });
	return { ...issued, cancelledAt: null, ...differences };
}

const emitted: Partial<CodeFacts> = { validatedAt: ISSUED - 1, issuedAt: ISSUED, certificateSerial: "A1" };

test("a D1 that was not restored, or not that far, is told nothing", () => {
	expect(decideMend(codeWith(), [], [], NOW)).toBeNull();
	expect(decideMend(codeWith(emitted), [certificate()], [certificate()], NOW)).toBeNull();
	const revoked = certificate({ revokedAt: NOW, revocationReason: "keyCompromise" });
	expect(decideMend(codeWith(emitted), [revoked], [certificate()], NOW)).toBeNull();
});

test("an issue that it forgot makes the code emitted again, and a validation that it forgot comes before it", () => {
	const validated = decideMend(codeWith({ validatedAt: 7 }), [], [certificate()], NOW);
	expect(validated).toMatchObject({
		set: { validatedAt: 7, issuedAt: ISSUED, certificateSerial: "A1", certificateNotAfter: ISSUED + DAY_MS },
		enter: [certificate()],
		revoke: [],
	});
	expect(decideMend(codeWith(), [], [certificate()], NOW)?.set.validatedAt).toBe(ISSUED - 1);
});

test("a revocation and a cancellation that it forgot are made again, with their own times", () => {
	const revoked = certificate({ revokedAt: 5, revocationReason: "keyCompromise" });
	expect(decideMend(codeWith(emitted), [certificate()], [revoked], NOW)).toEqual({
		set: {},
		enter: [],
		revoke: [{ serial: "A1", reason: "keyCompromise", at: 5 }],
	});
	const cancelled = certificate({ revokedAt: 5, revocationReason: "superseded", cancelledAt: 5 });
	expect(decideMend(codeWith(emitted), [certificate()], [cancelled], NOW)?.set).toEqual({ cancelledAt: 5 });
});

test("a serial that never left is entered as revoked, and so is any other than the one that the code names", () => {
	const stray = certificate({ serial: "B2", issuedAt: null, revokedAt: 3, revocationReason: DEFAULT_REASON });
	expect(decideMend(codeWith(), [], [stray], NOW)).toEqual({ set: {}, enter: [stray], revoke: [] });
	const other = certificate({ serial: "C3" });
	expect(decideMend(codeWith(emitted), [certificate()], [other], NOW)).toEqual({
		set: {},
		enter: [{ ...other, revokedAt: NOW, revocationReason: DEFAULT_REASON }],
		revoke: [],
	});
});
