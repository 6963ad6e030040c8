import { createHash } from "node:crypto";
import { AsnConvert } from "@peculiar/asn1-schema";
import { Certificate } from "@peculiar/asn1-x509";
import { derNull, encodeOid, frame, tag } from "../../../src/x509/der.ts";
import { localCertificate } from "../../support/local-authority.ts";
import type { Fixtures } from "./fixtures.ts";

const OIDS = { sha1: "1.3.14.3.2.26", sha256: "2.16.840.1.101.3.4.2.1" } as const;
const NONCE = "1.3.6.1.5.5.7.48.1.2";

/** Good OCSP requests about certificates that were issued, one that was not, and several at once. */
export function makeOcspRequests(fixtures: Fixtures): Buffer[] {
	const issuing = Buffer.from(localCertificate, "base64");
	const { subject, subjectPublicKeyInfo } = AsnConvert.parse(issuing, Certificate).tbsCertificate;
	const name = Buffer.from(AsnConvert.serialize(subject));
	const key = Buffer.from(subjectPublicKeyInfo.subjectPublicKey);
	const issued = fixtures.members
		.flatMap(({ codes }) => codes.flatMap(({ serial }) => serial ?? []))
		.slice(0, 20);
	const ids = [...issued, "7F".repeat(16)].flatMap((serial) =>
		(["sha1", "sha256"] as const).map((hash) => certId(hash, name, key, serial)),
	);
	return [
		...ids.flatMap((id) => [request([id]), request([id], Buffer.from(id.subarray(0, 16)))]),
		request(ids.slice(0, 16)),
	];
}

function certId(hash: keyof typeof OIDS, name: Buffer, key: Buffer, serial: string): Uint8Array {
	const digest = (bytes: Buffer) => createHash(hash).update(bytes).digest();
	return frame(
		tag.sequence,
		frame(tag.sequence, encodeOid(OIDS[hash]), derNull),
		frame(tag.octetString, digest(name)),
		frame(tag.octetString, digest(key)),
		frame(tag.integer, Buffer.from(serial, "hex")),
	);
}

function request(certIds: readonly Uint8Array[], nonce?: Uint8Array): Buffer {
	const questions = frame(tag.sequence, ...certIds.map((id) => frame(tag.sequence, id)));
	const value = nonce && frame(tag.octetString, frame(tag.octetString, nonce));
	const extension = value && frame(tag.sequence, encodeOid(NONCE), value);
	const extensions = extension ? [frame(tag.explicit(2), frame(tag.sequence, extension))] : [];
	return Buffer.from(frame(tag.sequence, frame(tag.sequence, questions, ...extensions)));
}
