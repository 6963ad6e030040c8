import { concatBytes } from "@noble/hashes/utils.js";

/**
 * Personal data at rest: AES-256-GCM with a random 96-bit nonce, bound by its additional data to the table,
 * row and column it lies in, so that a value moved elsewhere does not open.
 * Record: `<key id>.<base64url(nonce ‖ ciphertext ‖ tag)>`; a new first key seals, older ones still open.
 */

const NONCE_BYTES = 12;

export interface Sealer {
	/** Id of the key that seals. */
	currentKeyId: string;
	/** How many keys there are: one, unless a rotation is under way. */
	keyCount: number;
	seal(plaintext: string | Uint8Array, place: Place): Promise<string>;
	/** @throws when the record was altered, moved, or sealed with a key that is gone. */
	open(record: string, place: Place): Promise<Uint8Array>;
	openText(record: string, place: Place): Promise<string>;
}

/** Where a sealed value lives. */
interface Place {
	table: string;
	row: string;
	column: string;
}

/** @param keys - key id to 32 bytes, the sealing key first. */
export async function createSealer(keys: ReadonlyMap<string, Uint8Array>): Promise<Sealer> {
	const imported = new Map<string, CryptoKey>();
	for (const [id, key] of keys)
		imported.set(id, await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]));
	const [current] = imported;
	if (!current) throw new Error("a sealer needs at least one key");
	const [currentId, currentKey] = current;

	const open = async (record: string, place: Place) => {
		const key = imported.get(keyIdOf(record));
		if (!key) throw new Error(`no key to open ${place.table}.${place.column}`);
		return decryptWith(
			key,
			Uint8Array.fromBase64(record.slice(record.indexOf(".") + 1), { alphabet: "base64url" }),
			aad(place),
		);
	};
	return {
		currentKeyId: currentId,
		keyCount: imported.size,
		seal: async (plaintext, place) => {
			const bytes = typeof plaintext === "string" ? new TextEncoder().encode(plaintext) : plaintext;
			const sealed = await encryptWith(currentKey, bytes, aad(place));
			return `${currentId}.${sealed.toBase64({ alphabet: "base64url", omitPadding: true })}`;
		},
		open,
		openText: async (record, place) => new TextDecoder().decode(await open(record, place)),
	};
}

/** Id of the key that a record was sealed with. */
export function keyIdOf(record: string): string {
	return record.slice(0, record.indexOf("."));
}

/** Nonce, ciphertext and tag in one. */
async function encryptWith(key: CryptoKey, plaintext: Uint8Array, additionalData: Uint8Array) {
	const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
	const ciphertext = await crypto.subtle.encrypt(
		{ name: "AES-GCM", iv: nonce, additionalData },
		key,
		plaintext,
	);
	return concatBytes(nonce, new Uint8Array(ciphertext));
}

/** @throws when key, additional data or bytes are not those of the sealing. */
async function decryptWith(key: CryptoKey, sealed: Uint8Array, additionalData: Uint8Array) {
	const iv = sealed.subarray(0, NONCE_BYTES);
	const ciphertext = sealed.subarray(NONCE_BYTES);
	return new Uint8Array(
		await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, ciphertext),
	);
}

function aad({ table, row, column }: Place): Uint8Array {
	return new TextEncoder().encode(JSON.stringify([table, row, column]));
}

/*
 * An answer that carries a certificate is kept only for the caller who can ask for it again: its key comes
 * from the caller's Idempotency-Key, which is not stored, and a secret of ours, which makes short keys strong.
 */

const encoder = new TextEncoder();

/**
 * HKDF-SHA-256 (RFC 5869) of the caller's key.
 * @returns 32 bytes that travel to the code's object in memory only.
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

function importKey(callerKey: Uint8Array): Promise<CryptoKey> {
	return crypto.subtle.importKey("raw", callerKey, "AES-GCM", false, ["encrypt", "decrypt"]);
}
