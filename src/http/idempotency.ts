import { bytesToHex } from "@noble/hashes/utils.js";
import type { Context } from "hono";
import type { IdempotentCall } from "../objects/rpc.ts";
import { deriveCallerKey } from "../secrets/sealing.ts";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./error-body.ts";
import type { Language } from "./languages.ts";

const HEADER = "Idempotency-Key";
/** An sf-string (draft-ietf-httpapi-idempotency-key-header), or the same characters without the quotes. */
const FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * What the caller's Idempotency-Key stands for: a keyed hash to find it by, a fingerprint of route and body, and a
 * key to seal the answer with. Both hashes take in the caller's key, so that neither can be searched without it.
 * @returns null without the header, a 400 answer when it is malformed.
 */
export async function readIdempotencyKey(c: Context<AppEnv>): Promise<IdempotentCall | Response | null> {
	const header = c.req.header(HEADER);
	if (header === undefined) return null;
	const key = header.replace(/^"(.*)"$/, "$1");
	if (!FORM.test(key)) return malformed(c);
	const { index, settings } = c.get("platform");
	const { partnerId } = c.get("owner");
	const body = new Uint8Array(await crypto.subtle.digest("SHA-256", await c.req.arrayBuffer()));
	const [keyId, fingerprint, callerKey] = await Promise.all([
		index.of("idempotency-key", partnerId, key),
		index.of("idempotency-body", partnerId, key, c.req.path, bytesToHex(body)),
		deriveCallerKey(settings.indexKey, partnerId, key),
	]);
	return { keyId, fingerprint, callerKey, language: c.get("language") };
}

/** Tells the caller that this is the first call's answer, in the first call's language. */
export function markReplayed(c: Context<AppEnv>, replayedIn: Language | null): void {
	if (replayedIn === null) return;
	c.set("language", replayedIn);
	c.header("Idempotency-Replayed", "true");
}

function malformed(c: Context<AppEnv>): Response {
	const message = {
		en: "Send an Idempotency-Key of 1 to 255 visible ASCII characters.",
		es: "Envíe una Idempotency-Key de 1 a 255 caracteres ASCII visibles.",
	}[c.get("language")];
	const details = [{ field: HEADER, code: "INVALID_VALUE", message }];
	return errorAnswer(c, { error: "VALIDATION_ERROR", message, details });
}
