import { type AuditEntry, auditRow, findChainEnd, retryLostRaces } from "./audit.ts";
import type { ChangeOrigin } from "./change-partner.ts";
import { askBatch, type Db, type Statement } from "./query.ts";
import { auditEvents } from "./schema-upkeep.ts";

/**
 * Records something that has no version of its own (a read of evidence, a delivery sent again) as the next entry of
 * its entity's chain, with the statements it is about, or nothing of it.
 * @throws {Unavailable}: then nothing was recorded for sure, and nothing may be shown.
 */
export async function appendAudit(
	db: Db,
	what: Pick<AuditEntry, "entity" | "partnerId" | "action" | "outcome">,
	origin: ChangeOrigin,
	alongside: readonly Statement[] = [],
): Promise<void> {
	const { actor, requestId, now } = origin;
	await retryLostRaces(async () => {
		const end = await findChainEnd(db, what.entity);
		const entry = { ...what, version: end.version + 1, at: now, actor, requestId, step: null };
		const row = await auditRow(entry, end.hash);
		await askBatch(db, [db.insert(auditEvents).values(row), ...alongside]);
	});
}
