import { bytesToHex } from "@noble/hashes/utils.js";
import { AsnParser } from "@peculiar/asn1-schema";
import { Certificate } from "@peculiar/asn1-x509";
import { AuthorityError } from "./authority-error.ts";
import { type AuthoritySigner, type SignerSource, signHere } from "./authority-signer.ts";
import { checkChain, checkName, checkSettings, readCommonName, readSubjectKeyId } from "./check-authority.ts";
import { serialize } from "./der.ts";
import { type AuthorityFacts, encodeSharedExtensions } from "./leaf-extensions.ts";
import { encodeCertificateBag } from "./pfx.ts";

/** An authority ready to issue, prepared once per isolate. Byte arrays are DER, except `subjectKeyId`. */
export interface IssuingAuthority extends AuthorityFacts {
	certificate: Uint8Array;
	root: Uint8Array;
	signer: AuthoritySigner;
	/** Name: the issuer of the leaves. */
	subject: Uint8Array;
	/** Common name of the subject, for holders; "" without one. */
	commonName: string;
	/** SubjectPublicKeyInfo. */
	publicKey: Uint8Array;
	/** The key identifier in lower-case hex: the name of its addresses. */
	keyId: string;
	/** The time in which both it and the root are valid: no leaf is valid outside of it. */
	notBefore: Date;
	notAfter: Date;
	/** The extensions that are the same in every leaf, concatenated. */
	sharedExtensions: Uint8Array;
	/** SafeBags of the issuing certificate and the root, in the order of a PFX. */
	chainBags: Uint8Array[];
}

/** Place of an authority's key: base64 PKCS#8, or elsewhere. */
export type KeyPlace = Pick<AuthoritySettings, "key"> | { signer: SignerSource };

export interface AuthoritySettings {
	/** Base64 PKCS#8. */
	key: string;
	/** Base64 DER. */
	certificate: string;
	/** Base64 DER. */
	root: string;
	rut: string;
	policyOid: string;
	cpsUrl: string;
	/** Base address of CRL, OCSP answers and certificate, under the key identifier. No slash at its end. */
	pkiUrl: string;
}

/**
 * Loads the authority from the service's secrets and settings.
 *
 * @param settings - with its key, which stays in this isolate, or with the source of its signer
 * @throws AuthorityError that says what is wrong
 */
export async function loadIssuingAuthority(
	settings: Omit<AuthoritySettings, "key"> & KeyPlace,
): Promise<IssuingAuthority> {
	const certificateDer = decodeBase64(settings.certificate, "issuing certificate");
	const rootDer = decodeBase64(settings.root, "root certificate");
	const certificate = parseCertificate(certificateDer, "issuing certificate");
	const root = parseCertificate(rootDer, "root certificate");
	await checkChain(certificate, root);
	const signer = await sourceOf(settings)(certificate);

	const subjectKeyId = readSubjectKeyId(certificate);
	const keyId = bytesToHex(subjectKeyId);
	const base = `${settings.pkiUrl}/${keyId}`;
	const facts = {
		rut: settings.rut,
		policyOid: settings.policyOid,
		cpsUrl: settings.cpsUrl,
		crlUrl: `${base}/crl`,
		ocspUrl: `${base}/ocsp`,
		caIssuersUrl: `${base}/cer`,
		subjectKeyId,
	};
	checkName(certificate);
	checkSettings(facts);
	const tbs = certificate.tbsCertificate;
	return {
		...facts,
		keyId,
		certificate: certificateDer,
		root: rootDer,
		signer,
		subject: serialize(tbs.subject),
		commonName: readCommonName(certificate),
		publicKey: serialize(tbs.subjectPublicKeyInfo),
		...commonDates(certificate, root),
		sharedExtensions: encodeSharedExtensions(facts),
		chainBags: [encodeCertificateBag(certificateDer), encodeCertificateBag(rootDer)],
	};
}

/** @throws AuthorityError when the key is not base64 */
export function sourceOf(place: KeyPlace): SignerSource {
	return "signer" in place ? place.signer : signHere(decodeBase64(place.key, "issuing key"));
}

function commonDates(...chain: Certificate[]): { notBefore: Date; notAfter: Date } {
	const validities = chain.map(({ tbsCertificate }) => tbsCertificate.validity);
	return {
		notBefore: new Date(Math.max(...validities.map(({ notBefore }) => notBefore.getTime().getTime()))),
		notAfter: new Date(Math.min(...validities.map(({ notAfter }) => notAfter.getTime().getTime()))),
	};
}

/** @param what - names the certificate in the error. @throws AuthorityError when it is not DER */
export function parseCertificate(der: Uint8Array, what: string): Certificate {
	try {
		return AsnParser.parse(der, Certificate);
	} catch {
		throw new AuthorityError(`the ${what} is not a DER certificate`);
	}
}

/** @param what - names the value in the error. @throws AuthorityError when it is not base64 */
export function decodeBase64(text: string, what: string): Uint8Array {
	try {
		return Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
	} catch {
		throw new AuthorityError(`the ${what} is not base64`);
	}
}
