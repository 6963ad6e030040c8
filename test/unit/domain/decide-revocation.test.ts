import { expect, test } from "vitest";
import { decideRevocation } from "../../../src/domain/decide-revocation.ts";
import { DEFAULT_REVOCATION_REASON, REVOCATION_REASONS } from "../../../src/domain/revocation-reason.ts";
import { certificateWith, NOW } from "./code-in-state.ts";

test.each([
	["valid", {}],
	["expired", { notAfter: NOW - 1 }],
	["reserved and never handed out", { issuedAt: null, notBefore: null, notAfter: null }],
])("a certificate that is %s is revoked with the time and the reason", (_, facts) => {
	expect(decideRevocation(certificateWith(facts), "keyCompromise", NOW)).toEqual({
		kind: "change",
		set: { revokedAt: NOW, revocationReason: "keyCompromise" },
	});
});

test("the first revocation stands", () => {
	const revoked = certificateWith({ revokedAt: NOW - 1, revocationReason: "superseded" });
	expect(decideRevocation(revoked, "keyCompromise", NOW)).toEqual({ kind: "unchanged" });
});

test("an unknown serial is not found", () => {
	const rejection = { reason: "not_found" };
	expect(decideRevocation(null, "superseded", NOW)).toEqual({ kind: "rejected", rejection });
});

test("RFC 5280 §5.3.1: the reasons of a holder's certificate, and the one of a cancellation", () => {
	expect(REVOCATION_REASONS).toEqual([
		"unspecified",
		"keyCompromise",
		"affiliationChanged",
		"superseded",
		"cessationOfOperation",
		"privilegeWithdrawn",
	]);
	expect(DEFAULT_REVOCATION_REASON).toBe("cessationOfOperation");
});
