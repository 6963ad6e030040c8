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

/**
 * The validity of a certificate issued at `now`, whole seconds as X.509 keeps them.
 * Years are calendar years in UTC; 29 February ends on 28 February of a common year.
 * @param now - epoch milliseconds.
 */
export function validityOf(product: ProductCode, now: number): { notBefore: number; notAfter: number } {
	const issued = Math.floor(now / 1000) * 1000;
	const { validity } = PRODUCTS[product];
	const notAfter = "days" in validity ? issued + validity.days * DAY_MS : addYears(issued, validity.years);
	return { notBefore: issued - CLOCK_SKEW_MS, notAfter };
}

function addYears(time: number, years: number): number {
	const date = new Date(time);
	const month = date.getUTCMonth();
	date.setUTCFullYear(date.getUTCFullYear() + years);
	if (date.getUTCMonth() !== month) date.setUTCDate(0);
	return date.getTime();
}
