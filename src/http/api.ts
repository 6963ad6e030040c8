import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { AppEnv } from "./app-env.ts";
import { validationHook } from "./validation.ts";

/** A router whose routes validate by their schemas and describe themselves. */
export function createApi(): OpenAPIHono<AppEnv> {
	return new OpenAPIHono<AppEnv>({ defaultHook: validationHook });
}

/** The security scheme of partner calls (§5). */
export const PARTNER_KEY = [{ partnerKey: [] }];

/** `Idempotency-Key`, our addition to the three POSTs. Read by `readIdempotencyKey`. */
export const idempotencyHeader = z.object({
	"idempotency-key": z.string().optional().openapi({
		description:
			"Chosen: the same key and body within 24 hours return the first final answer again, with Idempotency-Replayed: true.",
		example: "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11",
	}),
});
