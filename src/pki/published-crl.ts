import type { RevocationMark } from "../db/crl-state.ts";
import { type CrlEntry, readCrl } from "../x509/read-crl.ts";

/* The published CRLs, one object of the bucket for each authority's key. */

/** A published CRL's metadata. Times in epoch milliseconds. */
export interface PublishedCrl {
	number: number;
	thisUpdate: number;
	nextUpdate: number;
	/** Marks of the databases whose rows it was built of, by their numbers, each with the CRL number that was noted there. */
	marks: Readonly<Record<string, RevocationMark>>;
	etag: string;
}

/** The bucket's key for the CRL of an authority's key: another key's CRL would not verify. */
export function crlKey({ keyId }: { keyId: string }): string {
	return `crl/${keyId}.crl`;
}

/** The published CRL, or null before the first. @throws {Unavailable} */
export async function findPublishedCrl(bucket: R2Bucket, key: string): Promise<PublishedCrl | null> {
	const object = await bucket.head(key);
	return object && describeCrl(object);
}

/** A CRL that was signed at a ceremony and uploaded by hand has no metadata: it is served unchanged. */
export function describeCrl({ customMetadata = {}, etag, uploaded }: R2Object): PublishedCrl {
	const { number = 0, thisUpdate, nextUpdate = Infinity, marks = "{}" } = customMetadata;
	return {
		number: Number(number),
		thisUpdate: Number(thisUpdate ?? Math.floor(uploaded.getTime() / 1000) * 1000),
		nextUpdate: Number(nextUpdate),
		marks: JSON.parse(marks),
		etag,
	};
}

/**
 * Reads what the published CRL lists.
 * @param etag - of the one that is meant
 * @returns null if it is gone. @throws {Unavailable}, {DerError} if the authority did not sign it
 */
export async function readPublishedEntries(
	bucket: R2Bucket,
	authority: { keyId: string; publicKey: Uint8Array },
	etag: string,
): Promise<Iterable<CrlEntry> | null> {
	const object = await bucket.get(crlKey(authority));
	if (object?.etag !== etag) return null;
	return readCrl(authority, await object.bytes());
}

/**
 * Replaces the CRL that this one was built after.
 * @returns the new one's etag; null where another has replaced it meanwhile. @throws {Unavailable}
 */
export async function replaceCrl(
	bucket: R2Bucket,
	key: string,
	previous: PublishedCrl | null,
	next: Omit<PublishedCrl, "etag"> & { der: Uint8Array },
): Promise<string | null> {
	const { der, number, thisUpdate, nextUpdate, marks } = next;
	const written = await bucket.put(key, der, {
		onlyIf: previous ? { etagMatches: previous.etag } : { etagDoesNotMatch: "*" },
		customMetadata: {
			number: String(number),
			thisUpdate: String(thisUpdate),
			nextUpdate: String(nextUpdate),
			marks: JSON.stringify(marks),
		},
	});
	return written?.etag ?? null;
}
