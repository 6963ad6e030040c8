import type { AuditAction } from "../domain/audit-actions.ts";
import { HOUR_MS } from "../domain/durations.ts";
import { COUNT_OPEN_REQUESTS, type OpenRequests } from "./holder-requests.ts";
import { batch, type DatabaseDb, LIVES_HERE, named, PARTNER_LIVES_HERE } from "./query.ts";

/* Written by hand: drizzle has neither WITH RECURSIVE nor INDEXED BY. */

export const OPS_OVERVIEW = {
	hours: 24,
	/** Counts of an hour end here. */
	hourCap: 500,
	/** Failed deliveries are counted up to here. */
	deadCap: 500,
	auditShown: 8,
} as const;

/** Counts of an hour, each at most `hourCap`. */
export interface Hour {
	/** Deliveries created. */
	created: number;
	/** Deliveries that failed for good. */
	dead: number;
	/** Runs of jobs that changed something. */
	runs: number;
}

export interface LatestChange {
	entity: string;
	version: number;
	/** Epoch milliseconds. */
	at: number;
	actor: string;
	action: AuditAction;
}

export interface OpsOverview {
	/** The oldest first. */
	hours: Hour[];
	dead: number;
	requests: OpenRequests;
	latest: LatestChange[];
}

const inHour = (rows: string, time: string) => `(SELECT count(*) FROM (SELECT 1 FROM ${rows}
	AND ${time} > :now - (ago + 1) * ${HOUR_MS} AND ${time} <= :now - ago * ${HOUR_MS} LIMIT ${OPS_OVERVIEW.hourCap}))`;

const STATEMENTS = {
	hours: `WITH RECURSIVE hours (ago) AS (SELECT 0 UNION ALL SELECT ago + 1 FROM hours WHERE ago < ${OPS_OVERVIEW.hours - 1})
		SELECT ${inHour(`outbox INDEXED BY outbox_created WHERE ${LIVES_HERE}`, "created_at")} AS created,
			${inHour(`outbox INDEXED BY outbox_dead WHERE dead_at IS NOT NULL AND ${LIVES_HERE}`, "dead_at")} AS dead,
			${inHour("audit_events INDEXED BY audit_events_partner WHERE partner_id = '' AND entity LIKE 'upkeep:%'", "at")} AS runs
		FROM hours ORDER BY ago DESC`,
	dead: `SELECT count(*) AS n FROM (SELECT 1 FROM outbox INDEXED BY outbox_dead
		WHERE dead_at IS NOT NULL AND ${LIVES_HERE} LIMIT ${OPS_OVERVIEW.deadCap + 1})`,
	/* The newest of those partners whose latest change is the newest: no index has the audit by time alone. */
	latest: `WITH newest AS MATERIALIZED (SELECT id,
			(SELECT max(at) FROM audit_events INDEXED BY audit_events_partner WHERE partner_id = owners.id) AS at
			FROM (SELECT id FROM partners WHERE ${PARTNER_LIVES_HERE} UNION ALL SELECT '') AS owners ORDER BY at DESC LIMIT :shown + 0)
		SELECT value ->> 'entity' AS entity, value ->> 'version' AS version, value ->> 'at' AS at,
			value ->> 'actor' AS actor, value ->> 'action' AS action
		FROM newest CROSS JOIN json_each((
			SELECT json_group_array(json_object('entity', entity, 'version', version, 'at', at, 'actor', actor, 'action', action))
			FROM (SELECT * FROM audit_events INDEXED BY audit_events_partner
				WHERE partner_id = newest.id ORDER BY audit_events.at DESC LIMIT :shown + 0)))
		ORDER BY 3 DESC LIMIT :shown + 0`,
};

/**
 * Reads the deliveries and jobs of the last hours, the failed deliveries, the open requests of holders, and the latest changes of all
 * partners in one round trip, with a few rows for each partner and hour.
 * @throws {Unavailable}
 */
export async function readOpsOverview(db: DatabaseDb, now: number): Promise<OpsOverview> {
	const { hours, dead, requests, latest } = await batch(db, {
		hours: named<Hour>(STATEMENTS.hours, { now }),
		dead: named<{ n: number }>(STATEMENTS.dead, {}),
		requests: COUNT_OPEN_REQUESTS,
		latest: named<LatestChange>(STATEMENTS.latest, { shown: OPS_OVERVIEW.auditShown }),
	});
	return { hours, dead: dead[0]!.n, requests: requests[0]!, latest };
}
