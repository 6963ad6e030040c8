import type { KeyedHash } from "./keyed-hash.ts";

/** Stored form of a PIN: a keyed hash, whose secret (the pepper) is not in the database, and a fresh salt. */
export interface PinRecord {
	salt: string;
	hash: string;
}

export async function hashPin(pepper: KeyedHash, code: string, pin: string): Promise<PinRecord> {
	const salt = crypto
		.getRandomValues(new Uint8Array(16))
		.toBase64({ alphabet: "base64url", omitPadding: true });
	return { salt, hash: await pepper.of("pin", code, salt, pin) };
}

/** Compares in constant time. */
export function pinMatches(
	pepper: KeyedHash,
	code: string,
	record: PinRecord,
	pin: string,
): Promise<boolean> {
	return pepper.matches(record.hash, "pin", code, record.salt, pin);
}
