import type { Sealer } from "./sealing.ts";

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
 * Seals the pictures of one validation and stores them before anything says they are kept.
 * @param validation - id of the validation they belong to; part of the object key.
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
			await bucket.put(objectKey, await sealer.seal(content, evidencePlace(objectKey)));
			return { objectKey, side, mediaType };
		}),
	);
}

export function evidencePlace(objectKey: string) {
	return { table: "evidence", row: objectKey, column: "content" };
}
