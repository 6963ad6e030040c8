/** How the delivery of a certificate to its B2B partner stands (§3.3, §6). */
export const DELIVERY_STANDINGS = ["delivered", "pending", "waiting_for_address", "ended"] as const;

/** Times in epoch milliseconds, null where the standing has none. */
export interface DeliveryStanding {
	status: (typeof DELIVERY_STANDINGS)[number];
	deliveredAt: number | null;
	nextAttemptAt: number | null;
}

/** A delivery that carries the certificate; `isKept`: the file is still there to be sent. */
interface CarryingDelivery {
	deliveredAt: number | null;
	nextAttemptAt: number | null;
	isKept: boolean;
}

/**
 * The standing of all deliveries of one certificate: delivered as soon as one of the partner's addresses has it. One that
 * has no attempt before it waits until an address is set or it is sent again; `ended`: the file was withdrawn or erased.
 * @returns null without deliveries: not issued, or B2C
 */
export function standingOf(deliveries: readonly CarryingDelivery[]): DeliveryStanding | null {
	if (deliveries.length === 0) return null;
	const deliveredAt = earliest(deliveries.map((delivery) => delivery.deliveredAt));
	if (deliveredAt !== null) return { status: "delivered", deliveredAt, nextAttemptAt: null };
	const nextAttemptAt = earliest(deliveries.map((delivery) => delivery.nextAttemptAt));
	if (nextAttemptAt !== null) return { status: "pending", deliveredAt, nextAttemptAt };
	const isKept = deliveries.some((delivery) => delivery.isKept);
	return { status: isKept ? "waiting_for_address" : "ended", deliveredAt, nextAttemptAt };
}

function earliest(times: readonly (number | null)[]): number | null {
	const known = times.filter((time) => time !== null);
	return known.length === 0 ? null : Math.min(...known);
}
