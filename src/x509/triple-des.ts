import { createCipheriv } from "node:crypto";
import { concatBytes } from "@noble/hashes/utils.js";
import { encodeInteger, encodeOid, frame, tag } from "./der.ts";
import type { PasswordEncrypted } from "./pbes2.ts";
import { derivePkcs12Key, encodeBmpPassword, purpose } from "./pkcs12-kdf.ts";

const ROUNDS = 2_048;
const SALT_OCTETS = 8;
const PBE_SHA1_3DES = encodeOid("1.2.840.113549.1.12.1.3");

/**
 * pbeWithSHAAnd3-KeyTripleDES-CBC (RFC 7292 App. C), for readers that know nothing newer. Salt fresh at every
 * call. From node:crypto, because WebCrypto has no 3DES.
 */
export function encryptTripleDes(password: string, plaintext: Uint8Array): PasswordEncrypted {
	const salt = crypto.getRandomValues(new Uint8Array(SALT_OCTETS));
	const shared = { hash: "sha1", password: encodeBmpPassword(password), salt, rounds: ROUNDS } as const;
	const key = derivePkcs12Key({ ...shared, purpose: purpose.key, length: 24 });
	const iv = derivePkcs12Key({ ...shared, purpose: purpose.iv, length: 8 });
	const cipher = createCipheriv("des-ede3-cbc", key, iv);
	const ciphertext = concatBytes(cipher.update(plaintext), cipher.final());
	const parameters = frame(tag.sequence, frame(tag.octetString, salt), encodeInteger(ROUNDS));
	return { algorithm: frame(tag.sequence, PBE_SHA1_3DES, parameters), ciphertext };
}
