import { findHeldCertificates, listPartnerIds } from "../../db/holders-across-partners.ts";
import type { FoundCertificate } from "../../db/schema-holder.ts";
import type { Platform } from "../../platform.ts";

/** The certificates of a RUT that have not expired and carry the e-mail, over all partners. */
export async function findCertificates(
	{ db, index, clock }: Platform,
	rut: string,
	email: string,
): Promise<FoundCertificate[]> {
	const wanted = email.toLowerCase();
	const ids = await listPartnerIds(db);
	const pairs = await Promise.all(ids.map(async (id) => [id, await index.of("rut", id, rut)] as const));
	const held = await findHeldCertificates(db, pairs, clock());
	const found: FoundCertificate[] = [];
	for (const { partnerId, code, serial, emailIndex } of held)
		if (await index.matches(emailIndex, "email", partnerId, wanted)) found.push([partnerId, code, serial]);
	return found;
}
