import type { Config } from "./config.ts";
import { element, hex, oid, same, sequence, TAG, Walk } from "./der.ts";
import { readPublicKey } from "./public-key.ts";
import { demand } from "./refusal.ts";
import * as tbs from "./tbs.ts";

const RSA_SHA256 = sequence(oid("1.2.840.113549.1.1.11"), element(TAG.null));
const ECDSA_SHA384 = sequence(oid("1.2.840.10045.4.3.3"));
/** keyCertSign and cRLSign (RFC 5280 §4.2.1.3). */
const SIGNS = 0x06;

/** Reads the issuing certificate: an authority of path length 0, with RSA of 3,072 bits or more, or P-384. */
export function readAuthority(config: Config): tbs.Authority {
	const { rut, policy_oid, cps_url, pki_url, longest_days } = config;
	const [signed] = splitSigned(config.certificate);
	const facts = Walk.over(signed, TAG.sequence, (walk) => {
		demand(same(walk.whole(0xa0), tbs.VERSION_3), "VERSION", "The issuing certificate is not of version 3.");
		walk.integer();
		walk.whole(TAG.sequence);
		walk.whole(TAG.sequence);
		const validity = tbs.readValidity(walk);
		const [subject, spki] = [walk.whole(TAG.sequence), walk.whole(TAG.sequence)];
		return { ...validity, subject, spki, extensions: tbs.readFramedExtensions(walk) };
	});
	const { spki, extensions, ...names } = facts;
	const { kind, publicKey, keyHash } = readPublicKey(spki);
	const isRsa = (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) >= 3072;
	const isStrong = isRsa || kind === "p-384";
	demand(isStrong, "WEAK_KEY", "The issuing key is neither RSA of 3,072 bits nor P-384.");
	const read = (name: string, tag: number) => new Walk(tbs.extensionValue(extensions, name)).take(tag);
	const isAuthority = hex(read(tbs.BASIC_CONSTRAINTS, TAG.sequence)) === "0101ff020100";
	demand(isAuthority, "CA", "The issuing certificate is no authority of path length 0.");
	const usage = read(tbs.KEY_USAGE, TAG.bits)[1] ?? 0;
	demand((usage & SIGNS) === SIGNS, "CA", "The issuing certificate lacks keyCertSign or cRLSign.");
	const keyId = read(tbs.KEY_IDENTIFIER, TAG.octets);
	return {
		...{ rut, policy_oid, cps_url, longest_days, ...names, keyId, publicKey, keyHash },
		...(isRsa ? { algorithm: RSA_SHA256, hash: "sha256" } : { algorithm: ECDSA_SHA384, hash: "sha384" }),
		base: `${pki_url}/${hex(keyId)}`,
	};
}

/** Splits a signed object. @returns what was signed, DER, and the signature */
export function splitSigned(der: Uint8Array): [signed: Uint8Array, signature: Uint8Array] {
	return Walk.over(der, TAG.sequence, (whole) => {
		const signed = whole.whole(TAG.sequence);
		whole.whole(TAG.sequence);
		return [signed, whole.bits()];
	});
}
