import type { KeyAlgorithm } from "./holder-key.ts";
import type { Holder } from "./subject-name.ts";

/** Requested values of the leaf. `publicKey` is the DER SubjectPublicKeyInfo of the generated key. */
export interface LeafExpectation {
	serial: Uint8Array;
	notBefore: Date;
	notAfter: Date;
	holder: Holder;
	keyAlgorithm: KeyAlgorithm;
	publicKey: Uint8Array;
}

/** The authority's settings, without values that the builder derived from them. `certificate` is DER. */
export interface AuthorityExpectation {
	certificate: Uint8Array;
	rut: string;
	policyOid: string;
	cpsUrl: string;
	crlUrl: string;
	ocspUrl: string;
	caIssuersUrl: string;
}
