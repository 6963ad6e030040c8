import { findHeldEmails, listPartnerIds } from "../../db/holders-across-partners.ts";
import type { FoundCode } from "../../db/schema-holder.ts";
import { askEach } from "../../directory.ts";
import type { Platform } from "../../platform.ts";

/** The codes of a RUT whose holder has the e-mail, over all partners whose database answers. */
export async function findCodes(platform: Platform, rut: string, email: string): Promise<FoundCode[]> {
	const { index } = platform;
	const wanted = email.toLowerCase();
	const { answers } = await askEach(platform, async ({ db }) => {
		const ids = await listPartnerIds(db);
		const pairs = await Promise.all(ids.map(async (id) => [id, await index.of("rut", id, rut)] as const));
		return findHeldEmails(db, pairs);
	});
	const found: FoundCode[] = [];
	for (const { partnerId, code, emailIndex } of answers.flat())
		if (await index.matches(emailIndex, "email", partnerId, wanted)) found.push([partnerId, code]);
	return found;
}
