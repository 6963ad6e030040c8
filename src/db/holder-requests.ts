import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { OPEN_REQUESTS_MAX, type RequestOutcome } from "../domain/holder-requests.ts";
import { selectChainEnd } from "./audit-events.ts";
import { HOLDER_COLUMNS } from "./holders.ts";
import { clockOffsetOf } from "./partner-clocks.ts";
import {
	batch,
	ConstraintViolated,
	type DatabaseDb,
	LIVES_HERE,
	livesHere,
	named,
	type PartnerDb,
	query,
	type Statement,
} from "./query.ts";
import { holderRequests, holders } from "./schema-holder.ts";

/* Requests of holders about their data. Ops read those of every partner; each change names its partner. */

export type RequestRow = typeof holderRequests.$inferSelect;

/** Audit entity of a request: version 1 it was made, version 2 it was answered. */
export function requestEntity(id: string): string {
	return `holder_request:${id}`;
}

/** Fails its batch, as `isRequestRefused` tells, where the code's holder was erased or `OPEN_REQUESTS_MAX` of its requests wait. */
export function insertRequest(db: PartnerDb, row: RequestRow): Statement {
	const { partnerId, code, detailSealed } = row;
	const isAdmitted = sql`EXISTS (SELECT 1 FROM holders WHERE partner_id = ${partnerId} AND code = ${code})
		AND (SELECT count(*) FROM holder_requests
			WHERE partner_id = ${partnerId} AND code = ${code} AND closed_at IS NULL) < ${OPEN_REQUESTS_MAX}`;
	return db
		.insert(holderRequests)
		.values({ ...row, detailSealed: sql`CASE WHEN ${isAdmitted} THEN ${detailSealed} END` });
}

export function isRequestRefused(error: unknown): boolean {
	return error instanceof ConstraintViolated && error.constraint === "holder_requests.detail_sealed";
}

/** Open requests of all partners' holders that one answer shows, and up to which they are counted. */
export const REQUESTS_SHOWN = 100;

/** Reads open requests of a database's partners, the oldest first, which have to be answered first. */
export function listOpenRequests(db: DatabaseDb): Promise<RequestRow[]> {
	return query(
		db
			.select()
			.from(holderRequests)
			.where(and(isNull(holderRequests.closedAt), livesHere(holderRequests.partnerId)))
			.orderBy(asc(holderRequests.askedAt))
			.limit(REQUESTS_SHOWN),
	);
}

/** Requests that nobody has answered. */
export interface OpenRequests {
	/** At most `REQUESTS_SHOWN`. */
	n: number;
	/** Epoch milliseconds; null for none. */
	oldest: number | null;
}

/** Counts open requests of a database's partners. */
export const COUNT_OPEN_REQUESTS = named<OpenRequests>(
	`SELECT count(*) AS n, min(asked_at) AS oldest FROM
		(SELECT asked_at FROM holder_requests WHERE closed_at IS NULL AND ${LIVES_HERE} ORDER BY asked_at LIMIT ${REQUESTS_SHOWN})`,
	{},
);

export async function countOpenRequests(db: DatabaseDb): Promise<number> {
	const { open } = await batch(db, { open: COUNT_OPEN_REQUESTS });
	return open[0]!.n;
}

/** Finds a request with its holder, its partner's clock and the end of its audit chain. */
export async function findRequest(db: DatabaseDb, id: string) {
	const { rows, end } = await batch(db, {
		rows: db
			.select({
				request: holderRequests,
				holder: HOLDER_COLUMNS,
				clockOffset: clockOffsetOf(holderRequests.partnerId),
			})
			.from(holderRequests)
			.leftJoin(
				holders,
				and(eq(holders.partnerId, holderRequests.partnerId), eq(holders.code, holderRequests.code)),
			)
			.where(and(eq(holderRequests.id, id), livesHere(holderRequests.partnerId))),
		end: selectChainEnd(db, requestEntity(id)),
	});
	return rows[0] && end[0] ? { ...rows[0], end: end[0] } : null;
}

/** Notes the answer of a request. */
export function closeRequest(
	db: PartnerDb,
	{ id, partnerId }: Pick<RequestRow, "id" | "partnerId">,
	set: { closedAt: number; outcome: RequestOutcome; answerSealed: string },
): Statement {
	return db
		.update(holderRequests)
		.set(set)
		.where(and(eq(holderRequests.id, id), eq(holderRequests.partnerId, partnerId)));
}

/** Deletes the requests about a code. */
export function deleteRequestsOf(db: PartnerDb, partnerId: string, code: string): Statement {
	return db
		.delete(holderRequests)
		.where(and(eq(holderRequests.partnerId, partnerId), eq(holderRequests.code, code)));
}
