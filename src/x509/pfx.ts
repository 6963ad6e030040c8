import { derNull, encodeInteger, encodeOid, frame, tag } from "./der.ts";
import { encryptPbes2, type PasswordEncrypted } from "./pbes2.ts";
import { derivePkcs12Key, encodeBmpPassword, purpose } from "./pkcs12-kdf.ts";
import { encodeCertificateBag, encodeShroudedKeyBag } from "./safe-bags.ts";
import { encryptTripleDes } from "./triple-des.ts";

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
