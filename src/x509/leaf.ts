import { deflateSync } from "node:zlib";
import { AsnParser } from "@peculiar/asn1-schema";
import { SubjectPublicKeyInfo, Validity } from "@peculiar/asn1-x509";
import { encodeInteger, frame, serialize, tag } from "./der.ts";
import type { IssuingAuthority } from "./issuing-authority.ts";
import { encodeHolderExtensions, frameExtensions } from "./leaf-extensions.ts";
import { signatureAlgorithmDer } from "./signatures.ts";
import { encodeSubjectName, type Holder } from "./subject-name.ts";

/** Fields that differ between leaves. `serial` comes from createSerial; times are truncated to the second. */
export interface LeafInput {
	serial: Uint8Array;
	notBefore: Date;
	notAfter: Date;
	holder: Holder;
	/** DER SubjectPublicKeyInfo. */
	publicKey: Uint8Array;
}

const VERSION_3 = frame(tag.explicit(0), encodeInteger(2));

/**
 * Encodes what is signed of a leaf, according to the certificate profile (RFC 5280 §4.1).
 * The authority's parts are already encoded; the holder's are encoded here.
 *
 * @returns DER TBSCertificate
 */
export async function encodeLeaf(authority: IssuingAuthority, input: LeafInput): Promise<Uint8Array> {
	return frame(
		tag.sequence,
		VERSION_3,
		frame(tag.integer, input.serial),
		signatureAlgorithmDer[authority.signer.algorithm],
		authority.subject,
		serialize(new Validity({ notBefore: input.notBefore, notAfter: input.notAfter })),
		encodeSubjectName(input.holder),
		input.publicKey,
		frameExtensions(
			authority.sharedExtensions,
			encodeHolderExtensions(input.holder, await describeKey(input.publicKey)),
		),
	);
}

const RSA_ENCRYPTION = "1.2.840.113549.1.1.1";

/** `keyId`: SHA-1 of the public key's bits (RFC 5280 §4.2.1.2 method 1). */
async function describeKey(spki: Uint8Array) {
	const { algorithm, subjectPublicKey } = AsnParser.parse(spki, SubjectPublicKeyInfo);
	const keyId = new Uint8Array(await crypto.subtle.digest("SHA-1", subjectPublicKey));
	return { keyId, isRsa: algorithm.algorithm === RSA_ENCRYPTION };
}

/**
 * Compresses a leaf for storage: zlib (RFC 1950) with the certificate of its issuer as preset dictionary, a third
 * shorter. That certificate suffices to read it.
 */
export function packLeaf(
	{ certificate }: Pick<IssuingAuthority, "certificate">,
	leaf: Uint8Array,
): Uint8Array {
	return deflateSync(leaf, { level: 9, dictionary: certificate });
}
