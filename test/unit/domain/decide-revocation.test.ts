import { expect, test } from "vitest";
import { type CertificateFacts, decideRevocation } from "../../../src/domain/decide-revocation.ts";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { DEFAULT_REVOCATION_REASON, REVOCATION_REASONS } from "../../../src/domain/revocation-reason.ts";
import { NOW } from "./code-in-state.ts";

const ISSUED: CertificateFacts = {
	serial: "4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F",
	issuerKeyId: "c0ffee",
	partnerId: "pt_1",
	code: "7K3M-9QXT-2B4C-H8WD",
	issuedAt: NOW - DAY_MS,
	notBefore: NOW - DAY_MS,
	notAfter: NOW + DAY_MS,
	revokedAt: null,
	revocationReason: null,
	renews: null,
	signerEntry: null,
	signerHead: null,
	signerHeadSignature: null,
};

test.each([
	["valid", {}],
	["expired", { notAfter: NOW - 1 }],
	["reserved and never handed out", { issuedAt: null, notBefore: null, notAfter: null }],
])("a certificate that is %s is revoked with the time and the reason", (_, facts) => {
	expect(decideRevocation({ ...ISSUED, ...facts }, "keyCompromise", NOW)).toEqual({
		kind: "change",
		set: { revokedAt: NOW, revocationReason: "keyCompromise" },
	});
});

test("the first revocation stands", () => {
	const revoked = { ...ISSUED, revokedAt: NOW - 1, revocationReason: "superseded" } as const;
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
