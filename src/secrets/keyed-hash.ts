const encoder = new TextEncoder();

/** HMAC-SHA-256 with one secret. The use is part of the message, so equal values in two columns hash differently. */
export interface KeyedHash {
	/** Base64url, 43 characters. */
	of(use: string, ...values: readonly string[]): Promise<string>;
	matches(expected: string, use: string, ...values: readonly string[]): Promise<boolean>;
}

/** @param secret - 32 bytes or more */
export async function createKeyedHash(secret: Uint8Array): Promise<KeyedHash> {
	const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [
		"sign",
		"verify",
	]);
	const message = (use: string, values: readonly string[]) =>
		encoder.encode(JSON.stringify([use, ...values]));
	return {
		of: async (use, ...values) => {
			const mac = await crypto.subtle.sign("HMAC", key, message(use, values));
			return new Uint8Array(mac).toBase64({ alphabet: "base64url", omitPadding: true });
		},
		/** `verify` compares in constant time. */
		matches: (expected, use, ...values) =>
			crypto.subtle.verify(
				"HMAC",
				key,
				Uint8Array.fromBase64(expected, { alphabet: "base64url" }),
				message(use, values),
			),
	};
}
