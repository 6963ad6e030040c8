/**
 * Key pairs that a module keeps, named by their labels. RSA signs PKCS#1 v1.5 with SHA-256, P-384 ECDSA with SHA-384,
 * P-256 ECDSA with SHA-256. Every method throws where the module has no such key, or does not answer within four seconds.
 */
export interface Token {
	/** DER SubjectPublicKeyInfo. */
	publicKey(label: string): Promise<Uint8Array>;
	/** Hashes and signs. @returns the signature as it stands in a certificate: PKCS#1 v1.5, or DER `Ecdsa-Sig-Value` */
	sign(label: string, bytes: Uint8Array): Promise<Uint8Array>;
	/** Asks the module whether it still has the token. Throws where it does not. */
	alive(): Promise<void>;
}
