import { openHolderEmail } from "../../db/holders.ts";
import { findHeldCertificates, listPartnerIds } from "../../db/holders-across-partners.ts";
import type { FoundCertificate } from "../../db/schema-holder.ts";
import type { Platform } from "../../platform.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { describeError } from "../../telemetry/describe-error.ts";
import { log } from "../../telemetry/log.ts";

/** The certificates of a RUT that have not expired and carry the e-mail, over all partners. */
export async function findCertificates(
	{ db, index, sealer, clock }: Platform,
	rut: string,
	email: string,
): Promise<FoundCertificate[]> {
	const wanted = email.toLowerCase();
	const ids = await listPartnerIds(db);
	const pairs = await Promise.all(ids.map(async (id) => [id, await index.of("rut", id, rut)] as const));
	const held = await findHeldCertificates(db, pairs, clock());
	const found: FoundCertificate[] = [];
	for (const { partnerId, code, serial, emailIndex, emailSealed } of held) {
		const carries =
			emailIndex === null
				? (await openEmail(sealer, code, emailSealed)) === wanted
				: await index.matches(emailIndex, "email", partnerId, wanted);
		if (carries) found.push([partnerId, code, serial]);
	}
	return found;
}

/** In lower case; null for one that cannot be opened, which must not hide the holder's other certificates. */
async function openEmail(sealer: Sealer, code: string, sealed: string): Promise<string | null> {
	try {
		return (await openHolderEmail(sealer, code, sealed)).toLowerCase();
	} catch (error) {
		log("error", "unopenable", { table: "holders", row: code, ...describeError(error) });
		return null;
	}
}
