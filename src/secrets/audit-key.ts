import { createKeyedHash } from "./keyed-hash.ts";

const USE = "audit row";
const FORM = /^[\w-]{43}$/;

/**
 * The key of the audit's rows: HMAC-SHA-256 of a row's hash, base64url.
 * @param secrets - 32 bytes each; the first makes macs, each of them verifies, so that a secret can be replaced.
 */
export async function createAuditKey(secrets: readonly Uint8Array[]) {
	const hashes = await Promise.all(secrets.map(createKeyedHash));
	return {
		macOf: (rowHash: string): Promise<string> => hashes[0]!.of(USE, rowHash),
		isMacOf: async (mac: string, rowHash: string): Promise<boolean> => {
			if (!FORM.test(mac)) return false;
			for (const hash of hashes) if (await hash.matches(mac, USE, rowHash)) return true;
			return false;
		},
	};
}
