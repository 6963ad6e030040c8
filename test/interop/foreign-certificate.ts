import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { encodeIa5String, encodeOid, frame, tag } from "../../src/x509/der.ts";
import { assemblePfx, preparePfx } from "../../src/x509/pfx.ts";
import { pin } from "../unit/x509/test-authority.ts";
import type { LockedPfx } from "./python.ts";

/* Certificates as other authorities make them, or might. */

const HOLDER_RUT = "1.3.6.1.4.1.8321.1";
const USER_PRINCIPAL_NAME = "1.3.6.1.4.1.311.20.2.3";
const IA5_STRING = 0x16;
const RFC822_NAME = tag.implicit(1);

/** DER of GeneralNames. */
export const NAMES = {
	rut: (text: string, stringTag = IA5_STRING) => otherName(HOLDER_RUT, text, stringTag),
	upn: (text: string) => otherName(USER_PRINCIPAL_NAME, text, IA5_STRING),
	email: frame(RFC822_NAME, Buffer.from("maria@example.cl")),
};

/** A self-signed certificate with or without a subject.serialNumber and a subjectAltName, and its key in PKCS#8. */
export async function certificateWith(serial: string | null, names: Uint8Array[] | null) {
	const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
	const keys = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
	const attributes: x509.JsonAttributeAndValue[] = [{ CN: [{ utf8String: "María" }] }];
	if (serial !== null) attributes.push({ "2.5.4.5": [{ printableString: serial }] });
	const extensions = names ? [new x509.Extension("2.5.29.17", false, frame(tag.sequence, ...names))] : [];
	const certificate = await x509.X509CertificateGenerator.createSelfSigned({
		name: new x509.Name(attributes),
		keys,
		signingAlgorithm: algorithm,
		extensions,
	});
	const pkcs8 = (await crypto.subtle.exportKey("pkcs8", keys.privateKey)) as ArrayBuffer;
	return { der: new Uint8Array(certificate.rawData), pkcs8: new Uint8Array(pkcs8) };
}

/** Puts key and certificate into a PFX. */
export async function lockUp({
	der,
	pkcs8,
}: Awaited<ReturnType<typeof certificateWith>>): Promise<LockedPfx> {
	const prepared = await preparePfx("modern", pin, pkcs8);
	const pfx = await assemblePfx(prepared, { friendlyName: "María", leaf: der, chainBags: [] });
	return { pfx, pin };
}

function otherName(type: string, text: string, stringTag: number): Uint8Array {
	const value = encodeIa5String(text);
	value[0] = stringTag;
	return frame(tag.explicit(0), encodeOid(type), frame(tag.explicit(0), value));
}
