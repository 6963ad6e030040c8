/** Products of a purchase code: the validity of its certificate (decisions: product, category). */
export const PRODUCT_CODES = ["FV00", "FV01", "FV02", "FV03"] as const;
export type ProductCode = (typeof PRODUCT_CODES)[number];

/** Validity of a certificate; years are calendar years. */
export type Period = { days: number } | { years: number };

interface Product {
	category: number;
	validity: Period;
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

export function periodOf(product: ProductCode): Period {
	return PRODUCTS[product].validity;
}
