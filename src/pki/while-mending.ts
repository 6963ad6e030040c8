import type { StatusFacts } from "../db/certificates.ts";
import { findMending } from "../mending.ts";
import type { Platform, PublishedAuthority } from "../platform.ts";
import { readPublishedEntries } from "./published-crl.ts";
import { findUnentered } from "./unite-revocations.ts";

/** Whether D1 may have forgotten revocations: the service is frozen or mends, or the bucket does not say. */
export async function distrustsD1(platform: Platform): Promise<boolean> {
	return platform.settings.frozen || (await findMending(platform).catch(() => true)) !== null;
}

/** Adds revocations that the published CRL has and D1 does not, before a build has entered them. */
export async function addPublished(
	platform: Platform,
	authority: PublishedAuthority,
	serials: readonly string[],
	facts: readonly StatusFacts[],
): Promise<StatusFacts[]> {
	const open = new Set(serials);
	for (const { serial, revokedAt } of facts) if (revokedAt !== null) open.delete(serial);
	const added: StatusFacts[] = [];
	const published = open.size > 0 ? await findUnentered({ ...platform, authority }) : null;
	const listed = published && (await readPublishedEntries(platform.pki, authority, published.etag));
	for (const { serial, revokedAt, reason } of listed ?? [])
		if (open.has(serial)) added.push({ serial, issuedAt: null, revokedAt, revocationReason: reason });
	return [...facts.filter(({ serial }) => !added.some((one) => one.serial === serial)), ...added];
}
