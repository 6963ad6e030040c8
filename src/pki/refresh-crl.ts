import { beginCrl, countRevocations, endCrl, pageRevoked } from "../db/crl-state.ts";
import type { Db } from "../db/query.ts";
import type { Platform } from "../platform.ts";
import { buildCrl, CrlEntries } from "../x509/crl.ts";
import type { IssuingAuthority } from "../x509/issuing-authority.ts";
import { crlKey, findPublishedCrl, type PublishedCrl, replaceCrl } from "./crl-store.ts";
import {
	CRL_REBUILD_MS,
	CRL_TURN_MS,
	CRL_VALIDITY_MS,
	ENTRY_OVERLAP_MS,
	LONGEST_VALIDITY_MS,
} from "./validity.ts";

export type CrlContext = Pick<Platform, "db" | "pki" | "clock"> & {
	authority: Pick<IssuingAuthority, "signer" | "subject" | "subjectKeyId">;
};

const TRIES = 5;
const PAGE_SIZE = 5_000;

/**
 * Publishes a CRL when the published one lacks a revocation, or is old. Called by cron and after every revocation,
 * by as many at once as like: one builds, and whoever finds it building leaves its revocation to the builder, which
 * looks for such once it is done.
 *
 * What is published only ever grows in number and knowledge: a CRL goes out only in the place of the very one that
 * was there before its number was taken and its first row was read.
 */
export async function refreshCrl(context: CrlContext): Promise<PublishedCrl | null> {
	const { db, pki, authority, clock } = context;
	const key = crlKey(authority);
	for (let attempt = 0; ; attempt++) {
		const published = await findPublishedCrl(pki, key);
		if (published && (await isFresh(db, published, clock()))) return published;
		if (attempt === TRIES) return published;
		const until = clock() + CRL_TURN_MS;
		const turn = await beginCrl(db, { published: published?.number ?? 0, now: clock(), until });
		if (turn === null) return published;
		try {
			await buildAfter(context, key, published, turn);
		} finally {
			await endCrl(db, until);
		}
	}
}

async function isFresh(db: Db, published: PublishedCrl, now: number): Promise<boolean> {
	if (now >= published.thisUpdate + CRL_REBUILD_MS) return false;
	return published.revocations === (await countRevocations(db));
}

async function buildAfter(
	{ db, pki, authority, clock }: CrlContext,
	key: string,
	published: PublishedCrl | null,
	{ number, revocations }: { number: number; revocations: number },
): Promise<void> {
	const thisUpdate = Math.max(Math.floor(clock() / 1000) * 1000, published?.thisUpdate ?? 0);
	const nextUpdate = thisUpdate + CRL_VALIDITY_MS;
	const entries = await collectEntries(db, published?.thisUpdate ?? 0);
	const der = await buildCrl(authority, {
		number,
		thisUpdate: new Date(thisUpdate),
		nextUpdate: new Date(nextUpdate),
		entries,
	});
	await replaceCrl(pki, key, published, { number, thisUpdate, nextUpdate, revocations, der });
}

/** An entry goes once the CRL before this one was issued a while past its certificate's end. */
async function collectEntries(db: Db, previousUpdate: number): Promise<CrlEntries> {
	const entries = new CrlEntries();
	const until = previousUpdate - ENTRY_OVERLAP_MS;
	for (let after = ""; ; ) {
		const page = await pageRevoked(db, {
			after,
			until,
			assumedValidity: LONGEST_VALIDITY_MS,
			size: PAGE_SIZE,
		});
		for (const row of page) entries.add(row.serial, row.revokedAt, row.revocationReason);
		const last = page.at(-1);
		if (!last || page.length < PAGE_SIZE) return entries;
		after = last.serial;
	}
}
