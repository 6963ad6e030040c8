import { bytesToHex } from "@noble/hashes/utils.js";
import { AsnParser } from "@peculiar/asn1-schema";
import { SubjectPublicKeyInfo } from "@peculiar/asn1-x509";
import { CRL_REASON, type CrlReason } from "./crl.ts";
import { DerError, DerReader, encodeOid, tag } from "./der.ts";
import {
	type SignatureAlgorithm,
	signatureAlgorithmDer,
	signatureOid,
	verifySignature,
} from "./signatures.ts";

export interface CrlEntry {
	/** Upper-case hex without leading zero bytes, as from serialToHex. */
	serial: string;
	/** Epoch milliseconds of a whole second. */
	revokedAt: number;
	/** `unspecified` for a reason that this service does not give. */
	reason: CrlReason;
}

const ALGORITHMS = Object.keys(signatureOid) as SignatureAlgorithm[];
const REASON_CODE = bytesToHex(encodeOid("2.5.29.21"));
const REASONS = new Map<number, CrlReason>(
	Object.entries(CRL_REASON).map(([reason, code]) => [code, reason as CrlReason]),
);

/**
 * Reads a CRL of the authority (RFC 5280 §5.1), one entry at a time: for 100,000 of them, a list would take ten times
 * the memory of the DER.
 *
 * @throws DerError when the authority has not signed it, and at the entry that is not one
 */
export async function readCrl(
	{ publicKey }: { publicKey: Uint8Array },
	der: Uint8Array,
): Promise<Iterable<CrlEntry>> {
	const list = new DerReader(der).enter(tag.sequence);
	const tbs = list.readWhole(tag.sequence);
	const algorithmDer = bytesToHex(list.readWhole(tag.sequence));
	const algorithm = ALGORITHMS.find((one) => bytesToHex(signatureAlgorithmDer[one]) === algorithmDer);
	const signature = list.read(tag.bitString).subarray(1);
	const key = AsnParser.parse(publicKey, SubjectPublicKeyInfo);
	if (!algorithm || !(await verifySignature(signatureOid[algorithm], key, signature, tbs)))
		throw new DerError();
	return entriesOf(tbs);
}

function* entriesOf(tbs: Uint8Array): Generator<CrlEntry> {
	const fields = new DerReader(tbs).enter(tag.sequence);
	fields.readInteger();
	fields.read(tag.sequence);
	fields.read(tag.sequence);
	// thisUpdate and nextUpdate.
	while (isTime(fields)) readTime(fields);
	if (!fields.nextIs(tag.sequence)) return;
	const revoked = fields.enter(tag.sequence);
	while (!revoked.atEnd) {
		const entry = revoked.enter(tag.sequence);
		const bytes = entry.readInteger();
		const serial = bytesToHex(bytes[0] === 0 ? bytes.subarray(1) : bytes).toUpperCase();
		const revokedAt = readTime(entry);
		yield { serial, revokedAt, reason: entry.atEnd ? "unspecified" : readReason(entry) };
	}
}

function isTime(reader: DerReader): boolean {
	return reader.nextIs(tag.utcTime) || reader.nextIs(tag.generalizedTime);
}

/** RFC 5280 §4.1.2.5: years of two digits are 1950 to 2049; seconds and Z are always there. */
function readTime(reader: DerReader): number {
	const isShort = reader.nextIs(tag.utcTime);
	const text = new TextDecoder().decode(reader.read(isShort ? tag.utcTime : tag.generalizedTime));
	const full = isShort ? `${text < "5" ? "20" : "19"}${text}` : text;
	const time = Date.parse(full.replace(/^(....)(..)(..)(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
	if (Number.isNaN(time)) throw new DerError();
	return time;
}

function readReason(entry: DerReader): CrlReason {
	const extensions = entry.enter(tag.sequence);
	while (!extensions.atEnd) {
		const extension = extensions.enter(tag.sequence);
		const oid = bytesToHex(extension.readWhole(tag.oid));
		if (extension.nextIs(tag.boolean)) extension.readBoolean();
		const value = extension.enter(tag.octetString);
		if (oid === REASON_CODE) return REASONS.get(value.read(tag.enumerated)[0]!) ?? "unspecified";
	}
	return "unspecified";
}
