import { z } from "@hono/zod-openapi";
import { REVOCATION_REASONS } from "../domain/revocation-reason.ts";
import type { Hint } from "../texts/hints.ts";

/** CRLReason names (RFC 5280 §5.3.1) that a holder's certificate can be revoked for. */
export const revocationReason = z
	.enum(REVOCATION_REASONS, "revocationReason" satisfies Hint)
	.openapi({ example: "superseded" });
