/**
 * A browser that names the registered page around the frame spares its console a complaint per other origin. What is
 * not on the list narrows nothing: Firefox answers "null" where the frame came without a referrer.
 */
export function likelyOrigins(origins: readonly string[], around: string | undefined): readonly string[] {
	return around !== undefined && origins.includes(around) ? [around] : origins;
}
