import { DAY_MS } from "../domain/durations.ts";
import type { Platform } from "../platform.ts";

/**
 * Days before its end at which each is to be replaced. Three-year codes are no longer sold three years and 44 days
 * before the issuing certificate's end; half a year is for a ceremony.
 */
const WARNING_DAYS = { issuing: 3 * 366 + 44 + 180, ocsp: 45, root_crl: 60 };

/** Part of the authority that expires and must be replaced before. */
export interface AuthorityDate {
	certificate: keyof typeof WARNING_DAYS;
	/** Key id of the authority; null for the root's CRL. */
	keyId: string | null;
	/** Epoch milliseconds. */
	endsAt: number;
	/** Whole days left. */
	days: number;
	/** The next one should be made now. */
	isNear: boolean;
}

/** The issuing certificate, every authority's OCSP certificate and the root's CRL. */
export function authorityDates(
	{ authority, authorities, rootCrl }: Pick<Platform, "authority" | "authorities" | "rootCrl">,
	now: number,
): AuthorityDate[] {
	const dateOf = (certificate: AuthorityDate["certificate"], keyId: string | null, end: Date) => {
		const days = Math.floor((end.getTime() - now) / DAY_MS);
		const isNear = days <= WARNING_DAYS[certificate];
		return { certificate, keyId, endsAt: end.getTime(), days, isNear };
	};
	return [
		dateOf("issuing", authority.keyId, authority.notAfter),
		...authorities.flatMap(({ keyId, responder }) =>
			responder ? [dateOf("ocsp", keyId, responder.notAfter)] : [],
		),
		...(rootCrl ? [dateOf("root_crl", null, rootCrl.nextUpdate)] : []),
	];
}
