import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { PartnerDigest } from "../../db/audit-events.ts";
import { bindingOf, databaseOf } from "../../domain/database-names.ts";

/*
 * The log of the audit in R2: its start; of each day and database the digest of each partner's rows; and of each day one root over them
 * all, in which nothing says where a partner lives. Objects are added and never replaced; in prod a lock rule of the bucket holds even
 * against holders of its keys. Write access to D1 gives none here.
 */

/** Written once. Epoch milliseconds. */
export interface AuditBoundary {
	/** Begin of the first day with a digest. */
	digestedFrom: number;
}

/** Digests of a period, by database. Rows of no partner are a database's own: `""` there. */
export type DigestsOfPartners = ReadonlyMap<number, readonly PartnerDigest[]>;

/** Root over the rows whose time is in [from, until). */
export interface LoggedDigest {
	/** Number of the rows. */
	rows: number;
	/** SHA-256, hex: {@link rootOf}. */
	digest: string;
	/** Starts at 1, without gaps. */
	sequence: number;
	from: number;
	until: number;
	takenAt: number;
	/** Time to which D1 had been put back: this digest replaces the earlier ones of its period. Null: a day's. */
	restoredTo: number | null;
}

const BOUNDARY = "boundary";
const DIGESTS = "digests/";
const PARTNERS = "partners/";

/** Root and number of rows: SHA-256 over a line for each owner, in their order. */
export function rootOf(digests: DigestsOfPartners): Pick<LoggedDigest, "rows" | "digest"> {
	const lines = [...linesOf(digests).values()].sort();
	const rows = [...digests.values()].flat().reduce((sum, one) => sum + one.rows, 0);
	return { rows, digest: bytesToHex(sha256(utf8ToBytes(lines.join("")))) };
}

/** `owner rows digest`, a line each, by owner: a partner, or `DB`, `DB_2` … for its rows of no partner. */
export function linesOf(digests: DigestsOfPartners): Map<string, string> {
	const lines = [...digests].flatMap(([database, own]) =>
		own.map(({ partnerId, rows, digest }) => {
			const owner = partnerId || bindingOf(database);
			return [owner, `${owner} ${rows} ${digest}\n`] as const;
		}),
	);
	return new Map(lines);
}

/** Reads the boundary; null before the log has begun. @throws {Unavailable} */
export async function readBoundary(bucket: R2Bucket): Promise<AuditBoundary | null> {
	const object = await bucket.head(BOUNDARY);
	return object && (numbersOf(object) as unknown as AuditBoundary);
}

/** @returns the boundary that holds: an earlier one, if there is one. @throws {Unavailable} */
export async function beginLog(bucket: R2Bucket, boundary: AuditBoundary): Promise<AuditBoundary> {
	await putOnce(bucket, BOUNDARY, { ...boundary });
	return (await readBoundary(bucket)) ?? boundary;
}

/** All digests in their order. @throws {Unavailable} */
export async function listDigests(bucket: R2Bucket): Promise<LoggedDigest[]> {
	const digests: LoggedDigest[] = [];
	for (let cursor: string | undefined; ; ) {
		const page = await bucket.list({
			prefix: DIGESTS,
			include: ["customMetadata"],
			...(cursor && { cursor }),
		});
		digests.push(...page.objects.map(digestOf));
		if (!page.truncated) return digests;
		cursor = page.cursor;
	}
}

/**
 * Adds the digests of a period and the root over them, which is the last.
 * @returns null when another writer has taken the sequence number. @throws {Unavailable}
 */
export async function appendDigest(
	bucket: R2Bucket,
	period: Omit<LoggedDigest, "rows" | "digest">,
	digests: DigestsOfPartners,
): Promise<LoggedDigest | null> {
	const { sequence, ...facts } = period;
	for (const [database, own] of digests)
		await bucket.put(partnersKey(sequence, database), JSON.stringify(own), {
			onlyIf: { etagDoesNotMatch: "*" },
		});
	const root = rootOf(digests);
	const added = await putOnce(bucket, `${DIGESTS}${numbered(sequence)}`, { ...facts, ...root });
	return added ? { ...period, ...root } : null;
}

/** Reads the digest of each partner's rows in a period. @throws {Unavailable} */
export async function readPartnerDigests(bucket: R2Bucket, sequence: number): Promise<DigestsOfPartners> {
	const { objects } = await bucket.list({ prefix: `${PARTNERS}${numbered(sequence)}/` });
	const read = objects.map(async ({ key }) => {
		const database = databaseOf(key.slice(key.lastIndexOf("/") + 1));
		const own = await (await bucket.get(key))!.json<PartnerDigest[]>();
		return [database, own] as const;
	});
	return new Map(await Promise.all(read));
}

function partnersKey(sequence: number, database: number): string {
	return `${PARTNERS}${numbered(sequence)}/${bindingOf(database)}`;
}

function numbered(sequence: number): string {
	return String(sequence).padStart(8, "0");
}

/** The digests whose rows a restore of D1 has changed: a later digest replaces each of them. */
export function supersededIn(digests: readonly LoggedDigest[]): Set<number> {
	const superseded = digests.filter(({ sequence, until }) =>
		digests.some((later) => later.restoredTo !== null && later.sequence > sequence && later.from < until),
	);
	return new Set(superseded.map(({ sequence }) => sequence));
}

async function putOnce(
	bucket: R2Bucket,
	key: string,
	facts: Record<string, number | string | null>,
): Promise<boolean> {
	const customMetadata = Object.fromEntries(
		Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
	);
	const onlyIf = { etagDoesNotMatch: "*" };
	return (await bucket.put(key, JSON.stringify(facts), { onlyIf, customMetadata })) !== null;
}

function digestOf(object: R2Object): LoggedDigest {
	return {
		restoredTo: null,
		...numbersOf(object),
		sequence: Number(object.key.slice(DIGESTS.length)),
		digest: object.customMetadata?.digest ?? "",
	} as LoggedDigest;
}

function numbersOf({ customMetadata = {} }: R2Object): Record<string, number> {
	return Object.fromEntries(Object.entries(customMetadata).map(([name, value]) => [name, Number(value)]));
}
