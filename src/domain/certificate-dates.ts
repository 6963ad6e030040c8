import { addYears } from "./dates.ts";
import { DAY_MS, MINUTE_MS } from "./durations.ts";
import { CODE_WINDOW_MS } from "./limits.ts";
import { type ProductCode, periodOf } from "./products.ts";

/** Backdates certificates by five minutes, because clocks of readers run late. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** Longest time from the sale of a code to its certificate: the 14-day window, and a month more for the claim. */
const SALE_MARGIN_MS = CODE_WINDOW_MS + 30 * DAY_MS;

/** Time in which the authority's certificates, issuing and root, are both valid. */
export interface IssuerDates {
	notBefore: Date;
	notAfter: Date;
}

/**
 * The validity of a certificate issued at `now`, whole seconds as X.509 keeps them; null when its issuer is not valid
 * yet, or when it would outlive its issuer. Years are calendar years in UTC; 29 February ends on 28 February of a
 * common year.
 * @param now - epoch milliseconds.
 */
export function validityOf(
	product: ProductCode,
	now: number,
	issuer: IssuerDates,
): { notBefore: number; notAfter: number } | null {
	const issued = Math.floor(now / 1000) * 1000;
	const period = periodOf(product);
	const notAfter =
		"days" in period ? issued + period.days * DAY_MS : addYears(issued, period.years, "28 February");
	const [start, end] = [issuer.notBefore.getTime(), issuer.notAfter.getTime()];
	if (issued < start || notAfter > end) return null;
	return { notBefore: Math.max(issued - CLOCK_SKEW_MS, start), notAfter };
}

/** Whether a code sold now can still have its certificate at the end of the sale margin. */
export function isSellable(product: ProductCode, now: number, issuer: IssuerDates): boolean {
	return [now, now + SALE_MARGIN_MS].every((then) => validityOf(product, then, issuer) !== null);
}
