import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { RequestOutcome } from "../domain/holder-requests.ts";
import { selectChainEnd } from "./audit-events.ts";
import { batch, type DatabaseDb, type PartnerDb, query, type Statement } from "./query.ts";
import { holderRequests } from "./schema-holder.ts";

/* Requests of holders about their data. Ops read those of every partner; each change names its partner. */

export type RequestRow = typeof holderRequests.$inferSelect;

/** Audit entity of a request: version 1 it was made, version 2 it was answered. */
export function requestEntity(id: string): string {
	return `holder_request:${id}`;
}

export function insertRequest(db: PartnerDb, row: RequestRow): Statement {
	return db.insert(holderRequests).values(row);
}

/** Reads open requests of all partners, the oldest first. */
export function listOpenRequests(db: DatabaseDb, limit: number): Promise<RequestRow[]> {
	return query(
		db
			.select()
			.from(holderRequests)
			.where(isNull(holderRequests.closedAt))
			.orderBy(asc(holderRequests.askedAt))
			.limit(limit),
	);
}

/** Counts open requests of all partners, up to the limit. */
export async function countOpenRequests(db: DatabaseDb, limit: number): Promise<number> {
	const { open } = await batch(db, {
		open: sql<{ n: number }>`SELECT count(*) AS n FROM
			(SELECT 1 FROM holder_requests WHERE closed_at IS NULL LIMIT ${limit})`,
	});
	return open[0]!.n;
}

/** Finds a request with the end of its audit chain. */
export async function findRequest(db: DatabaseDb, id: string) {
	const { rows, end } = await batch(db, {
		rows: db.select().from(holderRequests).where(eq(holderRequests.id, id)),
		end: selectChainEnd(db, requestEntity(id)),
	});
	return rows[0] && end[0] ? { request: rows[0], end: end[0] } : null;
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
