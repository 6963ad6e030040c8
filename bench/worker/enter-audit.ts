import type { Bindings } from "../../src/bindings.ts";
import { type AuditEntry, auditRow } from "../../src/db/audit-events.ts";
import { PARTNER_TABLES } from "../../src/db/partner-tables.ts";
import { platformOf } from "../../src/platform.ts";

/** The whole chain of an entity, as far as its rows do not follow from one another. */
export interface Chain {
	entity: string;
	entries: Pick<AuditEntry, "version" | "at" | "actor" | "action" | "outcome" | "step">[];
}

const { columns } = PARTNER_TABLES.find(({ name }) => name === "audit_events")!;
const INSERT = `INSERT INTO audit_events ("${columns.join('", "')}")
	SELECT ${columns.map((_, i) => `value ->> ${i}`).join(", ")} FROM json_each(?1)`;

/** Enters chains of a partner of `DB_2`, with hashes and macs. */
export async function enterChains(
	env: Bindings,
	partnerId: string,
	chains: readonly Chain[],
): Promise<Response> {
	const { databases } = await platformOf(env);
	const { db } = databases.find(({ binding }) => binding === "DB_2")!;
	const rows: unknown[][] = [];
	for (const { entity, entries } of chains) {
		let previous = "";
		for (const entry of entries) {
			const whole = { ...entry, entity, partnerId, requestId: crypto.randomUUID() };
			const row = await auditRow(db, whole, previous);
			const named: Record<string, unknown> = {
				...{ ...row, partner_id: partnerId, request_id: row.requestId, previous_hash: previous },
			};
			rows.push(columns.map((column) => named[column]));
			previous = row.hash;
		}
	}
	await env.DB_2.prepare(INSERT).bind(JSON.stringify(rows)).run();
	return new Response("entered");
}
