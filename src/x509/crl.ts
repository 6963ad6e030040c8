import type { CrlEntries } from "./crl-entries.ts";
import { encodeInteger, frame, serialize, tag } from "./der.ts";
import type { IssuingAuthority } from "./issuing-authority.ts";
import { authorityKeyIdentifier, extension } from "./leaf-extensions.ts";
import { signatureAlgorithmDer } from "./signer.ts";
import { encodeTime } from "./times.ts";

export interface CrlInput {
	/** Greater than that of every CRL before (RFC 5280 §5.2.3). */
	number: number;
	/** Cut to the second. */
	thisUpdate: Date;
	nextUpdate: Date;
	entries: CrlEntries;
}

const VERSION_2 = encodeInteger(1);
const NO_UNUSED_BITS = new Uint8Array(1);
const AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
const CRL_NUMBER = "2.5.29.20";

/**
 * Builds and signs a complete CRL (RFC 5280 §5.1), version 2 with AKI and number.
 *
 * @returns DER CertificateList
 */
export async function buildCrl(
	authority: Pick<IssuingAuthority, "signer" | "subject" | "subjectKeyId">,
	{ number, thisUpdate, nextUpdate, entries }: CrlInput,
): Promise<Uint8Array<ArrayBuffer>> {
	const algorithm = signatureAlgorithmDer[authority.signer.algorithm];
	// §5.1.2.6: without an entry the list itself is absent.
	const revoked = entries.count === 0 ? [] : [frame(tag.sequence, entries.der)];
	const extensions = frame(
		tag.sequence,
		extension(AUTHORITY_KEY_IDENTIFIER, serialize(authorityKeyIdentifier(authority.subjectKeyId))),
		extension(CRL_NUMBER, encodeInteger(number)),
	);
	const tbs = frame(
		tag.sequence,
		VERSION_2,
		algorithm,
		authority.subject,
		encodeTime(thisUpdate),
		encodeTime(nextUpdate),
		...revoked,
		frame(tag.explicit(0), extensions),
	);
	const signature = await authority.signer.sign(tbs);
	return frame(tag.sequence, tbs, algorithm, frame(tag.bitString, NO_UNUSED_BITS, signature));
}
