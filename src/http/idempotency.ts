import { z } from "@hono/zod-openapi";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Context } from "hono";
import type { IdempotentCall } from "../objects/rpc.ts";
import { deriveCallerKey } from "../secrets/sealing.ts";
import { HINTS } from "../texts/hints.ts";
import { type Language, mark } from "../texts/language.ts";
import { REFERENCE } from "../texts/reference.ts";
import type { AppEnv } from "./app-env.ts";
import { type ErrorAnswer, errorAnswer } from "./errors.ts";

const HEADER = "Idempotency-Key";
export const idempotencyHeader = z.object({
	"idempotency-key": z
		.string()
		.optional()
		.openapi({
			description: mark(REFERENCE.idempotencyKey),
			example: "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11",
		}),
});

/** An sf-string (draft-ietf-httpapi-idempotency-key-header), or the same characters without the quotes. */
const FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * Derives from the caller's Idempotency-Key a keyed hash to find it by, a fingerprint of route and body, and a key to
 * seal the answer with. Both hashes include the caller's key, so that neither can be searched without it.
 * @returns null without the header, a 400 answer when it is malformed.
 */
export async function readIdempotencyKey(
	c: Context<AppEnv>,
): Promise<IdempotentCall | ErrorAnswer<"invalid_request"> | null> {
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

/** Marks the answer as a repetition of the first call's, in the first call's language. */
export function markReplayed(c: Context<AppEnv>, replayedIn: Language | null): void {
	if (replayedIn === null) return;
	c.set("language", replayedIn);
	c.set("isReplayed", true);
	c.header("Idempotency-Replayed", "true");
}

function malformed(c: Context<AppEnv>): ErrorAnswer<"invalid_request"> {
	const message = HINTS.idempotencyKey[c.get("language")];
	return errorAnswer(c, "invalid_request", { details: [{ field: HEADER, code: "INVALID_VALUE", message }] });
}
