import { keyIdOf, type Sealer } from "./sealing.ts";

/** A picture of an identity card as the partner sent it, decoded. */
export interface CardPicture {
	side: "front" | "back";
	mediaType: "image/jpeg" | "image/png" | "application/pdf";
	content: Uint8Array;
}

export interface StoredPicture {
	objectKey: string;
	side: CardPicture["side"];
	mediaType: CardPicture["mediaType"];
}

/**
 * Seals and stores the pictures of one validation. Called before the database refers to them.
 * @param owner - partner and validation; both are part of the object key.
 * @throws {Unavailable}
 */
export async function storeEvidence(
	bucket: R2Bucket,
	sealer: Sealer,
	owner: { partnerId: string; validation: string },
	pictures: readonly CardPicture[],
): Promise<StoredPicture[]> {
	return Promise.all(
		pictures.map(async ({ side, mediaType, content }) => {
			const objectKey = `${owner.partnerId}/${owner.validation}/${side}`;
			const sealed = await sealer.seal(content, evidencePlace(objectKey));
			await bucket.put(objectKey, sealed);
			return { objectKey, side, mediaType };
		}),
	);
}

export function evidencePlace(objectKey: string) {
	return { table: "evidence", row: objectKey, column: "content" };
}

/**
 * A stored picture, decrypted; null when the bucket no longer has it.
 * @throws {Unavailable} when the bucket fails, and an Error when the picture was altered or moved.
 */
export async function openEvidence(
	bucket: R2Bucket,
	sealer: Sealer,
	objectKey: string,
): Promise<Uint8Array | null> {
	const sealed = await (await bucket.get(objectKey))?.text();
	return sealed === undefined ? null : sealer.open(sealed, evidencePlace(objectKey));
}

const KEY_ID_BYTES = 17;

/** Id of the key a stored picture is sealed with, from its first bytes; null when the bucket no longer has it. */
export async function evidenceKeyId(bucket: R2Bucket, objectKey: string): Promise<string | null> {
	const head = await bucket.get(objectKey, { range: { offset: 0, length: KEY_ID_BYTES } });
	return head === null ? null : keyIdOf(await head.text());
}

/**
 * Seals a stored picture with the current key, unless it is erased or replaced concurrently.
 * @returns false when no key opens it; it is left unchanged.
 */
export async function resealPicture(bucket: R2Bucket, sealer: Sealer, objectKey: string): Promise<boolean> {
	const object = await bucket.get(objectKey);
	if (object === null) return true;
	const content = await sealer.open(await object.text(), evidencePlace(objectKey)).catch(() => null);
	if (content === null) return false;
	const sealed = await sealer.seal(content, evidencePlace(objectKey));
	await bucket.put(objectKey, sealed, { onlyIf: { etagMatches: object.etag } });
	return true;
}
