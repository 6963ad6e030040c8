import { createCipheriv } from "node:crypto";
import { concatBytes } from "@noble/hashes/utils.js";
import { ContentInfo, EncryptedContent, EncryptedContentInfo } from "@peculiar/asn1-cms";
import {
	AuthenticatedSafe,
	id_certBag,
	id_pkcs8ShroudedKeyBag,
	id_x509Certificate,
	MacData,
	PFX,
	PKCS8ShroudedKeyBag,
	PKCS12Attribute,
	SafeBag,
	SafeContents,
} from "@peculiar/asn1-pfx";
import { DigestInfo } from "@peculiar/asn1-rsa";
import { OctetString } from "@peculiar/asn1-schema";
import { AlgorithmIdentifier } from "@peculiar/asn1-x509";
import { derNull, encodeInteger, encodeOid, frame, serialize, tag } from "./der.ts";
import { derivePkcs12Key, encodeBmpPassword, encodeUtf16, purpose } from "./pkcs12-kdf.ts";

/** `modern` for readers since about 2017, `legacy` (partner setting) for older Windows, macOS and Android. */
export type PfxProfile = "modern" | "legacy";

/** Everything of a PFX that needs no certificate: the encrypted key, and what is derived from the PIN. */
export interface PreparedPfx {
	shroudedKey: PasswordEncrypted;
	encryptCertificates: Encrypt;
	mac: PreparedMac;
}

/** Bytes encrypted with a password: algorithm with its parameters, and ciphertext. */
interface PasswordEncrypted {
	algorithm: AlgorithmIdentifier;
	ciphertext: OctetString;
}

/** Encrypts with a key of its own, derived from the password with a fresh salt: for one plaintext. */
type Encrypt = (plaintext: Uint8Array) => PasswordEncrypted | Promise<PasswordEncrypted>;

interface PreparedMac {
	key: CryptoKey;
	salt: Uint8Array<ArrayBuffer>;
	oid: string;
}

interface ProfileParts {
	prepareEncryption(pin: string): Encrypt | Promise<Encrypt>;
	mac: { kdf: "sha256" | "sha1"; hash: "SHA-256" | "SHA-1"; length: number; oid: string };
}

const profiles: Record<PfxProfile, ProfileParts> = {
	modern: {
		prepareEncryption: preparePbes2,
		mac: { kdf: "sha256", hash: "SHA-256", length: 32, oid: "2.16.840.1.101.3.4.2.1" },
	},
	legacy: {
		prepareEncryption: prepareTripleDes,
		mac: { kdf: "sha1", hash: "SHA-1", length: 20, oid: "1.3.14.3.2.26" },
	},
};

const DATA = "1.2.840.113549.1.7.1";
const ENCRYPTED_DATA = "1.2.840.113549.1.7.6";
const FRIENDLY_NAME = "1.2.840.113549.1.9.20";
const LOCAL_KEY_ID = "1.2.840.113549.1.9.21";
const X509_CERTIFICATE = encodeOid(id_x509Certificate);
const MAC_ROUNDS = 2_048;
const MAC_SALT_BYTES = 8;

/** Encrypts a key with the PIN and derives what else it protects, before there is a certificate. @param pkcs8 - PKCS#8, in the clear */
export async function preparePfx(profile: PfxProfile, pin: string, pkcs8: Uint8Array): Promise<PreparedPfx> {
	const { prepareEncryption, mac } = profiles[profile];
	const encrypt = await prepareEncryption(pin);
	return {
		shroudedKey: await encrypt(pkcs8),
		encryptCertificates: await prepareEncryption(pin),
		mac: await prepareMac(pin, mac),
	};
}

/**
 * Assembles a PFX in password-integrity and password-privacy mode (RFC 7292 §4): an encrypted SafeContents with
 * the leaf and its chain, a plain one with the shrouded key, and a MAC over both.
 *
 * @param prepared - of the leaf's key, used once
 * @param leaf - DER
 * @param chainBags - DER SafeBags of the leaf's issuers, nearest first
 * @returns DER PFX
 */
export async function assemblePfx(
	{ shroudedKey, encryptCertificates, mac }: PreparedPfx,
	{ friendlyName, leaf, chainBags }: { friendlyName: string; leaf: Uint8Array; chainBags: Uint8Array[] },
): Promise<Uint8Array> {
	const localKeyId = new Uint8Array(await crypto.subtle.digest("SHA-1", leaf));
	const label = [
		createAttribute(LOCAL_KEY_ID, frame(tag.octetString, localKeyId)),
		createAttribute(FRIENDLY_NAME, frame(tag.bmpString, encodeUtf16(friendlyName))),
	];
	const leafBag = encodeCertificateBag(leaf, label);
	// The chain's bags stay encoded: SafeContents would parse them again for every PFX.
	const certificates = frame(tag.sequence, leafBag, ...chainBags);
	const keyBag = createShroudedKeyBag(shroudedKey, label);
	const authenticatedSafe = serialize(
		new AuthenticatedSafe([
			createEncryptedData(await encryptCertificates(certificates)),
			createData(serialize(new SafeContents([keyBag]))),
		]),
	);
	return serialize(
		new PFX({
			authSafe: createData(authenticatedSafe),
			macData: await createMac(mac, authenticatedSafe),
		}),
	);
}

/** DER SafeBag with a DER certificate (RFC 7292 §4.2.3). Only the leaf's has attributes. */
export function encodeCertificateBag(certificate: Uint8Array, bagAttributes?: PKCS12Attribute[]): Uint8Array {
	const certValue = frame(tag.explicit(0), frame(tag.octetString, certificate));
	// The class CertBag would parse the certificate once more; SafeBag does already.
	const bagValue = frame(tag.sequence, X509_CERTIFICATE, certValue).buffer;
	return serialize(new SafeBag({ bagId: id_certBag, bagValue, ...(bagAttributes && { bagAttributes }) }));
}

/** SafeBag with an encrypted PKCS#8 key (RFC 7292 §4.2.2, RFC 5958 §3). */
function createShroudedKeyBag(
	{ algorithm, ciphertext }: PasswordEncrypted,
	bagAttributes: PKCS12Attribute[],
): SafeBag {
	const key = new PKCS8ShroudedKeyBag({ encryptionAlgorithm: algorithm, encryptedData: ciphertext });
	return new SafeBag({ bagId: id_pkcs8ShroudedKeyBag, bagValue: serialize(key).buffer, bagAttributes });
}

function createAttribute(attrId: string, value: Uint8Array<ArrayBuffer>): PKCS12Attribute {
	// Version 2.11.1 ignores the constructor's parameters.
	return Object.assign(new PKCS12Attribute(), { attrId, attrValues: [value.buffer] });
}

/** ContentInfo of type data (RFC 5652 §4). */
function createData(content: Uint8Array): ContentInfo {
	return new ContentInfo({ contentType: DATA, content: frame(tag.octetString, content).buffer });
}

/** ContentInfo of type encryptedData, version 0 (RFC 5652 §8), for which the library has no class. */
function createEncryptedData({ algorithm, ciphertext }: PasswordEncrypted): ContentInfo {
	const content = new EncryptedContentInfo({
		contentType: DATA,
		contentEncryptionAlgorithm: algorithm,
		encryptedContent: new EncryptedContent({ value: ciphertext }),
	});
	const data = frame(tag.sequence, encodeInteger(0), serialize(content));
	return new ContentInfo({ contentType: ENCRYPTED_DATA, content: data.buffer });
}

async function prepareMac(pin: string, mac: ProfileParts["mac"]): Promise<PreparedMac> {
	const salt = crypto.getRandomValues(new Uint8Array(MAC_SALT_BYTES));
	const secret = derivePkcs12Key({
		hash: mac.kdf,
		purpose: purpose.mac,
		password: encodeBmpPassword(pin),
		salt,
		rounds: MAC_ROUNDS,
		length: mac.length,
	});
	const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: mac.hash }, false, ["sign"]);
	return { key, salt, oid: mac.oid };
}

/** MacData (RFC 7292 §4): the MAC is over the contents of authSafe's OCTET STRING. */
async function createMac({ key, salt, oid }: PreparedMac, content: Uint8Array): Promise<MacData> {
	const digest = await crypto.subtle.sign("HMAC", key, content);
	const digestAlgorithm = new AlgorithmIdentifier({ algorithm: oid, parameters: derNull.buffer });
	return new MacData({
		mac: new DigestInfo({ digestAlgorithm, digest: new OctetString(digest) }),
		macSalt: new OctetString(salt),
		iterations: MAC_ROUNDS,
	});
}

/** Production workerd refuses PBKDF2 of more than 100,000 rounds. */
const PBKDF2_ROUNDS = 2_048;
const PBKDF2_SALT_BYTES = 16;
const PBES2 = "1.2.840.113549.1.5.13";
const PBKDF2 = encodeOid("1.2.840.113549.1.5.12");
const AES_256_CBC = encodeOid("2.16.840.1.101.3.4.1.42");
const HMAC_SHA256 = frame(tag.sequence, encodeOid("1.2.840.113549.2.9"), derNull);

/**
 * PBES2 (RFC 8018 §6.2): PBKDF2-HMAC-SHA256 of 2,048 rounds, AES-256-CBC, with fresh salt and IV at every call.
 *
 * @param password used as UTF-8, without the NUL that the PKCS#12 derivation adds
 */
async function preparePbes2(password: string): Promise<Encrypt> {
	const salt = crypto.getRandomValues(new Uint8Array(PBKDF2_SALT_BYTES));
	const iv = crypto.getRandomValues(new Uint8Array(16));
	const key = await deriveAesKey(password, salt);
	const parameters = encodePbes2Parameters(salt, iv).buffer;
	return async (plaintext) => ({
		algorithm: new AlgorithmIdentifier({ algorithm: PBES2, parameters }),
		ciphertext: new OctetString(await crypto.subtle.encrypt({ name: "AES-CBC", iv }, key, plaintext)),
	});
}

async function deriveAesKey(password: string, salt: Uint8Array): Promise<CryptoKey> {
	const secret = new TextEncoder().encode(password);
	const base = await crypto.subtle.importKey("raw", secret, "PBKDF2", false, ["deriveKey"]);
	const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations: PBKDF2_ROUNDS };
	return crypto.subtle.deriveKey(derivation, base, { name: "AES-CBC", length: 256 }, false, ["encrypt"]);
}

/** PBES2-params. keyLength is omitted, as OpenSSL does: AES-256-CBC determines it (RFC 8018 App. A.2). */
function encodePbes2Parameters(salt: Uint8Array, iv: Uint8Array): Uint8Array<ArrayBuffer> {
	const rounds = encodeInteger(PBKDF2_ROUNDS);
	const parameters = frame(tag.sequence, frame(tag.octetString, salt), rounds, HMAC_SHA256);
	const derivation = frame(tag.sequence, PBKDF2, parameters);
	const encryption = frame(tag.sequence, AES_256_CBC, frame(tag.octetString, iv));
	return frame(tag.sequence, derivation, encryption);
}

const TRIPLE_DES_ROUNDS = 2_048;
const TRIPLE_DES_SALT_BYTES = 8;
const PBE_SHA1_3DES = "1.2.840.113549.1.12.1.3";

/**
 * pbeWithSHAAnd3-KeyTripleDES-CBC (RFC 7292 App. C), for readers that support nothing newer. Fresh salt at
 * every call. Uses node:crypto, because WebCrypto has no 3DES.
 */
function prepareTripleDes(password: string): Encrypt {
	const salt = crypto.getRandomValues(new Uint8Array(TRIPLE_DES_SALT_BYTES));
	const shared = {
		hash: "sha1",
		password: encodeBmpPassword(password),
		salt,
		rounds: TRIPLE_DES_ROUNDS,
	} as const;
	const key = derivePkcs12Key({ ...shared, purpose: purpose.key, length: 24 });
	const iv = derivePkcs12Key({ ...shared, purpose: purpose.iv, length: 8 });
	const parameters = frame(tag.sequence, frame(tag.octetString, salt), encodeInteger(TRIPLE_DES_ROUNDS));
	return (plaintext) => {
		const cipher = createCipheriv("des-ede3-cbc", key, iv);
		return {
			algorithm: new AlgorithmIdentifier({ algorithm: PBE_SHA1_3DES, parameters: parameters.buffer }),
			ciphertext: new OctetString(concatBytes(cipher.update(plaintext), cipher.final())),
		};
	};
}
