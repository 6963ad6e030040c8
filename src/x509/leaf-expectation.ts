import type { KeyAlgorithm } from "./holder-key.ts";
import type { Holder } from "./subject-name.ts";

/** What the certificate was asked to be. Bytes are DER; `publicKey` is the generated SubjectPublicKeyInfo. */
export interface LeafExpectation {
	serial: Uint8Array;
	notBefore: Date;
	notAfter: Date;
	holder: Holder;
	keyAlgorithm: KeyAlgorithm;
	publicKey: Uint8Array;
}

/** What the authority says of itself, apart from anything the builder prepared from it. */
export interface AuthorityExpectation {
	certificate: Uint8Array;
	rut: string;
	policyOid: string;
	cpsUrl: string;
	crlUrl: string;
	ocspUrl: string;
	caIssuersUrl: string;
}
