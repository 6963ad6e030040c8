import {
	enterPublishedRevocations,
	findEnds,
	noteEntered,
	pagePublished,
	pageRevoked,
	type RevocationMark,
	type RevokedRow,
	readEnteredEtag,
	readRevocationMark,
} from "../db/crl-state.ts";
import { askEach } from "../directory.ts";
import type { Platform } from "../platform.ts";
import { Unavailable } from "../unavailable.ts";
import { CrlEntries } from "../x509/crl.ts";
import type { RetiredAuthority } from "../x509/retired-authority.ts";
import { crlKey, findPublishedCrl, type PublishedCrl, readPublishedEntries } from "./published-crl.ts";
import { ENTRY_OVERLAP_MS, LONGEST_VALIDITY_MS } from "./validity.ts";

export type UnitingContext = Pick<Platform, "directory" | "databases" | "pki"> & {
	authority: Pick<RetiredAuthority, "keyId" | "publicKey">;
};

export interface UnitedRevocations {
	entries: CrlEntries;
	/** Marks of the databases, by their numbers; a silent one's is that of the published CRL, whose entries stay. */
	marks: Record<string, RevocationMark>;
	/** Every database answered: what only the published CRL had is entered. */
	isWhole: boolean;
}

const PAGE_SIZE = 5_000;
const ENTERED_AT_ONCE = 1_000;

/**
 * Unites, as sets, what every database has as revoked with what the published CRL lists, and enters into the directory what only the
 * CRL has: neither a restore nor a silent database takes a revocation back. An entry is left out once the published CRL was issued
 * long enough after its certificate's end.
 *
 * @param building - number of the CRL that is built; null: none
 * @returns null when another CRL was published meanwhile
 */
export async function uniteRevocations(
	{ directory, databases, pki, authority }: UnitingContext,
	published: PublishedCrl | null,
	building: number | null,
): Promise<UnitedRevocations | null> {
	const { keyId } = authority;
	const until = (published?.thisUpdate ?? 0) - ENTRY_OVERLAP_MS;
	const entries = new CrlEntries();
	const known = new Set<string>();
	const add = ({ serial, revokedAt, revocationReason }: RevokedRow) => {
		if (known.has(serial)) return;
		entries.add(serial, revokedAt, revocationReason);
		known.add(serial);
	};
	/** Adds those whose certificates have not ended. @returns those of them that no database has as revoked */
	const addUnended = async (rows: readonly RevokedRow[]): Promise<RevokedRow[]> => {
		const serials = rows.map(({ serial }) => serial);
		const { answers } = await askEach({ databases }, ({ db }) => findEnds(db, serials));
		const found = new Map(answers.flat().map((one) => [one.serial, one]));
		const unended = rows.filter(({ serial, revokedAt }) => {
			const end = found.get(serial)?.notAfter ?? revokedAt + LONGEST_VALIDITY_MS;
			return Math.max(revokedAt, end) >= until;
		});
		for (const row of unended) add(row);
		return unended.filter(({ serial }) => !found.get(serial)?.isRevoked);
	};

	const page = { keyId, size: PAGE_SIZE };
	await eachPage(page, (at) => pagePublished(directory, at), addUnended);
	const listing = { ...page, until, assumedValidity: LONGEST_VALIDITY_MS };
	const { answers, silent } = await askEach({ databases }, async ({ number, db }) => {
		const mark = await readRevocationMark(db, keyId, building);
		await eachPage(
			listing,
			(at) => pageRevoked(db, at),
			async (rows) => {
				for (const row of rows) add(row);
			},
		);
		return [number, mark] as const;
	});
	const marks = { ...published?.marks };
	for (const [number, mark] of answers) marks[number] = mark;
	const isWhole = silent.length === 0;
	if (!published) return { entries, marks, isWhole };

	const listed = await readPublishedEntries(pki, authority, published.etag);
	if (!listed) return null;
	const lacking: RevokedRow[] = [];
	for (const { serial, revokedAt, reason } of listed)
		if (!known.has(serial)) lacking.push({ serial, revokedAt, revocationReason: reason });
	for (const some of pagesOf(lacking)) {
		const unknown = await addUnended(some);
		if (isWhole) await enterPublishedRevocations(directory, keyId, unknown);
	}
	return { entries, marks, isWhole };
}

/** Enters into the directory revocations that relying parties know of and no database does. */
export async function enterRevocations(
	{ directory, authority: { keyId } }: UnitingContext,
	lacking: readonly RevokedRow[],
): Promise<void> {
	for (const some of pagesOf(lacking)) await enterPublishedRevocations(directory, keyId, some);
}

function pagesOf(rows: readonly RevokedRow[]): (readonly RevokedRow[])[] {
	const pages = Math.ceil(rows.length / ENTERED_AT_ONCE);
	return Array.from({ length: pages }, (_, i) => rows.slice(i * ENTERED_AT_ONCE, (i + 1) * ENTERED_AT_ONCE));
}

/** Reads all pages of rows in the order of their serials. */
async function eachPage<Page extends { size: number }>(
	page: Page,
	read: (at: Page & { after: string }) => Promise<RevokedRow[]>,
	take: (rows: RevokedRow[]) => Promise<unknown>,
): Promise<void> {
	for (let after: string | null = ""; after !== null; ) {
		const rows: RevokedRow[] = await read({ ...page, after });
		if (rows.length > 0) await take(rows);
		after = rows.length < page.size ? null : rows.at(-1)!.serial;
	}
}

/** Finds the published CRL if some of its entries may be in no database and not in the directory either. */
export async function findUnentered({
	databases,
	pki,
	authority,
}: UnitingContext): Promise<PublishedCrl | null> {
	const { keyId } = authority;
	const published = await findPublishedCrl(pki, crlKey(authority));
	const { answers, silent } = await askEach({ databases }, ({ db }) => readEnteredEtag(db, keyId));
	const isEntered = silent.length === 0 && answers.every((etag) => etag === published?.etag);
	return isEntered ? null : published;
}

/** Enters into the directory what only the published CRL has, without building one. @throws {Unavailable} */
export async function enterPublished(context: UnitingContext): Promise<void> {
	const published = await findUnentered(context);
	if (!published) return;
	const united = await uniteRevocations(context, published, null);
	if (united === null) throw new Unavailable("bucket", "another CRL was published meanwhile");
	if (!united.isWhole) throw new Unavailable("db", "a database did not answer");
	await noteAllEntered(context, published);
}

/** Notes in every database that all entries of a published CRL are entered. */
export async function noteAllEntered(
	{ databases, authority: { keyId } }: UnitingContext,
	{ number, etag }: Pick<PublishedCrl, "number" | "etag">,
): Promise<void> {
	await askEach({ databases }, ({ db }) => noteEntered(db, { keyId, number, etag }));
}
