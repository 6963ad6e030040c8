import { addYears } from "./dates.ts";
import { CODE_WINDOW_MS } from "./limits.ts";

/** What a purchase code buys: how long its certificate is valid (decisions: product, category). */
export const PRODUCT_CODES = ["FV00", "FV01", "FV02", "FV03"] as const;
export type ProductCode = (typeof PRODUCT_CODES)[number];

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Product {
	category: number;
	validity: { days: number } | { years: number };
}

const PRODUCTS: Record<ProductCode, Product> = {
	FV00: { category: 0, validity: { days: 30 } },
	FV01: { category: 1, validity: { years: 1 } },
	FV02: { category: 2, validity: { years: 2 } },
	FV03: { category: 3, validity: { years: 3 } },
};

/** The product's number, `category` in the list. */
export function categoryOf(product: ProductCode): number {
	return PRODUCTS[product].category;
}

/** Clocks of readers run late: a certificate is valid from five minutes before it was issued. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** From the sale of a code to its certificate: the 14-day window, and a month more for the claim. */
const SALE_MARGIN_MS = CODE_WINDOW_MS + 30 * DAY_MS;

/** When the authority's certificates, issuing and root, are both valid. */
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
	const { validity } = PRODUCTS[product];
	const notAfter =
		"days" in validity ? issued + validity.days * DAY_MS : addYears(issued, validity.years, "28 February");
	const [start, end] = [issuer.notBefore.getTime(), issuer.notAfter.getTime()];
	if (issued < start || notAfter > end) return null;
	return { notBefore: Math.max(issued - CLOCK_SKEW_MS, start), notAfter };
}

/** Whether a code sold now can have its certificate, now and until the margin after its sale is over. */
export function isSellable(product: ProductCode, now: number, issuer: IssuerDates): boolean {
	return [now, now + SALE_MARGIN_MS].every((then) => validityOf(product, then, issuer) !== null);
}
