import { select } from "../../../support/look-inside.ts";
import type { Answer } from "../../../support/service.ts";
import { ENDPOINTS } from "../document/attempt-delivery.ts";

/** An attempt that is under way: leased, and how it ended not recorded; or a 410 whose webhook is still on. */
const UNDER_WAY = `SELECT 1 FROM outbox WHERE attempts > 0 AND last_outcome IS NULL
	UNION SELECT 1 FROM outbox JOIN partners ON partners.id = outbox.partner_id
	WHERE last_outcome = 'gone' AND last_attempt_at = ? + clock_offset AND webhook_url = ? AND webhook_off_at IS NULL`;

/** How the deliveries of an issuing call ended is recorded after its answer: the clock stands until then. */
export async function settle({ status, text }: Answer): Promise<void> {
	if (status !== 200 || !text.includes("EMITTED")) return;
	while ((await select(UNDER_WAY, Date.now(), ENDPOINTS.gone)).length > 0)
		await new Promise((resolve) => setTimeout(resolve, 1));
}
