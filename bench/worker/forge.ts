import forge from "node-forge";
import type { MakePfx, Order, PfxOrder } from "./order.ts";

/*
 * node-forge knows one number of rounds for encryption and MAC, a MAC with SHA-1 only, leaves certificates in a PFX
 * unencrypted and no otherName: it does less than the service does.
 */

export interface ForgeParameters {
	algorithm: "aes256" | "3des";
	/** Missing from the library's types. */
	prfAlgorithm?: string;
	count: number;
	saltSize: number;
}

export function issueWithForge(order: Order, parameters: ForgeParameters): MakePfx {
	const issuing = parseForgeCertificate(order.issuing);
	const root = parseForgeCertificate(order.root);
	const signingKey = readForgeKey(order.issuingKey);
	const { authority, holder } = order;
	const url = (value: string) => ({ type: 6, value });
	const extensions = [
		{ name: "basicConstraints", cA: false, critical: true },
		{
			name: "keyUsage",
			critical: true,
			digitalSignature: true,
			nonRepudiation: true,
			keyEncipherment: true,
		},
		{ name: "extKeyUsage", clientAuth: true, emailProtection: true },
		{ name: "authorityKeyIdentifier", keyIdentifier: binary(order.subjectKeyId) },
		{ name: "cRLDistributionPoints", altNames: [url(authority.crlUrl)] },
		{ name: "subjectKeyIdentifier" },
		{ name: "subjectAltName", altNames: [{ type: 1, value: holder.email }] },
	];
	return async () => {
		const key = readForgeKey(order.pkcs8);
		const leaf = forge.pki.createCertificate();
		leaf.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
		leaf.serialNumber = `4${forge.util.bytesToHex(forge.random.getBytesSync(16)).slice(1)}`;
		leaf.validity.notBefore = order.notBefore;
		leaf.validity.notAfter = order.notAfter;
		leaf.setIssuer(issuing.subject.attributes);
		leaf.setSubject([
			{ shortName: "C", value: "CL" },
			{
				shortName: "CN",
				value: holder.fullName,
				valueTagClass: forge.asn1.Type.UTF8 as unknown as forge.asn1.Class,
			},
			{ name: "emailAddress", value: holder.email },
			{ type: "2.5.4.5", value: holder.rut },
			{ type: "2.5.4.12", value: "PERSONA NATURAL" },
		]);
		leaf.setExtensions(extensions);
		leaf.sign(signingKey, forge.md.sha256.create());
		return assemble(order, key, [leaf, issuing, root], parameters);
	};
}

/** Key and certificates are read once. */
export function assembleWithForge(order: PfxOrder, parameters: ForgeParameters): MakePfx {
	const key = readForgeKey(order.pkcs8);
	const chain = [order.leaf, order.issuing, order.root].map(parseForgeCertificate);
	return async () => assemble(order, key, chain, parameters);
}

function assemble(
	{ holder, pin }: Order,
	key: forge.pki.rsa.PrivateKey,
	chain: forge.pki.Certificate[],
	parameters: ForgeParameters,
): Uint8Array {
	const options = { ...parameters, friendlyName: forge.util.encodeUtf8(holder.fullName) };
	const pfx = forge.pkcs12.toPkcs12Asn1(key, chain, pin, options);
	return Uint8Array.from(forge.asn1.toDer(pfx).getBytes(), (byte) => byte.charCodeAt(0));
}

function readForgeKey(pkcs8: Uint8Array): forge.pki.rsa.PrivateKey {
	return forge.pki.privateKeyFromAsn1(parse(pkcs8)) as forge.pki.rsa.PrivateKey;
}

function parseForgeCertificate(der: Uint8Array): forge.pki.Certificate {
	return forge.pki.certificateFromAsn1(parse(der));
}

function parse(der: Uint8Array): forge.asn1.Asn1 {
	return forge.asn1.fromDer(forge.util.createBuffer(binary(der)));
}

function binary(bytes: Uint8Array): string {
	return String.fromCharCode(...bytes);
}
