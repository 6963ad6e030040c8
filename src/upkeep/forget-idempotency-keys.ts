import { sql } from "drizzle-orm";
import { idempotencyKeys } from "../db/schema-upkeep.ts";
import type { Job } from "./job.ts";

const KEYS_PER_RUN = 5_000;

/** A used Idempotency-Key is forgotten after its day. It is not audited: it tells of nobody. */
export const forgetIdempotencyKeys: Job = {
	name: "forget-idempotency-keys",
	async run({ register, now }) {
		const rows = await register
			.delete(idempotencyKeys)
			.where(
				sql`(partner_id, key_id) IN (SELECT partner_id, key_id FROM idempotency_keys
					WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${KEYS_PER_RUN})`,
			)
			.returning({ keyId: idempotencyKeys.keyId });
		return { cursor: null, report: { keys: rows.length }, changes: [] };
	},
};
