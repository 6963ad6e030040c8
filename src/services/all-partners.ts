import { findPartner, listPartners, type PartnerRow } from "../db/partners.ts";
import { askAll, type Databases, findHome } from "../directory.ts";

/** The partners of all databases, the oldest first. */
export async function listAllPartners(platform: Pick<Databases, "databases">): Promise<PartnerRow[]> {
	const each = await askAll(platform, ({ db }) => listPartners(db));
	return each.flat().toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** A partner whose id somebody has typed, with its keys in force. */
export async function findAnyPartner(platform: Databases, id: string): ReturnType<typeof findPartner> {
	const home = await findHome(platform, id);
	return home && findPartner(home.db, id, platform.clock());
}
