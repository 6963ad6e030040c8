import { appendAudit, lostAuditRace, nextAuditRow } from "../db/audit-events.ts";
import {
	closeRequest,
	countOpenRequests,
	findRequest,
	insertRequest,
	listOpenRequests,
	type RequestRow,
	requestEntity,
} from "../db/holder-requests.ts";
import { batch } from "../db/query.ts";
import type { FoundCode } from "../db/schema-holder.ts";
import { auditEvents } from "../db/schema-operations.ts";
import { askAll, findInOne, partnerDb } from "../directory.ts";
import type { RequestKind, RequestOutcome } from "../domain/holder-requests.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { presentRequest, type ShownRequest } from "../wire/holder-data.ts";
import { type Caller, originOf } from "./caller.ts";

/** Opens what the holder and ops wrote. */
export async function openRequest(sealer: Sealer, row: RequestRow): Promise<ShownRequest> {
	const open = (column: string, sealed: string) => sealer.openText(sealed, placeOf(row.id, column));
	return presentRequest(row, {
		detail: await open("detail_sealed", row.detailSealed),
		answer: row.answerSealed && (await open("answer_sealed", row.answerSealed)),
	});
}

/** Records a request of a holder about one of its codes, for ops; the audit names neither the person nor the text. */
export async function makeRequest(
	caller: Caller,
	[partnerId, code]: FoundCode,
	{ kind, detail }: { kind: RequestKind; detail: string },
): Promise<void> {
	const { sealer } = caller.platform;
	const db = await partnerDb(caller.platform, partnerId);
	const id = `hr_${crypto.randomUUID().replaceAll("-", "")}`;
	const row: RequestRow = {
		...{ id, partnerId, code, kind, askedAt: caller.at, closedAt: null, outcome: null, answerSealed: null },
		detailSealed: await sealer.seal(detail, placeOf(id, "detail_sealed")),
	};
	const what = {
		entity: requestEntity(id),
		partnerId,
		action: "holder_request_made" as const,
		outcome: kind,
	};
	await appendAudit(db, what, originOf(caller), [insertRequest(db, row)], null);
}

/** Open requests of all partners' holders that one answer shows. */
const REQUESTS_SHOWN = 100;

/** The oldest open requests, which have to be answered first. */
export async function openRequests({ platform }: Caller): Promise<ShownRequest[]> {
	const each = await askAll(platform, ({ db }) => listOpenRequests(db, REQUESTS_SHOWN));
	const rows = each.flat().toSorted((a, b) => a.askedAt - b.askedAt);
	return Promise.all(rows.slice(0, REQUESTS_SHOWN).map((row) => openRequest(platform.sealer, row)));
}

/** Counts open requests of all partners, up to those that are shown. */
export async function countRequests({ platform }: Pick<Caller, "platform">): Promise<number> {
	const each = await askAll(platform, ({ db }) => countOpenRequests(db, REQUESTS_SHOWN));
	return Math.min(
		REQUESTS_SHOWN,
		each.reduce((sum, open) => sum + open, 0),
	);
}

/** Answers a request, once. `not_found`: there is none, or it was answered before. */
export async function answerRequest(
	caller: Caller,
	id: string,
	{ outcome, answer }: { outcome: RequestOutcome; answer: string },
): Promise<{ kind: "done"; request: ShownRequest } | { kind: "refused"; reason: "not_found" }> {
	const { platform } = caller;
	const { sealer } = platform;
	const found = await findInOne(platform, ({ db }) => findRequest(db, id));
	if (!found || found.request.closedAt !== null) return { kind: "refused", reason: "not_found" };
	const { request, end } = found;
	const db = await partnerDb(platform, request.partnerId);
	const set = {
		closedAt: caller.at,
		outcome,
		answerSealed: await sealer.seal(answer, placeOf(id, "answer_sealed")),
	};
	const what = {
		...{ entity: requestEntity(id), partnerId: request.partnerId },
		...{ action: "holder_request_closed" as const, outcome },
	};
	const row = await nextAuditRow(db, what, originOf(caller), end);
	try {
		await batch(db, { audit: db.insert(auditEvents).values(row), request: closeRequest(db, request, set) });
	} catch (error) {
		if (lostAuditRace(error)) return { kind: "refused", reason: "not_found" };
		throw error;
	}
	return { kind: "done", request: await openRequest(sealer, { ...request, ...set }) };
}

function placeOf(row: string, column: string) {
	return { table: "holder_requests", row, column };
}
