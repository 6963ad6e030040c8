/** Algorithm of the holder's key: RSA for tax documents (RSAKeyValue), P-256 by partner setting. */
export type KeyAlgorithm = "rsa-2048" | "ec-p256";

/**
 * Generates a holder's key pair, extractable because the PFX contains it.
 * RSA takes 45 ms (median) to 100 ms (p95) and blocks the isolate meanwhile.
 */
export async function generateHolderKeyPair(algorithm: KeyAlgorithm): Promise<CryptoKeyPair> {
	const parameters =
		algorithm === "rsa-2048"
			? {
					name: "RSASSA-PKCS1-v1_5",
					hash: "SHA-256",
					modulusLength: 2048,
					publicExponent: new Uint8Array([1, 0, 1]),
				}
			: { name: "ECDSA", namedCurve: "P-256" };
	return (await crypto.subtle.generateKey(parameters, true, ["sign", "verify"])) as CryptoKeyPair;
}

/**
 * One turn of the event loop, in which a request that was begun leaves this isolate. Before work that holds the thread:
 * a request begun just before an RSA key is made would leave when the key is there.
 */
export function letRequestLeave(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, 0));
}

/** The pair as DER: SubjectPublicKeyInfo and PKCS#8 PrivateKeyInfo. The caller zeroes `pkcs8` after use. */
export async function exportKeyPair(pair: CryptoKeyPair): Promise<{ spki: Uint8Array; pkcs8: Uint8Array }> {
	const [spki, pkcs8] = await Promise.all([
		crypto.subtle.exportKey("spki", pair.publicKey),
		crypto.subtle.exportKey("pkcs8", pair.privateKey),
	]);
	return { spki: new Uint8Array(spki as ArrayBuffer), pkcs8: new Uint8Array(pkcs8 as ArrayBuffer) };
}
