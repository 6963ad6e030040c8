import {
	enterPublishedRevocations,
	findSerials,
	noteEntered,
	pageRevoked,
	type RevokedRow,
	readCrlState,
} from "../db/crl-state.ts";
import type { DatabaseDb } from "../db/query.ts";
import { firstDb } from "../directory.ts";
import type { Platform } from "../platform.ts";
import { Unavailable } from "../unavailable.ts";
import { CrlEntries } from "../x509/crl.ts";
import type { RetiredAuthority } from "../x509/retired-authority.ts";
import { crlKey, findPublishedCrl, type PublishedCrl, readPublishedEntries } from "./published-crl.ts";
import { ENTRY_OVERLAP_MS, LONGEST_VALIDITY_MS } from "./validity.ts";

export type UnitingContext = Pick<Platform, "directory" | "databases" | "pki"> & {
	authority: Pick<RetiredAuthority, "keyId" | "publicKey">;
};

const PAGE_SIZE = 5_000;
const ENTERED_AT_ONCE = 1_000;

/**
 * Unites, as sets, what D1 has as revoked with what the published CRL lists, and enters into D1 what only the CRL has:
 * a restore of D1 takes no revocation back. An entry is left out once the published CRL was issued long enough after its
 * certificate's end.
 *
 * @returns null when another CRL was published meanwhile
 */
export async function uniteRevocations(
	context: UnitingContext,
	published: PublishedCrl | null,
): Promise<CrlEntries | null> {
	const { databases, pki, authority } = context;
	const listing = listingOf(authority, published);
	const entries = new CrlEntries();
	const known = new Set<string>();
	const add = ({ serial, revokedAt, revocationReason }: RevokedRow) => {
		entries.add(serial, revokedAt, revocationReason);
		known.add(serial);
	};
	// What a published CRL had is in its certificate's database, or in the first: it stands before what the row says.
	for (const { db } of databases)
		for (let after = ""; ; ) {
			const page = await pageRevoked(db, { ...listing, after, size: PAGE_SIZE });
			for (const row of page) if (!known.has(row.serial)) add(row);
			const last = page.at(-1);
			if (!last || page.length < PAGE_SIZE) break;
			after = last.serial;
		}
	if (!published) return entries;
	const listed = await readPublishedEntries(pki, authority, published.etag);
	if (!listed) return null;
	const lacking: RevokedRow[] = [];
	for (const { serial, revokedAt, reason } of listed)
		if (!known.has(serial)) lacking.push({ serial, revokedAt, revocationReason: reason });
	for (const row of await enterRevocations(context, published, lacking)) add(row);
	return entries;
}

/**
 * Enters into D1 revocations that relying parties know of and D1 does not: each where its certificate is, else in `DB`.
 * @returns those whose certificates have not ended
 */
export async function enterRevocations(
	context: UnitingContext,
	published: PublishedCrl | null,
	lacking: readonly RevokedRow[],
): Promise<RevokedRow[]> {
	const listing = listingOf(context.authority, published);
	const entered: RevokedRow[] = [];
	for (let at = 0; at < lacking.length; at += ENTERED_AT_ONCE) {
		let left = lacking.slice(at, at + ENTERED_AT_ONCE);
		const enter = async (db: DatabaseDb, entries: readonly RevokedRow[]) => {
			if (entries.length > 0) entered.push(...(await enterPublishedRevocations(db, { ...listing, entries })));
		};
		for (const { db } of context.databases) {
			const serials = left.map(({ serial }) => serial);
			const here = await findSerials(db, serials);
			await enter(
				db,
				left.filter(({ serial }) => here.has(serial)),
			);
			left = left.filter(({ serial }) => !here.has(serial));
		}
		await enter(firstDb(context), left);
	}
	return entered;
}

/** An entry is listed until a CRL was issued long enough after its certificate's end. */
function listingOf({ keyId }: UnitingContext["authority"], published: PublishedCrl | null) {
	const until = (published?.thisUpdate ?? 0) - ENTRY_OVERLAP_MS;
	return { keyId, until, assumedValidity: LONGEST_VALIDITY_MS };
}

/** Finds the published CRL if D1 may lack some of its entries. */
export async function findUnentered({
	directory,
	pki,
	authority,
}: UnitingContext): Promise<PublishedCrl | null> {
	const published = await findPublishedCrl(pki, crlKey(authority));
	const { enteredEtag } = await readCrlState(directory, authority.keyId);
	return published?.etag === enteredEtag ? null : published;
}

/** Enters into D1 what only the published CRL has, without building one. @throws {Unavailable} */
export async function enterPublished(context: UnitingContext): Promise<void> {
	const published = await findUnentered(context);
	if (!published) return;
	if ((await uniteRevocations(context, published)) === null)
		throw new Unavailable("bucket", "another CRL was published meanwhile");
	const { number, etag } = published;
	await noteEntered(context.directory, { keyId: context.authority.keyId, number, etag });
}
