import * as asn1js from "asn1js";
import * as pkijs from "pkijs";
import { createSerial } from "../../src/x509/serial.ts";
import type { MakePfx, Order, PfxOrder } from "./order.ts";

const MODERN = {
	contentEncryptionAlgorithm: { name: "AES-CBC", length: 256 } as Parameters<
		pkijs.CryptoEngine["encryptEncryptedContentInfo"]
	>[0]["contentEncryptionAlgorithm"],
	hmacHashAlgorithm: "SHA-256",
	iterationCount: 2_048,
};
const MAC_ROUNDS = 2_048;

/** The certificate profile and the `modern` PFX on PKI.js: what does not change from leaf to leaf is parsed once. */
export async function issueWithPkijs(order: Order): Promise<MakePfx> {
	const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
	const signingKey = await crypto.subtle.importKey("pkcs8", order.issuingKey, algorithm, false, ["sign"]);
	const issuing = pkijs.Certificate.fromBER(order.issuing);
	const root = pkijs.Certificate.fromBER(order.root);
	return async () => {
		const leaf = await createLeaf(order, issuing);
		await leaf.sign(signingKey, "SHA-256");
		return createPfx(order, leaf, [issuing, root]);
	};
}

/** The `modern` PFX alone: the certificates are parsed once. */
export function assembleWithPkijs(order: PfxOrder): MakePfx {
	const leaf = pkijs.Certificate.fromBER(order.leaf);
	const chain = [order.issuing, order.root].map((der) => pkijs.Certificate.fromBER(der));
	return () => createPfx(order, leaf, chain);
}

async function createLeaf(order: Order, issuing: pkijs.Certificate): Promise<pkijs.Certificate> {
	const { holder } = order;
	const leaf = new pkijs.Certificate();
	leaf.version = 2;
	leaf.serialNumber = new asn1js.Integer({
		valueHex: createSerial(crypto.getRandomValues(new Uint8Array(16))).slice().buffer as ArrayBuffer,
	});
	leaf.issuer = issuing.subject;
	leaf.notBefore.value = order.notBefore;
	leaf.notAfter.value = order.notAfter;
	const name: [string, asn1js.BaseBlock][] = [
		["2.5.4.6", new asn1js.PrintableString({ value: "CL" })],
		["2.5.4.3", new asn1js.Utf8String({ value: holder.fullName })],
		["1.2.840.113549.1.9.1", new asn1js.IA5String({ value: holder.email })],
		["2.5.4.5", new asn1js.PrintableString({ value: holder.rut })],
		["2.5.4.12", new asn1js.PrintableString({ value: "PERSONA NATURAL" })],
	];
	for (const [type, value] of name)
		leaf.subject.typesAndValues.push(
			new pkijs.AttributeTypeAndValue({ type, value: value as asn1js.Utf8String }),
		);
	await leaf.subjectPublicKeyInfo.importKey(order.keyPair.publicKey);
	const bits = leaf.subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView.slice();
	leaf.extensions = createExtensions(order, await crypto.subtle.digest("SHA-1", bits));
	return leaf;
}

function createExtensions({ authority, holder, subjectKeyId }: Order, keyId: ArrayBuffer): pkijs.Extension[] {
	const uri = (value: string) => new pkijs.GeneralName({ type: 6, value });
	const policy = new pkijs.PolicyInformation({
		policyIdentifier: authority.policyOid,
		policyQualifiers: [
			new pkijs.PolicyQualifierInfo({
				policyQualifierId: "1.3.6.1.5.5.7.2.1",
				qualifier: new asn1js.IA5String({ value: authority.cpsUrl }),
			}),
		],
	});
	const authorityKeyId = new pkijs.AuthorityKeyIdentifier({
		keyIdentifier: new asn1js.OctetString({ valueHex: subjectKeyId.slice().buffer }),
	});
	const access = (accessMethod: string, url: string) =>
		new pkijs.AccessDescription({ accessMethod, accessLocation: uri(url) });
	const email = new asn1js.Primitive({
		idBlock: { tagClass: 3, tagNumber: 1 },
		valueHex: new TextEncoder().encode(holder.email).buffer,
	});
	const usage = new asn1js.BitString({ valueHex: new Uint8Array([0xe0]).buffer, unusedBits: 5 });
	const points = new pkijs.DistributionPoint({ distributionPoint: [uri(authority.crlUrl)] });
	return [
		extension("2.5.29.19", new pkijs.BasicConstraints({ cA: false }).toSchema(), true),
		extension("2.5.29.15", usage, true),
		extension(
			"2.5.29.37",
			new pkijs.ExtKeyUsage({ keyPurposes: ["1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.4"] }).toSchema(),
		),
		extension("2.5.29.35", authorityKeyId.toSchema()),
		extension("2.5.29.32", new pkijs.CertificatePolicies({ certificatePolicies: [policy] }).toSchema()),
		extension("2.5.29.31", new pkijs.CRLDistributionPoints({ distributionPoints: [points] }).toSchema()),
		extension(
			"1.3.6.1.5.5.7.1.1",
			new pkijs.InfoAccess({
				accessDescriptions: [
					access("1.3.6.1.5.5.7.48.1", authority.ocspUrl),
					access("1.3.6.1.5.5.7.48.2", authority.caIssuersUrl),
				],
			}).toSchema(),
		),
		extension("2.5.29.18", generalNames(otherName("1.3.6.1.4.1.8321.2", authority.rut))),
		extension("2.5.29.14", new asn1js.OctetString({ valueHex: keyId })),
		extension("2.5.29.17", generalNames(otherName("1.3.6.1.4.1.8321.1", holder.rut), email)),
	];
}

function extension(extnID: string, value: asn1js.BaseBlock, critical = false): pkijs.Extension {
	return new pkijs.Extension({ extnID, critical, extnValue: value.toBER(false) });
}

function generalNames(...names: asn1js.BaseBlock[]): asn1js.Sequence {
	return new asn1js.Sequence({ value: names });
}

function otherName(type: string, rut: string): asn1js.Constructed {
	const tagged = (value: asn1js.BaseBlock[]) =>
		new asn1js.Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value });
	return tagged([
		new asn1js.ObjectIdentifier({ value: type }),
		tagged([new asn1js.IA5String({ value: rut })]),
	]);
}

/** The `modern` profile: PBES2 for certificates and key, MAC with SHA-256. @returns DER PFX */
async function createPfx(
	{ holder, pin, pkcs8 }: Order,
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
