import * as asn1js from "asn1js";
import * as pkijs from "pkijs";
import type { IssueOrder } from "./libraries.ts";

const MODERN = {
	contentEncryptionAlgorithm: { name: "AES-CBC", length: 256 } as Parameters<
		pkijs.CryptoEngine["encryptEncryptedContentInfo"]
	>[0]["contentEncryptionAlgorithm"],
	hmacHashAlgorithm: "SHA-256",
	iterationCount: 10_000,
};
const MAC_ROUNDS = 2_048;

/** The `modern` profile: PBES2 for certificates and key, MAC with SHA-256. @returns DER PFX */
export async function createPkijsPfx(
	{ holder, pin, pkcs8 }: IssueOrder,
	leaf: pkijs.Certificate,
	chain: pkijs.Certificate[],
): Promise<Uint8Array> {
	const password = new TextEncoder().encode(pin).buffer as ArrayBuffer;
	const modern = { password, ...MODERN };
	const localKeyId = await crypto.subtle.digest("SHA-1", leaf.toSchema(true).toBER(false));
	const label = [
		new pkijs.Attribute({
			type: "1.2.840.113549.1.9.20",
			values: [new asn1js.BmpString({ value: holder.fullName })],
		}),
		new pkijs.Attribute({
			type: "1.2.840.113549.1.9.21",
			values: [new asn1js.OctetString({ valueHex: localKeyId })],
		}),
	];
	const bag = (parsedValue: pkijs.Certificate, bagAttributes?: pkijs.Attribute[]) =>
		new pkijs.SafeBag({
			bagId: "1.2.840.113549.1.12.10.1.3",
			bagValue: new pkijs.CertBag({ parsedValue }),
			...(bagAttributes && { bagAttributes }),
		});
	const keyBag = new pkijs.PKCS8ShroudedKeyBag({ parsedValue: pkijs.PrivateKeyInfo.fromBER(pkcs8) });
	await keyBag.makeInternalValues(modern);
	const shrouded = new pkijs.SafeBag({
		bagId: "1.2.840.113549.1.12.10.1.2",
		bagValue: keyBag,
		bagAttributes: label,
	});
	const certificates = [bag(leaf, label), ...chain.map((certificate) => bag(certificate))];
	const authenticatedSafe = new pkijs.AuthenticatedSafe({
		parsedValue: {
			safeContents: [
				{ privacyMode: 1, value: new pkijs.SafeContents({ safeBags: certificates }) },
				{ privacyMode: 0, value: new pkijs.SafeContents({ safeBags: [shrouded] }) },
			],
		},
	});
	const pfx = new pkijs.PFX({ parsedValue: { integrityMode: 0, authenticatedSafe } });
	await authenticatedSafe.makeInternalValues({ safeContents: [modern, {}] });
	await pfx.makeInternalValues({
		password,
		iterations: MAC_ROUNDS,
		pbkdf2HashAlgorithm: { name: "SHA-256" },
		hmacHashAlgorithm: "SHA-256",
	});
	return new Uint8Array(pfx.toSchema().toBER(false));
}
