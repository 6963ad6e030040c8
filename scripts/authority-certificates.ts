import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { type AuthorityKey, algorithmOf } from "./authority-key.ts";
import { createSerialHex } from "./create-ocsp-responder.ts";

/* The two certificates of the hierarchy, for keys of files and of tokens alike. */

export interface AuthorityNames {
	/** Both names begin with it; printable ASCII. Development authorities have TEST in it, and prod refuses those. */
	commonNamePrefix: string;
	organization: string;
	/** The organization's RUT, `76123456-0`; it enters both names as serialNumber. */
	rut: string;
}

export interface Validity {
	from: Date;
	until: Date;
}

/** X.680 §41.4, table 10. */
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]+$/;

/** @throws RangeError when a name is not printable ASCII */
export async function certifyRoot(
	names: AuthorityNames,
	key: AuthorityKey,
	{ from, until }: Validity,
): Promise<x509.X509Certificate> {
	const name = nameMember(names, "Root CA");
	const signed = await x509.X509CertificateGenerator.create({
		serialNumber: createSerialHex(),
		subject: name,
		issuer: name,
		publicKey: key.publicKey,
		signingKey: key.signingKey,
		notBefore: from,
		notAfter: until,
		signingAlgorithm: algorithmOf(key.publicKey),
		extensions: await describeMember(key.publicKey),
	});
	return verified(new x509.X509Certificate(await key.finish(signed.rawData)), key.publicKey);
}

/** Certifies an issuing authority's key, until then or as long as the root is valid. @param pkiUrl - PKI_URL: the certificate names `root.crl` and `root.cer` there. */
export async function certifyIssuing(
	names: AuthorityNames & { pkiUrl: string },
	publicKey: CryptoKey,
	root: { key: AuthorityKey; certificate: x509.X509Certificate },
	{ from, until }: Validity,
): Promise<x509.X509Certificate> {
	const { key, certificate: issuer } = root;
	const signed = await x509.X509CertificateGenerator.create({
		serialNumber: createSerialHex(),
		subject: nameMember(names, "Issuing CA"),
		issuer: issuer.subjectName,
		publicKey,
		signingKey: key.signingKey,
		notBefore: from,
		notAfter: new Date(Math.min(until.getTime(), issuer.notAfter.getTime())),
		signingAlgorithm: algorithmOf(key.publicKey),
		extensions: [
			...(await describeMember(publicKey, 0)),
			await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
			// anyPolicy, RFC 5280 §4.2.1.4: without it no policy of a leaf is valid under the root.
			new x509.CertificatePolicyExtension(["2.5.29.32.0"]),
			new x509.CRLDistributionPointsExtension([`${names.pkiUrl}/root.crl`]),
			new x509.AuthorityInfoAccessExtension({ caIssuers: `${names.pkiUrl}/root.cer` }),
		],
	});
	return verified(new x509.X509Certificate(await key.finish(signed.rawData)), issuer.publicKey);
}

/** @throws where a root's key is another than its certificate's */
async function verified(certificate: x509.X509Certificate, publicKey: CryptoKey | x509.PublicKey) {
	if (!(await certificate.verify({ publicKey, signatureOnly: true })))
		throw new Error(`The key that signed ${certificate.subject} is not the issuer's.`);
	return certificate;
}

async function describeMember(publicKey: CryptoKey, pathLength?: number): Promise<x509.Extension[]> {
	return [
		new x509.BasicConstraintsExtension(true, pathLength, true),
		new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
		await x509.SubjectKeyIdentifierExtension.create(publicKey),
	];
}

function nameMember({ commonNamePrefix, organization, rut }: AuthorityNames, role: string): x509.Name {
	const printable = (text: string) => {
		if (!PRINTABLE.test(text)) throw new RangeError(`"${text}" is not a PrintableString`);
		return [{ printableString: text }];
	};
	return new x509.Name([
		{ C: printable("CL") },
		{ O: printable(organization) },
		{ "2.5.4.5": printable(rut) },
		{ CN: printable(`${commonNamePrefix} ${role}`) },
	]);
}
