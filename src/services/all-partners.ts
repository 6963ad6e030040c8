import { findPartner, listPartners, type PartnerRow } from "../db/partners.ts";
import { askEach, type Databases, findHome } from "../directory.ts";

/** The partners of all databases that answer, the oldest first. */
export async function listAllPartners(
	platform: Pick<Databases, "databases">,
): Promise<{ partners: PartnerRow[]; silent: number[] }> {
	const { answers, silent } = await askEach(platform, ({ db }) => listPartners(db));
	const partners = answers.flat().toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
	return { partners, silent };
}

/** A partner whose id somebody has typed, with its keys in force. */
export async function findAnyPartner(platform: Databases, id: string): ReturnType<typeof findPartner> {
	const home = await findHome(platform, id);
	return home && findPartner(home.db, id, platform.clock());
}
