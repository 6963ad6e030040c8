import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { DerReader, derNull, encodeOid, frame, tag } from "../../src/x509/der.ts";
import type { OcspResponder } from "../../src/x509/ocsp-responder.ts";

/* An OCSP client for tests inside workerd; test/interop asks with other programs. */

const NONCE = "1.3.6.1.5.5.7.48.1.2";
const HASH_OID = { "SHA-1": "1.3.14.3.2.26", "SHA-256": "2.16.840.1.101.3.4.2.1" } as const;

export interface Asked {
	/** Hex. */
	serial: string;
	hash?: keyof typeof HASH_OID;
	/** Asks about a certificate of somebody else's. */
	foreign?: boolean;
}

/** DER CertID. */
export function encodeCertId(
	hash: keyof typeof HASH_OID,
	nameHash: Uint8Array,
	keyHash: Uint8Array,
	serial: Uint8Array,
): Uint8Array {
	return frame(
		tag.sequence,
		frame(tag.sequence, encodeOid(HASH_OID[hash]), derNull),
		frame(tag.octetString, nameHash),
		frame(tag.octetString, keyHash),
		frame(tag.integer, serial),
	);
}

/** DER OCSPRequest. @param nonce - its bytes. */
export function encodeQuestions(certIds: readonly Uint8Array[], nonce: Uint8Array | null = null): Uint8Array {
	const questions = frame(tag.sequence, ...certIds.map((id) => frame(tag.sequence, id)));
	const value = nonce && frame(tag.octetString, frame(tag.octetString, nonce));
	const extension = value && frame(tag.sequence, encodeOid(NONCE), value);
	const extensions = extension ? [frame(tag.explicit(2), frame(tag.sequence, extension))] : [];
	return frame(tag.sequence, frame(tag.sequence, questions, ...extensions));
}

export function encodeRequest(
	responder: OcspResponder,
	asked: readonly Asked[],
	nonce?: Uint8Array,
): Uint8Array {
	const certIds = asked.map(({ serial, hash = "SHA-1", foreign = false }) => {
		const { nameHash, keyHash } = responder.issuer[hash];
		const key = foreign ? new Uint8Array(keyHash.length / 2) : hexToBytes(keyHash);
		return encodeCertId(hash, hexToBytes(nameHash), key, hexToBytes(serial));
	});
	return encodeQuestions(certIds, nonce);
}

export interface ReadResponse {
	/** OCSPResponseStatus; 0 is successful. */
	responseStatus: number;
	/** `good`, `unknown`, or `revoked <time> <reason code>`; in the order asked. */
	statuses: string[];
	thisUpdate: Date | null;
	nextUpdate: Date | null;
	/** Hex of the nonce's bytes. */
	nonce: string | null;
}

/** Reads an OCSPResponse. Its signature is for the test that has the tools to judge it. */
export function readResponse(der: Uint8Array): ReadResponse {
	const outer = new DerReader(der).enter(tag.sequence);
	const read: ReadResponse = {
		responseStatus: outer.read(tag.enumerated)[0]!,
		statuses: [],
		thisUpdate: null,
		nextUpdate: null,
		nonce: null,
	};
	if (outer.atEnd) return read;
	const bytes = outer.enter(tag.explicit(0)).enter(tag.sequence);
	bytes.read(tag.oid);
	const tbs = new DerReader(bytes.read(tag.octetString)).enter(tag.sequence).enter(tag.sequence);
	tbs.read(tag.explicit(2));
	tbs.read(tag.generalizedTime);
	const singles = tbs.enter(tag.sequence);
	while (!singles.atEnd) {
		const single = singles.enter(tag.sequence);
		single.read(tag.sequence);
		read.statuses.push(readStatus(single));
		read.thisUpdate = readTime(single.read(tag.generalizedTime));
		read.nextUpdate = readTime(single.enter(tag.explicit(0)).read(tag.generalizedTime));
	}
	if (!tbs.atEnd) {
		const extension = tbs.enter(tag.explicit(1)).enter(tag.sequence).enter(tag.sequence);
		extension.read(tag.oid);
		read.nonce = bytesToHex(new DerReader(extension.read(tag.octetString)).read(tag.octetString));
	}
	return read;
}

function readStatus(single: DerReader): string {
	if (single.nextIs(tag.implicit(0))) {
		single.read(tag.implicit(0));
		return "good";
	}
	if (single.nextIs(tag.implicit(2))) {
		single.read(tag.implicit(2));
		return "unknown";
	}
	const info = single.enter(tag.explicit(1));
	const at = readTime(info.read(tag.generalizedTime)).toISOString();
	const reason = info.atEnd ? "none" : info.enter(tag.explicit(0)).read(tag.enumerated)[0];
	return `revoked ${at} ${reason}`;
}

function readTime(contents: Uint8Array): Date {
	const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(
		new TextDecoder().decode(contents),
	)!;
	return new Date(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
}
