import type { CertificateState, CodeState, Ledger } from "./ledger.ts";
import type { Moment } from "./moment.ts";
import { endOfValidity, type Rules } from "./rules.ts";

export function issue({ product }: CodeState, { now, at, rules }: Moment): CertificateState {
	const dated = rules.certificatesAreReal ? at : now;
	return {
		issuedAt: now,
		notBefore: Math.floor(dated / 1000) * 1000 - rules.clockSkew,
		notAfter: endOfValidity(rules, product, dated),
		revokedAt: null,
		revocationReason: null,
	};
}

/** No certificate outlives its authority: what would is refused (503) before anything is spent. */
export function isIssuable({ authority }: Ledger, product: string, at: number, rules: Rules): boolean {
	const lasts = at >= authority.from && endOfValidity(rules, product, at) <= authority.until;
	return rules.outlivesAuthority || lasts;
}

export function isSellable(ledger: Ledger, product: string, now: number, rules: Rules): boolean {
	return [now, now + rules.saleMargin].every((at) => isIssuable(ledger, product, at, rules));
}
