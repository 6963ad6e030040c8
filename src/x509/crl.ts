import { AsnParser } from "@peculiar/asn1-schema";
import { SubjectPublicKeyInfo } from "@peculiar/asn1-x509";
import { AuthorityError } from "./authority-error.ts";
import { encodeInteger, encodeTime, frame, serialize, tag } from "./der.ts";
import type { IssuingAuthority } from "./issuing-authority.ts";
import { authorityKeyIdentifier, extension } from "./leaf-extensions.ts";
import { frameSigned, signatureAlgorithmDer, signatureOid, verifySignature } from "./signatures.ts";

/** CRLReason of a holder's certificate (RFC 5280 §5.3.1); 0 is never written: its extension is omitted. */
export const CRL_REASON = {
	unspecified: 0,
	keyCompromise: 1,
	affiliationChanged: 3,
	superseded: 4,
	cessationOfOperation: 5,
	privilegeWithdrawn: 9,
} as const;

export type CrlReason = keyof typeof CRL_REASON;

export interface CrlInput {
	/** Greater than the number of every earlier CRL (RFC 5280 §5.2.3). */
	number: number;
	/** Truncated to the second. */
	thisUpdate: Date;
	nextUpdate: Date;
	entries: CrlEntries;
}

const VERSION_2 = encodeInteger(1);
const AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
const CRL_NUMBER = "2.5.29.20";

/**
 * Builds and signs a complete CRL (RFC 5280 §5.1), version 2 with AKI and number.
 *
 * @returns DER CertificateList
 */
export async function buildCrl(
	authority: Pick<IssuingAuthority, "signer" | "subject" | "subjectKeyId" | "publicKey">,
	{ number, thisUpdate, nextUpdate, entries }: CrlInput,
): Promise<Uint8Array<ArrayBuffer>> {
	// §5.1.2.6: without entries revokedCertificates is absent.
	const revoked = entries.count === 0 ? [] : [frame(tag.sequence, entries.der)];
	const extensions = frame(
		tag.sequence,
		extension(AUTHORITY_KEY_IDENTIFIER, serialize(authorityKeyIdentifier(authority.subjectKeyId))),
		extension(CRL_NUMBER, encodeInteger(number)),
	);
	const tbs = frame(
		tag.sequence,
		VERSION_2,
		signatureAlgorithmDer[authority.signer.algorithm],
		authority.subject,
		encodeTime(thisUpdate),
		encodeTime(nextUpdate),
		...revoked,
		frame(tag.explicit(0), extensions),
	);
	const { signature } = await authority.signer.sign("crls", tbs);
	const key = AsnParser.parse(authority.publicKey, SubjectPublicKeyInfo);
	if (!(await verifySignature(signatureOid[authority.signer.algorithm], key, signature, tbs)))
		throw new AuthorityError("the CRL's signature does not verify");
	return frameSigned(authority.signer, tbs, signature);
}

const REASON_CODE = "2.5.29.21";
const SERIAL_BYTES = 16;
const INITIAL_CAPACITY = 16 * 1024;

/**
 * The revokedCertificates of a CRL (RFC 5280 §5.1.2.6), written into one growing buffer: for 100,000 entries, an
 * object per entry would take ten times the memory of the DER.
 */
export class CrlEntries {
	/** Number of entries. */
	count = 0;
	#bytes = new Uint8Array(INITIAL_CAPACITY);
	#length = 0;
	#lastTime: { second: number; der: Uint8Array } = { second: Number.NaN, der: new Uint8Array() };

	/**
	 * Adds one entry. Entries stay in the order in which they are added.
	 *
	 * @param serial - 32 upper-case hex digits, from serialToHex
	 * @param revokedAt - epoch milliseconds, truncated to the second
	 */
	add(serial: string, revokedAt: number, reason: CrlReason): void {
		if (serial.length !== 2 * SERIAL_BYTES) throw new RangeError("a serial has 32 digits");
		const time = this.#timeOf(revokedAt);
		const tail = REASON_EXTENSIONS[reason];
		// SEQUENCE { INTEGER of 16 bytes, Time, Extensions }: under 128 bytes, so every length field is one byte.
		const contents = 2 + SERIAL_BYTES + time.length + tail.length;
		const bytes = this.#reserve(2 + contents);
		let offset = this.#length;
		bytes[offset++] = tag.sequence;
		bytes[offset++] = contents;
		bytes[offset++] = tag.integer;
		bytes[offset++] = SERIAL_BYTES;
		for (let digit = 0; digit < 2 * SERIAL_BYTES; digit += 2)
			bytes[offset++] = (hexDigit(serial, digit) << 4) | hexDigit(serial, digit + 1);
		bytes.set(time, offset);
		bytes.set(tail, offset + time.length);
		this.#length += 2 + contents;
		this.count += 1;
	}

	/** DER of the entries, concatenated; valid until the next `add`. */
	get der(): Uint8Array {
		return this.#bytes.subarray(0, this.#length);
	}

	/** The last encoded time is reused: certificates revoked together share a second. */
	#timeOf(revokedAt: number): Uint8Array {
		const second = Math.floor(revokedAt / 1000);
		if (second !== this.#lastTime.second)
			this.#lastTime = { second, der: encodeTime(new Date(second * 1000)) };
		return this.#lastTime.der;
	}

	#reserve(more: number): Uint8Array {
		if (this.#length + more > this.#bytes.length) {
			const larger = new Uint8Array(this.#bytes.length * 2);
			larger.set(this.#bytes);
			this.#bytes = larger;
		}
		return this.#bytes;
	}
}

/** crlEntryExtensions of each reason; none for unspecified (RFC 5280 §5.3.1). */
const REASON_EXTENSIONS = Object.fromEntries(
	Object.entries(CRL_REASON).map(([reason, code]) => [
		reason,
		code === CRL_REASON.unspecified
			? new Uint8Array()
			: frame(tag.sequence, extension(REASON_CODE, frame(tag.enumerated, new Uint8Array([code])))),
	]),
) as Record<CrlReason, Uint8Array>;

function hexDigit(text: string, at: number): number {
	const code = text.charCodeAt(at);
	return code <= 0x39 ? code - 0x30 : code - 0x37;
}
