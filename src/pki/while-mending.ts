import type { StatusFacts } from "../db/certificates.ts";
import { findMending } from "../mending.ts";
import type { Platform, PublishedAuthority } from "../platform.ts";
import { isFrozen } from "../settings/settings.ts";
import { readPublishedEntries } from "./published-crl.ts";
import { findUnentered } from "./unite-revocations.ts";

/** Tells whether a database may have forgotten revocations: it is frozen or mends, or the bucket does not say. */
export async function isDoubted(platform: Platform, database: number): Promise<boolean> {
	return (
		isFrozen(platform.settings, database) ||
		(await findMending(platform, database).catch(() => true)) !== null
	);
}

/** Adds revocations that the published CRL alone has, before a build has entered them. */
export async function addPublished(
	{ databases, directory, pki }: Platform,
	authority: PublishedAuthority,
	serials: readonly string[],
	facts: readonly StatusFacts[],
): Promise<StatusFacts[]> {
	const open = new Set(serials);
	for (const { serial, revokedAt } of facts) if (revokedAt !== null) open.delete(serial);
	const added: StatusFacts[] = [];
	const published = open.size > 0 ? await findUnentered({ databases, directory, pki, authority }) : null;
	const listed = published && (await readPublishedEntries(pki, authority, published.etag));
	for (const { serial, revokedAt, reason } of listed ?? [])
		if (open.has(serial)) added.push({ serial, issuedAt: null, revokedAt, revocationReason: reason });
	return [...facts.filter(({ serial }) => !added.some((one) => one.serial === serial)), ...added];
}
