import * as z from "zod";
import { CRL_REASON, type CrlReason } from "../x509/crl.ts";

/* Answers of a signer. Members that are not named here may be added to them. */

const base64 = z.base64().transform((text) => Uint8Array.fromBase64(text));
const head = z.string().regex(/^[0-9a-f]{64}$/);
const REASONS = Object.keys(CRL_REASON) as [CrlReason, ...CrlReason[]];

export const signedAnswer = z.object({
	signature: base64,
	entry: z.int().positive(),
	head,
	head_signature: z.base64().max(1_024),
});

export const refusedAnswer = z.object({
	refused: z.string().regex(/^[A-Z_]{1,40}$/),
	/** Number of the last CRL, and what a refused one lacks. */
	last_number: z.int().nonnegative().optional(),
	missing: z
		.array(
			z.object({
				serial: z.string().regex(/^[0-9A-F]{32}$/),
				revoked_at: z.int().nonnegative(),
				reason: z.enum(REASONS),
			}),
		)
		.optional(),
});

export const healthAnswer = z.object({
	status: z.enum(["ok", "stopped", "failing"]),
	key_id: z.string(),
	/** Number of the log's last entry; 0 before the first. */
	entries: z.int().nonnegative(),
	/** Empty before the first entry. */
	head: head.or(z.literal("")),
	head_signature: z.base64().nullable(),
	stopped: z.object({ reason: z.string(), since: z.int(), all: z.boolean() }).nullable(),
	refused: z.record(z.string(), z.int()),
});
