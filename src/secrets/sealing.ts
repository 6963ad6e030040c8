import { concatBytes } from "@noble/hashes/utils.js";

/**
 * Personal data at rest: AES-256-GCM with a random 96-bit nonce. The additional data are the table, row and column,
 * so a value moved elsewhere does not open. Record: `<key id>.` and nonce ‖ ciphertext ‖ tag, in base64url or, of a BLOB,
 * as they are. The first key seals; all keys open.
 */

const NONCE_BYTES = 12;
const DOT = ".".charCodeAt(0);
const encoder = new TextEncoder();

export interface Sealer {
	/** Id of the key that seals. */
	currentKeyId: string;
	/** One, unless a key rotation is in progress. */
	keyCount: number;
	seal(plaintext: string | Uint8Array, place: Place): Promise<string>;
	/** Seals as bytes, a quarter shorter than text. */
	sealBytes(plaintext: Uint8Array, place: Place): Promise<Uint8Array>;
	/** @throws when the record was altered, moved, or sealed with a key that is no longer configured */
	open(record: SealedRecord, place: Place): Promise<Uint8Array>;
	openText(record: string, place: Place): Promise<string>;
}

export type SealedRecord = string | Uint8Array;

/** Location of a sealed value. */
interface Place {
	table: string;
	/** The row's key; of a leaf, its certificate's serial. */
	row: string;
	column: string;
}

/** @param keys - key id to 32 bytes, the sealing key first */
export async function createSealer(keys: ReadonlyMap<string, Uint8Array>): Promise<Sealer> {
	const imported = new Map<string, CryptoKey>();
	for (const [id, key] of keys) imported.set(id, await importKey(key));
	const [current] = imported;
	if (!current) throw new Error("a sealer needs at least one key");
	const [currentId, currentKey] = current;

	const open = async (record: SealedRecord, place: Place) => {
		const key = imported.get(keyIdOf(record));
		if (!key) throw new Error(`no key to open ${place.table}.${place.column}`);
		return decryptWith(key, sealedPart(record), aad(place));
	};
	return {
		currentKeyId: currentId,
		keyCount: imported.size,
		seal: async (plaintext, place) => {
			const bytes = typeof plaintext === "string" ? encoder.encode(plaintext) : plaintext;
			const sealed = await encryptWith(currentKey, bytes, aad(place));
			return `${currentId}.${sealed.toBase64({ alphabet: "base64url", omitPadding: true })}`;
		},
		sealBytes: async (plaintext, place) =>
			concatBytes(encoder.encode(`${currentId}.`), await encryptWith(currentKey, plaintext, aad(place))),
		open,
		openText: async (record, place) => new TextDecoder().decode(await open(record, place)),
	};
}

/** Id of the key that a record was sealed with. */
export function keyIdOf(record: SealedRecord): string {
	if (typeof record === "string") return record.slice(0, record.indexOf("."));
	return new TextDecoder().decode(record.subarray(0, record.indexOf(DOT)));
}

/** nonce ‖ ciphertext ‖ tag */
function sealedPart(record: SealedRecord): Uint8Array {
	if (typeof record !== "string") return record.subarray(record.indexOf(DOT) + 1);
	return Uint8Array.fromBase64(record.slice(record.indexOf(".") + 1), { alphabet: "base64url" });
}

/** @returns nonce ‖ ciphertext ‖ tag */
async function encryptWith(key: CryptoKey, plaintext: Uint8Array, additionalData: Uint8Array) {
	const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
	const ciphertext = await crypto.subtle.encrypt(
		{ name: "AES-GCM", iv: nonce, additionalData },
		key,
		plaintext,
	);
	return concatBytes(nonce, new Uint8Array(ciphertext));
}

/** @throws when the key, the additional data or the bytes differ from those that were sealed */
async function decryptWith(key: CryptoKey, sealed: Uint8Array, additionalData: Uint8Array) {
	const iv = sealed.subarray(0, NONCE_BYTES);
	const ciphertext = sealed.subarray(NONCE_BYTES);
	return new Uint8Array(
		await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, ciphertext),
	);
}

function aad({ table, row, column }: Place): Uint8Array {
	return encoder.encode(JSON.stringify([table, row, column]));
}

/**
 * HKDF-SHA-256 (RFC 5869) of the caller's Idempotency-Key, which is not stored, salted with the service's secret,
 * because callers may choose short keys. An answer sealed with it opens only for a caller who sends that key.
 * @returns 32 bytes, kept in memory only
 */
export async function deriveCallerKey(
	secret: Uint8Array,
	partnerId: string,
	callerKey: string,
): Promise<Uint8Array> {
	const material = await crypto.subtle.importKey("raw", encoder.encode(callerKey), "HKDF", false, [
		"deriveBits",
	]);
	const info = encoder.encode(`idempotent answer\0${partnerId}`);
	const bits = await crypto.subtle.deriveBits(
		{ name: "HKDF", hash: "SHA-256", salt: secret, info },
		material,
		256,
	);
	return new Uint8Array(bits);
}

export async function sealForCaller(
	callerKey: Uint8Array,
	answer: unknown,
	keyId: string,
): Promise<Uint8Array> {
	return encryptWith(
		await importKey(callerKey),
		encoder.encode(JSON.stringify(answer)),
		encoder.encode(keyId),
	);
}

export async function openForCaller(
	callerKey: Uint8Array,
	sealed: Uint8Array,
	keyId: string,
): Promise<unknown> {
	const plaintext = await decryptWith(await importKey(callerKey), sealed, encoder.encode(keyId));
	return JSON.parse(new TextDecoder().decode(plaintext));
}

function importKey(key: Uint8Array): Promise<CryptoKey> {
	return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
}
