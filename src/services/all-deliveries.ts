import { listDeliveries } from "../db/deliveries.ts";
import type { OutboxRow } from "../db/outbox.ts";
import { askAll, type Databases } from "../directory.ts";

/** The latest deliveries of all partners, the newest first. */
export async function listAllDeliveries(
	platform: Pick<Databases, "databases">,
	filter: Parameters<typeof listDeliveries>[1],
): Promise<OutboxRow[]> {
	const each = await askAll(platform, ({ db }) => listDeliveries(db, filter));
	const newest = each.flat().toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
	return newest.slice(0, filter.limit);
}
