import { AsnParser } from "@peculiar/asn1-schema";
import { CertificateList } from "@peculiar/asn1-x509";
import { AuthorityError } from "./authority-error.ts";
import { sameName } from "./check-authority.ts";
import { decodeBase64, parseCertificate } from "./issuing-authority.ts";
import { verifySignature } from "./signatures.ts";

/** The root's CRL, which says which issuing authorities were revoked. Signed at a ceremony. */
export interface RootCrl {
	der: Uint8Array;
	nextUpdate: Date;
}

/**
 * Reads the root's CRL. One past its next update is accepted: the service must not stop for it.
 *
 * @param crl - base64 DER
 * @param rootDer - DER certificate of the root
 * @throws AuthorityError that says what is wrong
 */
export async function loadRootCrl(crl: string, rootDer: Uint8Array): Promise<RootCrl> {
	const der = decodeBase64(crl, "root CRL");
	const { tbsCertList, tbsCertListRaw, signature, signatureAlgorithm } = parse(der);
	const root = parseCertificate(rootDer, "root certificate").tbsCertificate;
	const signed = new Uint8Array(tbsCertListRaw ?? new ArrayBuffer(0));
	const { algorithm } = signatureAlgorithm;
	if (
		!sameName(tbsCertList.issuer, root.subject) ||
		!(await verifySignature(algorithm, root.subjectPublicKeyInfo, new Uint8Array(signature), signed))
	) {
		throw new AuthorityError("the root CRL is not signed by the root");
	}
	if (!tbsCertList.nextUpdate) throw new AuthorityError("the root CRL has no next update");
	return { der, nextUpdate: tbsCertList.nextUpdate.getTime() };
}

function parse(der: Uint8Array): CertificateList {
	try {
		return AsnParser.parse(der, CertificateList);
	} catch {
		throw new AuthorityError("the root CRL is not a DER CRL");
	}
}
