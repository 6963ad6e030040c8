import type { RowsDigest } from "../../db/audit-events.ts";

/*
 * The log of the audit in R2: its start, and a digest of each day's rows. Objects are added and never replaced; in prod
 * a lock rule of the bucket holds even against holders of its keys. Write access to D1 gives none here.
 */

/** Written once. Epoch milliseconds. */
export interface AuditBoundary {
	/** Begin of the first day with a digest. */
	digestedFrom: number;
}

/** Digest of the rows whose time is in [from, until). */
export interface LoggedDigest extends RowsDigest {
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

/** @returns false when another writer has taken the sequence number. @throws {Unavailable} */
export async function appendDigest(bucket: R2Bucket, digest: LoggedDigest): Promise<boolean> {
	const { sequence, ...facts } = digest;
	return putOnce(bucket, `${DIGESTS}${String(sequence).padStart(8, "0")}`, facts);
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
