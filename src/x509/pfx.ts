import { createCipheriv } from "node:crypto";
import { concatBytes } from "@noble/hashes/utils.js";
import { derNull, encodeInteger, encodeOid, frame, tag } from "./der.ts";
import { derivePkcs12Key, encodeBmpPassword, purpose } from "./pkcs12-kdf.ts";

/** `modern` for readers since about 2017, `legacy` (partner setting) for older Windows, macOS and Android. */
export type PfxProfile = "modern" | "legacy";

export interface PfxInput {
	profile: PfxProfile;
	pin: string;
	friendlyName: string;
	/** DER leaf certificate. */
	leaf: Uint8Array;
	/** DER SafeBags of the leaf's issuers, nearest first. */
	chainBags: Uint8Array[];
	/** PKCS#8 of the leaf's key, in the clear. */
	pkcs8: Uint8Array;
}

const MAC_ROUNDS = 2_048;
const MAC_SALT_OCTETS = 8;
const DATA = encodeOid("1.2.840.113549.1.7.1");
const ENCRYPTED_DATA = encodeOid("1.2.840.113549.1.7.6");

interface ProfileParts {
	encrypt(pin: string, plaintext: Uint8Array): PasswordEncrypted | Promise<PasswordEncrypted>;
	hash: { kdf: "sha256" | "sha1"; webCrypto: "SHA-256" | "SHA-1"; length: number; algorithm: Uint8Array };
}

const profiles: Record<PfxProfile, ProfileParts> = {
	modern: {
		encrypt: encryptPbes2,
		hash: {
			kdf: "sha256",
			webCrypto: "SHA-256",
			length: 32,
			algorithm: frame(tag.sequence, encodeOid("2.16.840.1.101.3.4.2.1"), derNull),
		},
	},
	legacy: {
		encrypt: encryptTripleDes,
		hash: {
			kdf: "sha1",
			webCrypto: "SHA-1",
			length: 20,
			algorithm: frame(tag.sequence, encodeOid("1.3.14.3.2.26"), derNull),
		},
	},
};

/**
 * Assembles a PFX in password-integrity and password-privacy mode (RFC 7292 §4): an encrypted SafeContents with
 * the leaf and its chain, a plain one with the shrouded key, and a MAC over both.
 *
 * @returns DER PFX
 */
export async function assemblePfx(input: PfxInput): Promise<Uint8Array> {
	const { encrypt, hash } = profiles[input.profile];
	const localKeyId = new Uint8Array(await crypto.subtle.digest("SHA-1", input.leaf));
	const label = { localKeyId, friendlyName: input.friendlyName };
	const leafBag = encodeCertificateBag(input.leaf, label);
	const certificates = await encrypt(input.pin, frame(tag.sequence, leafBag, ...input.chainBags));
	const keyBag = encodeShroudedKeyBag(await encrypt(input.pin, input.pkcs8), label);
	const authenticatedSafe = frame(
		tag.sequence,
		encodeEncryptedData(certificates),
		encodeData(frame(tag.sequence, keyBag)),
	);
	return frame(
		tag.sequence,
		encodeInteger(3),
		encodeData(authenticatedSafe),
		await encodeMac(input.pin, authenticatedSafe, hash),
	);
}

/** ContentInfo of type data (RFC 5652 §4). */
function encodeData(content: Uint8Array): Uint8Array {
	return frame(tag.sequence, DATA, frame(tag.explicit(0), frame(tag.octetString, content)));
}

/** ContentInfo of type encryptedData, version 0 (RFC 5652 §8). */
function encodeEncryptedData({ algorithm, ciphertext }: PasswordEncrypted): Uint8Array {
	const content = frame(tag.sequence, DATA, algorithm, frame(tag.implicit(0), ciphertext));
	const data = frame(tag.sequence, encodeInteger(0), content);
	return frame(tag.sequence, ENCRYPTED_DATA, frame(tag.explicit(0), data));
}

/** MacData (RFC 7292 §4): the MAC is over the contents of authSafe's OCTET STRING. */
async function encodeMac(pin: string, content: Uint8Array, hash: ProfileParts["hash"]): Promise<Uint8Array> {
	const salt = crypto.getRandomValues(new Uint8Array(MAC_SALT_OCTETS));
	const secret = derivePkcs12Key({
		hash: hash.kdf,
		purpose: purpose.mac,
		password: encodeBmpPassword(pin),
		salt,
		rounds: MAC_ROUNDS,
		length: hash.length,
	});
	const algorithm = { name: "HMAC", hash: hash.webCrypto };
	const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
	const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, content));
	return frame(
		tag.sequence,
		frame(tag.sequence, hash.algorithm, frame(tag.octetString, mac)),
		frame(tag.octetString, salt),
		encodeInteger(MAC_ROUNDS),
	);
}

const CERT_BAG = encodeOid("1.2.840.113549.1.12.10.1.3");
const SHROUDED_KEY_BAG = encodeOid("1.2.840.113549.1.12.10.1.2");
const X509_CERTIFICATE = encodeOid("1.2.840.113549.1.9.22.1");
const FRIENDLY_NAME = encodeOid("1.2.840.113549.1.9.20");
const LOCAL_KEY_ID = encodeOid("1.2.840.113549.1.9.21");

/** What ties a key to its certificate, and names both, in a PFX. */
interface BagLabel {
	localKeyId: Uint8Array;
	friendlyName: string;
}

/** DER SafeBag with a certificate (RFC 7292 §4.2.3); chain certificates go without a label. */
export function encodeCertificateBag(certificate: Uint8Array, label?: BagLabel): Uint8Array {
	const value = frame(tag.explicit(0), frame(tag.octetString, certificate));
	return encodeBag(CERT_BAG, frame(tag.sequence, X509_CERTIFICATE, value), label);
}

/** DER SafeBag with an encrypted PKCS#8 key (RFC 7292 §4.2.2, RFC 5958 §3). */
function encodeShroudedKeyBag(key: PasswordEncrypted, label: BagLabel): Uint8Array {
	const value = frame(tag.sequence, key.algorithm, frame(tag.octetString, key.ciphertext));
	return encodeBag(SHROUDED_KEY_BAG, value, label);
}

function encodeBag(type: Uint8Array, value: Uint8Array, label?: BagLabel): Uint8Array {
	const attributes = label ? [encodeLabel(label)] : [];
	return frame(tag.sequence, type, frame(tag.explicit(0), value), ...attributes);
}

function encodeLabel({ localKeyId, friendlyName }: BagLabel): Uint8Array {
	const keyId = frame(tag.set, frame(tag.octetString, localKeyId));
	const name = frame(tag.set, frame(tag.bmpString, encodeUtf16(friendlyName)));
	return frame(tag.set, frame(tag.sequence, FRIENDLY_NAME, name), frame(tag.sequence, LOCAL_KEY_ID, keyId));
}

/** Big-endian UTF-16 without a NUL, which readers take for a BMPString beyond the basic plane too. */
function encodeUtf16(text: string): Uint8Array {
	const octets = new Uint8Array(2 * text.length);
	const view = new DataView(octets.buffer);
	for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i));
	return octets;
}

/** Octets under a password: the DER AlgorithmIdentifier that says how, and the ciphertext. */
interface PasswordEncrypted {
	algorithm: Uint8Array;
	ciphertext: Uint8Array;
}

/** Production workerd refuses PBKDF2 of more than 100,000 rounds. */
const PBKDF2_ROUNDS = 10_000;
const PBKDF2_SALT_BYTES = 16;
const PBES2 = encodeOid("1.2.840.113549.1.5.13");
const PBKDF2 = encodeOid("1.2.840.113549.1.5.12");
const AES_256_CBC = encodeOid("2.16.840.1.101.3.4.1.42");
const HMAC_SHA256 = frame(tag.sequence, encodeOid("1.2.840.113549.2.9"), derNull);

/**
 * PBES2 (RFC 8018 §6.2): PBKDF2-HMAC-SHA256 of 10,000 rounds, AES-256-CBC, salt and IV fresh at every call.
 *
 * @param password taken as plain UTF-8 octets, without the NUL that the PKCS#12 derivation adds
 */
async function encryptPbes2(password: string, plaintext: Uint8Array): Promise<PasswordEncrypted> {
	const salt = crypto.getRandomValues(new Uint8Array(PBKDF2_SALT_BYTES));
	const iv = crypto.getRandomValues(new Uint8Array(16));
	const key = await deriveAesKey(password, salt);
	const ciphertext = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-CBC", iv }, key, plaintext));
	return { algorithm: encodePbes2(salt, iv), ciphertext };
}

async function deriveAesKey(password: string, salt: Uint8Array): Promise<CryptoKey> {
	const secret = new TextEncoder().encode(password);
	const base = await crypto.subtle.importKey("raw", secret, "PBKDF2", false, ["deriveKey"]);
	const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations: PBKDF2_ROUNDS };
	return crypto.subtle.deriveKey(derivation, base, { name: "AES-CBC", length: 256 }, false, ["encrypt"]);
}

/** keyLength stays out, as OpenSSL writes it: AES-256-CBC fixes it (RFC 8018 App. A.2). */
function encodePbes2(salt: Uint8Array, iv: Uint8Array): Uint8Array {
	const parameters = frame(
		tag.sequence,
		frame(tag.octetString, salt),
		encodeInteger(PBKDF2_ROUNDS),
		HMAC_SHA256,
	);
	const derivation = frame(tag.sequence, PBKDF2, parameters);
	const encryption = frame(tag.sequence, AES_256_CBC, frame(tag.octetString, iv));
	return frame(tag.sequence, PBES2, frame(tag.sequence, derivation, encryption));
}

const TRIPLE_DES_ROUNDS = 2_048;
const TRIPLE_DES_SALT_BYTES = 8;
const PBE_SHA1_3DES = encodeOid("1.2.840.113549.1.12.1.3");

/**
 * pbeWithSHAAnd3-KeyTripleDES-CBC (RFC 7292 App. C), for readers that know nothing newer. Salt fresh at every
 * call. From node:crypto, because WebCrypto has no 3DES.
 */
function encryptTripleDes(password: string, plaintext: Uint8Array): PasswordEncrypted {
	const salt = crypto.getRandomValues(new Uint8Array(TRIPLE_DES_SALT_BYTES));
	const shared = {
		hash: "sha1",
		password: encodeBmpPassword(password),
		salt,
		rounds: TRIPLE_DES_ROUNDS,
	} as const;
	const key = derivePkcs12Key({ ...shared, purpose: purpose.key, length: 24 });
	const iv = derivePkcs12Key({ ...shared, purpose: purpose.iv, length: 8 });
	const cipher = createCipheriv("des-ede3-cbc", key, iv);
	const ciphertext = concatBytes(cipher.update(plaintext), cipher.final());
	const parameters = frame(tag.sequence, frame(tag.octetString, salt), encodeInteger(TRIPLE_DES_ROUNDS));
	return { algorithm: frame(tag.sequence, PBE_SHA1_3DES, parameters), ciphertext };
}
