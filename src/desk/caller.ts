import type { Context } from "hono";
import type { ChangeOrigin } from "../db/audit-events.ts";
import { type PartnerRow, selectPartner } from "../db/partners.ts";
import { query } from "../db/query.ts";
import type { AppEnv } from "../http/app-env.ts";

/** The partner that calls and, for the audit, its key: `partner:<key id>`. */
export function callOf(c: Context<AppEnv>): { partnerId: string; origin: ChangeOrigin } {
	const { partnerId, keyId } = c.get("owner");
	const now = c.get("platform").clock();
	return { partnerId, origin: { actor: `partner:${keyId}`, requestId: c.get("requestId"), now } };
}

/** The partner that calls, as it is now. Its key names it, and no partner is ever taken away. */
export async function findCaller(c: Context<AppEnv>): Promise<PartnerRow> {
	const [partner] = await query(selectPartner(c.get("platform").db, c.get("owner").partnerId));
	return partner!;
}
