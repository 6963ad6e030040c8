import { listDeliveries } from "../db/deliveries.ts";
import type { OutboxRow } from "../db/outbox.ts";
import { askEach, type Databases } from "../directory.ts";

/** The latest deliveries of all partners whose database answers, the newest first. */
export async function listAllDeliveries(
	platform: Pick<Databases, "databases">,
	filter: Parameters<typeof listDeliveries>[1],
): Promise<{ deliveries: OutboxRow[]; silent: number[] }> {
	const { answers, silent } = await askEach(platform, ({ db }) => listDeliveries(db, filter));
	const newest = answers.flat().toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
	return { deliveries: newest.slice(0, filter.limit), silent };
}
