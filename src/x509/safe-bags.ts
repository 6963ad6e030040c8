import { encodeOid, frame, tag } from "./der.ts";
import type { PasswordEncrypted } from "./pbes2.ts";

const CERT_BAG = encodeOid("1.2.840.113549.1.12.10.1.3");
const SHROUDED_KEY_BAG = encodeOid("1.2.840.113549.1.12.10.1.2");
const X509_CERTIFICATE = encodeOid("1.2.840.113549.1.9.22.1");
const FRIENDLY_NAME = encodeOid("1.2.840.113549.1.9.20");
const LOCAL_KEY_ID = encodeOid("1.2.840.113549.1.9.21");

/** What ties a key to its certificate, and names both, in a PFX. */
export interface BagLabel {
	localKeyId: Uint8Array;
	friendlyName: string;
}

/** DER SafeBag with a certificate (RFC 7292 §4.2.3); chain certificates go without a label. */
export function encodeCertificateBag(certificate: Uint8Array, label?: BagLabel): Uint8Array {
	const value = frame(tag.explicit(0), frame(tag.octetString, certificate));
	return encodeBag(CERT_BAG, frame(tag.sequence, X509_CERTIFICATE, value), label);
}

/** DER SafeBag with an encrypted PKCS#8 key (RFC 7292 §4.2.2, RFC 5958 §3). */
export function encodeShroudedKeyBag(key: PasswordEncrypted, label: BagLabel): Uint8Array {
	const value = frame(tag.sequence, key.algorithm, frame(tag.octetString, key.ciphertext));
	return encodeBag(SHROUDED_KEY_BAG, value, label);
}

function encodeBag(type: Uint8Array, value: Uint8Array, label?: BagLabel): Uint8Array {
	const attributes = label ? [encodeLabel(label)] : [];
	return frame(tag.sequence, type, frame(tag.explicit(0), value), ...attributes);
}

function encodeLabel({ localKeyId, friendlyName }: BagLabel): Uint8Array {
	const keyId = frame(tag.set, frame(tag.octetString, localKeyId));
	const name = frame(tag.set, frame(tag.bmpString, encodeUtf16(friendlyName)));
	return frame(tag.set, frame(tag.sequence, FRIENDLY_NAME, name), frame(tag.sequence, LOCAL_KEY_ID, keyId));
}

/** Big-endian UTF-16 without a NUL, which readers take for a BMPString beyond the basic plane too. */
function encodeUtf16(text: string): Uint8Array {
	const octets = new Uint8Array(2 * text.length);
	const view = new DataView(octets.buffer);
	for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i));
	return octets;
}
