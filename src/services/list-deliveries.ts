import type { z } from "@hono/zod-openapi";
import { pageDeliveries, type ShownDelivery } from "../db/deliveries.ts";
import { parseCode } from "../domain/code-form.ts";
import { PAGE_SIZE_DEFAULT } from "../domain/limits.ts";
import { pageOf } from "../http/cursor.ts";
import type { deliveryQuery } from "../wire/delivery.ts";
import type { PartnerCaller } from "./caller.ts";

/** A page of the caller's deliveries, newest first. `next`: the cursor of the page that follows, null at the end. */
export async function listDeliveries(
	{ db, partnerId }: PartnerCaller,
	asked: z.output<typeof deliveryQuery>,
): Promise<{ page: ShownDelivery[]; next: string | null }> {
	const { state, event, p_code, since, cursor, limit = PAGE_SIZE_DEFAULT } = asked;
	const rows = await pageDeliveries(db, partnerId, {
		state,
		event,
		code: p_code === undefined ? undefined : (parseCode(p_code) ?? ""),
		since: since?.first,
		after: cursor,
		limit: limit + 1,
	});
	return pageOf(rows, limit, ({ createdAt, id }) => ({ createdAt, id }));
}
