import { digestRows } from "../../db/audit-events.ts";
import { listPlaces } from "../../db/directory.ts";
import { askAll } from "../../directory.ts";
import type { Platform } from "../../platform.ts";
import type { DigestsOfPartners } from "./digest-log.ts";

/** Rows of no partner: jobs, restores, searches of holders. Each database has its own. */
const NO_PARTNER = "";

/**
 * Digests the audit rows of a period, of every partner in the database that the directory names, which has them before
 * a move, during it and after it.
 * @throws {Unavailable} when a database does not answer: without it there is no root
 */
export async function digestPartners(
	{ directory, databases }: Pick<Platform, "directory" | "databases">,
	period: { from: number; until: number },
): Promise<DigestsOfPartners> {
	const places = Map.groupBy(await listPlaces(directory), ({ database }) => database);
	const digests = await askAll({ databases }, async ({ number, db }) => {
		const partnerIds = (places.get(number) ?? []).map(({ partnerId }) => partnerId);
		return [number, await digestRows(db, [NO_PARTNER, ...partnerIds], period)] as const;
	});
	return new Map(digests);
}
