import type { AuditEntry } from "../../src/db/audit-events.ts";
import { execute } from "./db.ts";
import { everyPage } from "./every-page.ts";
import type { Row } from "./look-inside.ts";
import { ops } from "./service.ts";

/** Reads what the chain of an entity has hashed of a row. */
export function entryOf(row: Row, changed: Partial<AuditEntry> = {}): AuditEntry {
	const { entity, version, partner_id, at, actor, action, outcome, request_id, step } = row;
	const same = { entity, version, at, actor, action, outcome, step };
	return { ...same, partnerId: partner_id, requestId: request_id, ...changed };
}

/** Writes a row past the service. */
export async function insertEvent(entry: AuditEntry, previousHash: string, hash: string, mac: string | null) {
	const { entity, version, partnerId, at, actor, action, outcome, requestId, step } = entry;
	await execute(
		`INSERT INTO audit_events (entity, version, partner_id, at, actor, action, outcome, request_id, step, previous_hash, hash, mac)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		...[entity, version, partnerId, at, actor, action, outcome, requestId, step, previousHash, hash, mac],
	);
}

/** Everything that ops find in the audit, page by page, as `entity@version fault`. */
export async function findFaults(): Promise<string[]> {
	const pages = await everyPage(async (from) => {
		const { status, body, text } = await ops("POST", "/audit/verify", from);
		if (status !== 200) throw new Error(text);
		return body.data;
	});
	return pages.flatMap((page) => page.faults.map(showFault)).sort();
}

/** Names a fault by the kind of its entity; a digest's by its day too. */
export function showFault({
	entity,
	version,
	fault,
}: {
	entity: string;
	version: number;
	fault: string;
}): string {
	return `${entity.replace(/^(?!digest)(\w+):.*/, "$1").replace(/pt_\w+/, "partner")}@${version} ${fault}`;
}
