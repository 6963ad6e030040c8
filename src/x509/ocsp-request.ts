import { bytesToHex } from "@noble/hashes/utils.js";
import { DerError, DerReader, encodeOid, tag } from "./der.ts";

/** The certificate that one Request asks about. */
export interface OcspQuestion {
	/** DER CertID as received: the response repeats the same bytes. */
	certId: Uint8Array;
	hash: "SHA-1" | "SHA-256" | "other";
	/** Lower-case hex. */
	issuerNameHash: string;
	issuerKeyHash: string;
	/** Upper-case hex without leading zero bytes, as from serialToHex; null when negative. */
	serial: string | null;
}

export interface OcspRequest {
	questions: OcspQuestion[];
	/** DER value of the nonce extension, an OCTET STRING; null when there is none. */
	nonce: Uint8Array | null;
}

/** Largest OCSPRequest that is read, in bytes. A question takes about 70. */
export const OCSP_REQUEST_MAX = 4096;
export const OCSP_QUESTIONS_MAX = 16;
/** RFC 9654 §2.1: 1 to 128 bytes. */
const NONCE_MAX = 128;

const hashes: Record<string, OcspQuestion["hash"]> = {
	[bytesToHex(encodeOid("1.3.14.3.2.26"))]: "SHA-1",
	[bytesToHex(encodeOid("2.16.840.1.101.3.4.2.1"))]: "SHA-256",
};
const NONCE = bytesToHex(encodeOid("1.3.6.1.5.5.7.48.1.2"));

/**
 * Reads an OCSPRequest (RFC 6960 §4.1.1). The requestor's name and signature are ignored: anyone may ask.
 *
 * @throws DerError when it is not a version 1 request of 1 to {@link OCSP_QUESTIONS_MAX} questions, has an unknown
 * critical extension (§4.1.2), or a nonce that is empty or too long (RFC 9654 §2.1)
 */
export function parseOcspRequest(der: Uint8Array): OcspRequest {
	if (der.length > OCSP_REQUEST_MAX) throw new DerError();
	const outer = new DerReader(der);
	const request = outer.enter(tag.sequence);
	outer.end();
	const tbs = request.enter(tag.sequence);
	if (request.nextIs(tag.explicit(0))) request.enter(tag.explicit(0)).enter(tag.sequence);
	request.end();

	// DER omits the default version, but some clients write it.
	if (tbs.nextIs(tag.explicit(0))) readVersion1(tbs.enter(tag.explicit(0)));
	if (tbs.nextIs(tag.explicit(1))) tbs.read(tag.explicit(1));
	const questions = readQuestions(tbs.enter(tag.sequence));
	const nonce = tbs.nextIs(tag.explicit(2)) ? readExtensions(tbs.enter(tag.explicit(2))) : null;
	tbs.end();
	return { questions, nonce };
}

function readVersion1(version: DerReader): void {
	if (bytesToHex(version.readInteger()) !== "00") throw new DerError();
	version.end();
}

function readQuestions(list: DerReader): OcspQuestion[] {
	const questions: OcspQuestion[] = [];
	while (!list.atEnd) {
		if (questions.length === OCSP_QUESTIONS_MAX) throw new DerError();
		const single = list.enter(tag.sequence);
		questions.push(readCertId(single.readWhole(tag.sequence)));
		if (single.nextIs(tag.explicit(0))) readExtensions(single.enter(tag.explicit(0)));
		single.end();
	}
	if (questions.length === 0) throw new DerError();
	return questions;
}

function readCertId(certId: Uint8Array): OcspQuestion {
	const fields = new DerReader(certId).enter(tag.sequence);
	const algorithm = fields.enter(tag.sequence);
	const oid = bytesToHex(algorithm.readWhole(tag.oid));
	// RFC 5754 §2: parameters absent, or NULL as many clients write them.
	if (!algorithm.atEnd && algorithm.read(tag.null).length > 0) throw new DerError();
	algorithm.end();
	const issuerNameHash = bytesToHex(fields.read(tag.octetString));
	const issuerKeyHash = bytesToHex(fields.read(tag.octetString));
	const serial = readSerial(fields.readInteger());
	fields.end();
	return { certId, hash: hashes[oid] ?? "other", issuerNameHash, issuerKeyHash, serial };
}

function readSerial(bytes: Uint8Array): string | null {
	if (bytes[0]! >= 0x80) return null;
	const significant = bytes.length > 1 && bytes[0] === 0 ? bytes.subarray(1) : bytes;
	return bytesToHex(significant).toUpperCase();
}

/** Reads Extensions, each at most once (RFC 5280 §4.2). @returns the nonce's value, or null */
function readExtensions(explicit: DerReader): Uint8Array | null {
	const list = explicit.enter(tag.sequence);
	explicit.end();
	const seen = new Set<string>();
	let nonce: Uint8Array | null = null;
	while (!list.atEnd) {
		const extension = list.enter(tag.sequence);
		const oid = bytesToHex(extension.readWhole(tag.oid));
		const critical = extension.nextIs(tag.boolean) && extension.readBoolean();
		const value = extension.read(tag.octetString);
		extension.end();
		if (seen.has(oid) || (critical && oid !== NONCE)) throw new DerError();
		seen.add(oid);
		if (oid === NONCE) nonce = checkNonce(value);
	}
	return nonce;
}

function checkNonce(value: Uint8Array): Uint8Array {
	const reader = new DerReader(value);
	const { length } = reader.read(tag.octetString);
	reader.end();
	if (length < 1 || length > NONCE_MAX) throw new DerError();
	return value;
}
