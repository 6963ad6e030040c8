import { PRODUCT_CODES, type ProductCode } from "./products.ts";

/**
 * Events counted for a partner's codes, each on the day on which it happened. A code is `validated` once, the first
 * time; a certificate that was revoked before its end does not expire.
 */
export const USAGE_KINDS = ["created", "validated", "emitted", "revoked", "expired"] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

export interface UsageCount {
	/** YYYY-MM-DD, America/Santiago. */
	day: string;
	product: ProductCode;
	kind: UsageKind;
	n: number;
}

/** The sums of each product, in the order of the products; a product without use has zeros. */
export function sumUsage(
	counts: readonly UsageCount[],
): ({ product: ProductCode } & Record<UsageKind, number>)[] {
	return PRODUCT_CODES.map((product) => {
		const sums = { product, created: 0, validated: 0, emitted: 0, revoked: 0, expired: 0 };
		for (const count of counts) if (count.product === product) sums[count.kind] += count.n;
		return sums;
	});
}
