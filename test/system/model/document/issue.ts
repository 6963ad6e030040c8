import type { CertificateState, CodeState } from "./ledger.ts";
import { endOfValidity, type Rules } from "./rules.ts";

export function issue(rules: Rules, { product }: CodeState, now: number): CertificateState {
	return {
		issuedAt: now,
		notBefore: Math.floor(now / 1000) * 1000 - rules.clockSkew,
		notAfter: endOfValidity(rules, product, now),
		revokedAt: null,
		revocationReason: null,
	};
}
