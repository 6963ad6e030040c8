import { derNull, encodeInteger, encodeOid, frame, tag } from "./der.ts";

/** Octets under a password: the DER AlgorithmIdentifier that says how, and the ciphertext. */
export interface PasswordEncrypted {
	algorithm: Uint8Array;
	ciphertext: Uint8Array;
}

/** Production workerd refuses PBKDF2 of more than 100,000 rounds. */
const ROUNDS = 10_000;
const SALT_OCTETS = 16;
const PBES2 = encodeOid("1.2.840.113549.1.5.13");
const PBKDF2 = encodeOid("1.2.840.113549.1.5.12");
const AES_256_CBC = encodeOid("2.16.840.1.101.3.4.1.42");
const HMAC_SHA256 = frame(tag.sequence, encodeOid("1.2.840.113549.2.9"), derNull);

/**
 * PBES2 (RFC 8018 §6.2): PBKDF2-HMAC-SHA256 of 10,000 rounds, AES-256-CBC, salt and IV fresh at every call.
 *
 * @param password taken as plain UTF-8 octets, without the NUL that the PKCS#12 derivation adds
 */
export async function encryptPbes2(password: string, plaintext: Uint8Array): Promise<PasswordEncrypted> {
	const salt = crypto.getRandomValues(new Uint8Array(SALT_OCTETS));
	const iv = crypto.getRandomValues(new Uint8Array(16));
	const key = await deriveAesKey(password, salt);
	const ciphertext = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-CBC", iv }, key, plaintext));
	return { algorithm: encodePbes2(salt, iv), ciphertext };
}

async function deriveAesKey(password: string, salt: Uint8Array): Promise<CryptoKey> {
	const secret = new TextEncoder().encode(password);
	const base = await crypto.subtle.importKey("raw", secret, "PBKDF2", false, ["deriveKey"]);
	const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS };
	return crypto.subtle.deriveKey(derivation, base, { name: "AES-CBC", length: 256 }, false, ["encrypt"]);
}

/** keyLength stays out, as OpenSSL writes it: AES-256-CBC fixes it (RFC 8018 App. A.2). */
function encodePbes2(salt: Uint8Array, iv: Uint8Array): Uint8Array {
	const parameters = frame(tag.sequence, frame(tag.octetString, salt), encodeInteger(ROUNDS), HMAC_SHA256);
	const derivation = frame(tag.sequence, PBKDF2, parameters);
	const encryption = frame(tag.sequence, AES_256_CBC, frame(tag.octetString, iv));
	return frame(tag.sequence, PBES2, frame(tag.sequence, derivation, encryption));
}
