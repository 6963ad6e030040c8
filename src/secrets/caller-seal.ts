import { decryptWith, encryptWith } from "./sealing.ts";

/*
 * An answer that carries a certificate is kept only for the caller who can ask for it again: its key comes
 * from the caller's Idempotency-Key, which is not stored, and a secret of ours, which makes short keys strong.
 */

const encoder = new TextEncoder();

/**
 * HKDF-SHA-256 (RFC 5869) of the caller's key.
 * @returns 32 octets that travel to the code's object in memory only.
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
