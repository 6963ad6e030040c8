import type { CertificateRow, CodeRow, SessionRow, Stored } from "../invariants.ts";
import type { ServiceProcess } from "./service-process.ts";

/** Contents of D1 and the bucket, read past the service. Times in epoch milliseconds of the service's clock. */
export interface Snapshot extends Stored {
	/** Number of a code's audit rows, by `action outcome`. */
	audit: Map<string, Map<string, number>>;
	outbox: OutboxRow[];
	/** Sessions of the widget. */
	sessions: SessionRow[];
}

export interface OutboxRow {
	id: string;
	partner_id: string;
	code: string;
	event: string;
	channel: "webhook" | "email";
	delivered_at: number | null;
	dead_at: number | null;
	last_outcome: string | null;
	next_attempt_at: number | null;
}

/** Rows that a move left behind, or copies, are not its partner's. */
const LIVES_HERE = "partner_id IN (SELECT partner_id FROM partner_places WHERE state IN ('open', 'frozen'))";
const CODES = `SELECT partner_id, code, batch_id, validated_at, issued_at, certificate_serial, cancelled_at, blocked_at,
	validation_locked_until, validation_blocked_at, claim_locked_until, processing_until, onboarding_until, external_reference_id FROM purchase_codes
	WHERE ${LIVES_HERE}`;
const CERTIFICATES = `SELECT serial, partner_id, code, issued_at, revoked_at, leaves.id IS NOT NULL AS has_leaf
	FROM certificates LEFT JOIN leaves ON leaves.id = leaf_id WHERE ${LIVES_HERE}`;
const AUDIT = `SELECT substr(entity, 6) AS code, action || ' ' || outcome AS what, count(*) AS n FROM audit_events
	WHERE entity GLOB 'code:*' AND ${LIVES_HERE} GROUP BY 1, 2`;
const OUTBOX = `SELECT id, partner_id, code, event, channel, delivered_at, dead_at, last_outcome, next_attempt_at
	FROM outbox WHERE ${LIVES_HERE}`;
const SESSIONS = `SELECT id, partner_id, code, created_at, started_at, until_at, validated_at, completed_at, ended_at,
	end_reason FROM onboarding_sessions WHERE ${LIVES_HERE}`;

export async function takeSnapshot(service: ServiceProcess): Promise<Snapshot> {
	const select = <Row>(sql: string) => service.ask<Row[]>("select", { sql });
	const [codes, certificates, counts, outbox, sessions, evidence, pictures] = await Promise.all([
		select<CodeRow>(CODES),
		select<CertificateRow>(CERTIFICATES),
		select<{ code: string; what: string; n: number }>(AUDIT),
		select<OutboxRow>(OUTBOX),
		select<SessionRow>(SESSIONS),
		select<Stored["evidence"][number]>(`SELECT code, object_key FROM evidence WHERE ${LIVES_HERE}`),
		service.ask<string[]>("pictures", {}),
	]);
	const audit: Snapshot["audit"] = new Map();
	for (const { code, what, n } of counts) {
		const ofCode = audit.get(code) ?? new Map<string, number>();
		audit.set(code, ofCode.set(what, n));
	}
	return {
		...{
			codes: new Map(codes.map((row) => [row.code, row])),
			certificates,
			audit,
			outbox,
			sessions,
			evidence,
		},
		pictures: new Set(pictures),
	};
}
