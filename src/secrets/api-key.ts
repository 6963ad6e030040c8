import { bytesToHex } from "@noble/hashes/utils.js";
import { encodeCrockford } from "../domain/code-form.ts";

/*
 * `gw_dev_<26 symbols><6 symbols>`: environment, 128 random bits, checksum. The checksum detects mistyped keys
 * without a look-up. It is not secret and does not authenticate.
 */

const FORM = /^gw_(dev|prod)_([0-9A-HJKMNP-TV-Z]{26})([0-9A-HJKMNP-TV-Z]{6})$/;
export const KEY_BYTES = 16;

export type KeyEnvironment = "dev" | "prod";

/** Keys of a developer's machine are dev keys. */
export function keyEnvironment(environment: "local" | "dev" | "prod"): KeyEnvironment {
	return environment === "prod" ? "prod" : "dev";
}

/** A new key. It is shown once; only its {@link hashApiKey} is stored. @param bytes - 16, which nobody can guess. */
export async function createApiKey(
	environment: KeyEnvironment,
	bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES)),
): Promise<string> {
	const body = encodeCrockford(bytes);
	return `gw_${environment}_${body}${await checksum(environment, body)}`;
}

/** Whether a text is a well-formed key of this environment, including its checksum. */
export async function isApiKey(text: string, environment: KeyEnvironment): Promise<boolean> {
	const parts = FORM.exec(text);
	return parts !== null && parts[1] === environment && parts[3] === (await checksum(environment, parts[2]!));
}

/** SHA-256 in hex. The key has 128 random bits, so a plain hash is enough. */
export async function hashApiKey(key: string): Promise<string> {
	return bytesToHex(await sha256(key));
}

async function checksum(environment: string, body: string): Promise<string> {
	return encodeCrockford((await sha256(`gw_${environment}_${body}`)).subarray(0, 4)).slice(0, 6);
}

async function sha256(text: string): Promise<Uint8Array> {
	return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
