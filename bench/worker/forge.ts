import forge from "node-forge";
import type { PfxProfile } from "../../src/x509/pfx.ts";
import type { Issue, IssueOrder } from "./libraries.ts";

/*
 * node-forge knows one number of rounds for encryption and MAC, a MAC with SHA-1 only, leaves certificates in a PFX
 * unencrypted and no otherName. It is given the lower number of rounds: it does less than the service does.
 */

const PARAMETERS = {
	modern: { algorithm: "aes256", prfAlgorithm: "sha256", count: 2_048, saltSize: 16 },
	legacy: { algorithm: "3des", count: 2_048, saltSize: 8 },
} as const;

export function prepareForge(order: IssueOrder, profile: PfxProfile): Issue {
	const issuing = parseForgeCertificate(order.issuing);
	const root = parseForgeCertificate(order.root);
	const signingKey = readForgeKey(order.issuingKey);
	const { authority, holder, pin } = order;
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
		const options = { ...PARAMETERS[profile], friendlyName: forge.util.encodeUtf8(holder.fullName) };
		const pfx = forge.pkcs12.toPkcs12Asn1(key, [leaf, issuing, root], pin, options);
		return Uint8Array.from(forge.asn1.toDer(pfx).getBytes(), (octet) => octet.charCodeAt(0));
	};
}

export function readForgeKey(pkcs8: Uint8Array): forge.pki.rsa.PrivateKey {
	return forge.pki.privateKeyFromAsn1(parse(pkcs8)) as forge.pki.rsa.PrivateKey;
}

export function parseForgeCertificate(der: Uint8Array): forge.pki.Certificate {
	return forge.pki.certificateFromAsn1(parse(der));
}

function parse(der: Uint8Array): forge.asn1.Asn1 {
	return forge.asn1.fromDer(forge.util.createBuffer(binary(der)));
}

function binary(octets: Uint8Array): string {
	return String.fromCharCode(...octets);
}
