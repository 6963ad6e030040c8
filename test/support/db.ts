import { env } from "cloudflare:workers";
import { openDb } from "../../src/db/query.ts";
import { createAuditKey } from "../../src/secrets/audit-key.ts";

const AUDIT_KEY = await createAuditKey([Uint8Array.fromBase64(env.AUDIT_KEY)]);

/** A register as the service opens it. */
export function openRegister(database = env.DB) {
	return openDb(database, AUDIT_KEY);
}
