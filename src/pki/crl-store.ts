import { bytesToHex } from "@noble/hashes/utils.js";
import { askBucket } from "../secrets/bucket.ts";

/** What is known of the published CRL without reading it. Times in epoch milliseconds. */
export interface PublishedCrl {
	number: number;
	thisUpdate: number;
	nextUpdate: number;
	/** How many revocations there had ever been when it was built. */
	revocations: number;
	etag: string;
}

/** Where the CRL of an authority's key lies: another key's CRL would not verify. */
export function crlKey(authority: { subjectKeyId: Uint8Array }): string {
	return `crl/${bytesToHex(authority.subjectKeyId)}.crl`;
}

/** The CRL that relying parties get now, or null before the first. @throws {Unavailable} */
export async function findPublishedCrl(bucket: R2Bucket, key: string): Promise<PublishedCrl | null> {
	const object = await askBucket(bucket.head(key));
	return object && describeCrl(object);
}

export function describeCrl({ customMetadata = {}, etag }: R2Object): PublishedCrl {
	const { number, thisUpdate, nextUpdate, revocations } = customMetadata;
	return {
		number: Number(number),
		thisUpdate: Number(thisUpdate),
		nextUpdate: Number(nextUpdate),
		revocations: Number(revocations),
		etag,
	};
}

/**
 * Puts a CRL in the place of the one it was built after.
 * @returns false, and nothing changed, when another one took that place meanwhile.
 * @throws {Unavailable}
 */
export async function replaceCrl(
	bucket: R2Bucket,
	key: string,
	previous: PublishedCrl | null,
	next: Omit<PublishedCrl, "etag"> & { der: Uint8Array },
): Promise<boolean> {
	const { der, ...facts } = next;
	const put = await askBucket(
		bucket.put(key, der, {
			onlyIf: previous ? { etagMatches: previous.etag } : { etagDoesNotMatch: "*" },
			customMetadata: Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)])),
		}),
	);
	return put !== null;
}
