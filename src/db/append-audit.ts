import { type AuditEntry, auditRow, findChainEnd, lostAuditRace } from "./audit.ts";
import type { ChangeOrigin } from "./change-partner.ts";
import { askBatch, type Register, RegisterUnavailable, type Statement } from "./register.ts";
import { auditEvents } from "./schema-upkeep.ts";

/** Of as many entries of one chain at the same moment one wins each time. */
const TRIES = 12;

/**
 * Records something that has no version of its own (a read of evidence, a delivery sent again) as the next entry of
 * its entity's chain, with the statements it is about, or nothing of it.
 * @throws {RegisterUnavailable}: then nothing was recorded for sure, and nothing may be shown.
 */
export async function appendAudit(
	register: Register,
	what: Pick<AuditEntry, "entity" | "partnerId" | "action" | "outcome">,
	origin: ChangeOrigin,
	alongside: readonly Statement[] = [],
): Promise<void> {
	const { actor, requestId, now } = origin;
	for (let attempt = 1; ; attempt++) {
		const end = await findChainEnd(register, what.entity);
		const entry = { ...what, version: end.version + 1, at: now, actor, requestId, step: null };
		const row = await auditRow(entry, end.hash);
		try {
			await askBatch(register, [register.insert(auditEvents).values(row), ...alongside]);
			return;
		} catch (error) {
			if (!lostAuditRace(error)) throw error;
			if (attempt === TRIES) throw new RegisterUnavailable("every try was overtaken");
		}
	}
}
