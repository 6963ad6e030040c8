import { DAY_MS } from "../domain/durations.ts";
import type { Platform } from "../platform.ts";
import { findKeptResponder } from "./renewed-responder.ts";

/**
 * Days before its end at which each is to be replaced. Three-year codes are no longer sold three years and 44 days
 * before the issuing certificate's end; half a year is for a ceremony. A responder that renews itself does so almost
 * five days before its end.
 */
const WARNING_DAYS = { issuing: 3 * 366 + 44 + 180, ocsp: 45, root_crl: 60 };
const RENEWED_WARNING_DAYS = 2;

export const DATED = Object.keys(WARNING_DAYS) as (keyof typeof WARNING_DAYS)[];

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

/** The issuing certificate, every authority's OCSP certificate and the root's CRL. @throws {Unavailable} */
export async function authorityDates(platform: Platform, now: number): Promise<AuthorityDate[]> {
	const { authority, authorities, rootCrl } = platform;
	const dateOf = (
		certificate: AuthorityDate["certificate"],
		keyId: string | null,
		end: Date,
		warningDays = WARNING_DAYS[certificate],
	) => {
		const days = Math.floor((end.getTime() - now) / DAY_MS);
		return { certificate, keyId, endsAt: end.getTime(), days, isNear: days <= warningDays };
	};
	const responders = await Promise.all(
		authorities.map(async (one) => {
			const responder = await findKeptResponder(platform, one);
			if (!responder) return [];
			const warningDays = one.renewsResponder ? RENEWED_WARNING_DAYS : WARNING_DAYS.ocsp;
			return [dateOf("ocsp", one.keyId, responder.notAfter, warningDays)];
		}),
	);
	return [
		dateOf("issuing", authority.keyId, authority.notAfter),
		...responders.flat(),
		...(rootCrl ? [dateOf("root_crl", null, rootCrl.nextUpdate)] : []),
	];
}
