import { and, asc, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { ask } from "../db/query.ts";
import { outbox } from "../db/schema-delivery.ts";
import { DELIVERY_DETAILS_MS } from "../domain/retention.ts";
import { type Job, keyAfter, nextKey } from "./job.ts";

const DELIVERIES_PER_RUN = 5_000;

/**
 * Erases to whom a finished delivery went. Payloads go with the delivery itself; one that was left behind goes
 * here. A delivery that is still to be tried is left alone, whatever its age.
 */
export const eraseDeliveryDetails: Job = {
	name: "erase-delivery-details",
	async run({ platform: { db }, now }, cursor) {
		const finished = and(isNull(outbox.nextAttemptAt), lte(outbox.createdAt, now - DELIVERY_DETAILS_MS));
		const page = await ask(
			db
				.select({ id: outbox.id })
				.from(outbox)
				.where(
					and(
						gt(outbox.id, keyAfter(cursor)),
						finished,
						or(isNotNull(outbox.recipientSealed), isNotNull(outbox.payloadSealed)),
					),
				)
				.orderBy(asc(outbox.id))
				.limit(DELIVERIES_PER_RUN),
		);
		const ids = JSON.stringify(page.map(({ id }) => id));
		const erase = db
			.update(outbox)
			.set({ recipientSealed: null, payloadSealed: null })
			.where(and(sql`${outbox.id} IN (SELECT value FROM json_each(${ids}))`, finished));
		return {
			cursor: nextKey(page, DELIVERIES_PER_RUN, ({ id }) => id),
			report: { deliveries: page.length },
			changes: page.length > 0 ? [erase] : [],
		};
	},
};
