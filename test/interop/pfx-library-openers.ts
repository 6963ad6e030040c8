import forge from "node-forge";
import * as pkijs from "pkijs";

/** Contents of a PFX by a library: certificates in the file's order, the key in the clear. All DER. */
export interface OpenedPfx {
	certificates: Uint8Array[];
	pkcs8: Uint8Array;
	friendlyName: string;
}

const CERT_BAG = "1.2.840.113549.1.12.10.1.3";
const SHROUDED_KEY_BAG = "1.2.840.113549.1.12.10.1.2";
const FRIENDLY_NAME = "1.2.840.113549.1.9.20";

/** Opens with node-forge, MAC checked. It knows RSA keys only. @throws when the PIN is wrong */
export function openWithForge(pfx: Uint8Array, pin: string): OpenedPfx {
	const opened = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(toBinary(pfx)), true, pin);
	const certificateBags = opened.getBags({ bagType: CERT_BAG })[CERT_BAG] ?? [];
	const keyBag = opened.getBags({ bagType: SHROUDED_KEY_BAG })[SHROUDED_KEY_BAG]?.[0];
	const key = forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(keyBag!.key!));
	return {
		certificates: certificateBags.map(({ cert }) => encodeWithForge(forge.pki.certificateToAsn1(cert!))),
		pkcs8: encodeWithForge(key),
		friendlyName: keyBag!.attributes.friendlyName[0],
	};
}

/** Whether PKI.js finds the MAC right: all it can say of a legacy PFX, as it knows no 3DES. */
export async function checkMacWithPkijs(pfx: Uint8Array, pin: string): Promise<boolean> {
	const parsed = pkijs.PFX.fromBER(Uint8Array.from(pfx));
	const password = new TextEncoder().encode(pin).buffer as ArrayBuffer;
	return parsed.parseInternalValues({ password, checkIntegrity: true }, engine()).then(
		() => true,
		() => false,
	);
}

/** Opens a modern PFX with PKI.js, MAC checked. @throws when the PIN is wrong */
export async function openWithPkijs(pfx: Uint8Array, pin: string): Promise<OpenedPfx> {
	const parsed = pkijs.PFX.fromBER(Uint8Array.from(pfx));
	const password = new TextEncoder().encode(pin).buffer as ArrayBuffer;
	await parsed.parseInternalValues({ password, checkIntegrity: true }, engine());
	const safe = parsed.parsedValue!.authenticatedSafe!;
	await safe.parseInternalValues({ safeContents: [{ password }, {}] }, engine());
	const [certificates, keys]: pkijs.SafeContents[] = safe.parsedValue.safeContents.map(
		({ value }: { value: pkijs.SafeContents }) => value,
	);
	const keyBag = keys!.safeBags[0]!;
	const shrouded = keyBag.bagValue as pkijs.PKCS8ShroudedKeyBag;
	// Protected in the types, public in PKI.js's own examples.
	await (
		shrouded as unknown as { parseInternalValues(p: object, e: pkijs.ICryptoEngine): Promise<void> }
	).parseInternalValues({ password }, engine());
	const name = keyBag.bagAttributes?.find(({ type }) => type === FRIENDLY_NAME)?.values[0];
	return {
		certificates: certificates!.safeBags.map(({ bagValue }) =>
			encodeWithPkijs((bagValue as pkijs.CertBag).parsedValue),
		),
		pkcs8: encodeWithPkijs(shrouded.parsedValue!),
		friendlyName: name?.valueBlock.value,
	};
}

/** PKI.js types itself after the browser's newest SubtleCrypto; it needs only what workerd and Node have. */
function engine(): pkijs.ICryptoEngine {
	return new pkijs.CryptoEngine({ name: "webcrypto", crypto }) as unknown as pkijs.ICryptoEngine;
}

function encodeWithPkijs(value: { toSchema(): { toBER(): ArrayBuffer } }): Uint8Array {
	return new Uint8Array(value.toSchema().toBER());
}

function encodeWithForge(value: forge.asn1.Asn1): Uint8Array {
	return Uint8Array.from(forge.asn1.toDer(value).getBytes(), (character) => character.charCodeAt(0));
}

function toBinary(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
