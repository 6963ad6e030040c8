import { desc, eq } from "drizzle-orm";
import { type AuditEntry, auditRow } from "./audit.ts";
import type { ChangeOrigin } from "./change-partner.ts";
import { ask, askBatch, ConstraintViolated, type Register, type Statement } from "./register.ts";
import { auditEvents } from "./schema-upkeep.ts";

const TRIES = 5;

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
		const [last] = await ask(
			register
				.select({ version: auditEvents.version, hash: auditEvents.hash })
				.from(auditEvents)
				.where(eq(auditEvents.entity, what.entity))
				.orderBy(desc(auditEvents.version))
				.limit(1),
		);
		const entry = { ...what, version: (last?.version ?? 0) + 1, at: now, actor, requestId, step: null };
		const row = await auditRow(entry, last?.hash ?? "");
		try {
			await askBatch(register, [register.insert(auditEvents).values(row), ...alongside]);
			return;
		} catch (error) {
			const lostRace = error instanceof ConstraintViolated && error.constraint === "audit_events.entity";
			if (!lostRace || attempt === TRIES) throw error;
		}
	}
}
