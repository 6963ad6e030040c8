import { appendAudit, lostAuditRace, nextAuditRow } from "../db/audit-events.ts";
import {
	closeRequest,
	countOpenRequests,
	findRequest,
	insertRequest,
	isRequestRefused,
	listOpenRequests,
	REQUESTS_SHOWN,
	type RequestRow,
	requestEntity,
} from "../db/holder-requests.ts";
import { openHolder, type SealedHolder } from "../db/holders.ts";
import { insertDeliveries, type NewDelivery } from "../db/outbox.ts";
import { batch } from "../db/query.ts";
import type { FoundCode } from "../db/schema-holder.ts";
import { auditEvents } from "../db/schema-operations.ts";
import { holderDelivery } from "../delivery/outbox.ts";
import { enqueue } from "../delivery/queue.ts";
import { askEach, findInOne, homeOf, partnerDb } from "../directory.ts";
import type { RequestKind, RequestOutcome } from "../domain/holder-requests.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { presentRequest, type ShownRequest } from "../wire/holder-data.ts";
import { type Caller, onBehalfOf, originOf, type PartnerCaller } from "./caller.ts";
import { openRow } from "./open-row.ts";

/** Opens what the holder and ops wrote; null for what does not open. */
export async function openRequest(sealer: Sealer, row: RequestRow): Promise<ShownRequest> {
	const open = (column: string, sealed: string) =>
		openRow("holder_requests", row.id, sealer.openText(sealed, placeOf(row.id, column)));
	return presentRequest(row, {
		detail: await open("detail_sealed", row.detailSealed),
		answer: row.answerSealed && (await open("answer_sealed", row.answerSealed)),
	});
}

/**
 * Records a request of a holder about one of its codes, for ops; the audit names neither the person nor the text.
 * @returns `refused`: the holder was erased, or as many requests as may be open wait for their answer
 */
export async function makeRequest(
	caller: Caller,
	[partnerId, code]: FoundCode,
	{ kind, detail }: { kind: RequestKind; detail: string },
): Promise<{ kind: "done" | "refused" }> {
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
	try {
		await appendAudit(db, what, originOf(caller), [insertRequest(db, row)], null);
	} catch (error) {
		if (isRequestRefused(error)) return { kind: "refused" };
		throw error;
	}
	return { kind: "done" };
}

/** The oldest open requests, and the numbers of databases that did not answer. */
export async function openRequests({
	platform,
}: Caller): Promise<{ requests: ShownRequest[]; silent: number[] }> {
	const { answers, silent } = await askEach(platform, ({ db }) => listOpenRequests(db));
	const rows = answers.flat().toSorted((a, b) => a.askedAt - b.askedAt);
	const shown = rows.slice(0, REQUESTS_SHOWN).map((row) => openRequest(platform.sealer, row));
	return { requests: await Promise.all(shown), silent };
}

/** Counts open requests of all partners, up to those that are shown. */
export async function countRequests({ platform }: Pick<Caller, "platform">): Promise<number> {
	const { answers } = await askEach(platform, ({ db }) => countOpenRequests(db));
	return Math.min(
		REQUESTS_SHOWN,
		answers.reduce((sum, open) => sum + open, 0),
	);
}

/** Answers a request, once, and tells the holder by e-mail that there is an answer. `not_found`: there is none, or it was answered before. */
export async function answerRequest(
	caller: Caller,
	id: string,
	{ outcome, answer }: { outcome: RequestOutcome; answer: string },
): Promise<{ kind: "done"; request: ShownRequest } | { kind: "refused"; reason: "not_found" }> {
	const { platform } = caller;
	const { sealer } = platform;
	const found = await findInOne(platform, ({ db }) => findRequest(db, id));
	if (!found || found.request.closedAt !== null) return { kind: "refused", reason: "not_found" };
	const { request, holder, end } = found;
	const home = await homeOf(platform, request.partnerId);
	const { db } = home;
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
	const told = holder ? await tellAnswered(onBehalfOf(caller, home, found), request, holder, outcome) : [];
	try {
		await batch(db, {
			audit: db.insert(auditEvents).values(row),
			request: closeRequest(db, request, set),
			told: told.length > 0 ? [insertDeliveries(db, told)] : [],
		});
	} catch (error) {
		if (lostAuditRace(error)) return { kind: "refused", reason: "not_found" };
		throw error;
	}
	caller.later(
		enqueue(
			platform,
			request.partnerId,
			told.map(({ id }) => id),
		),
	);
	return { kind: "done", request: await openRequest(sealer, { ...request, ...set }) };
}

/** The message to a request's holder, without the answer; none to one that cannot be opened. */
async function tellAnswered(
	{ platform: { sealer }, now }: PartnerCaller,
	{ partnerId, code, kind, askedAt }: RequestRow,
	sealed: SealedHolder,
	outcome: RequestOutcome,
): Promise<NewDelivery[]> {
	const holder = await openRow("holders", code, openHolder(sealer, code, sealed));
	if (holder === null) return [];
	const { email: address, fullName, language } = holder;
	const notice = { language, fullName, code, kind, askedAt, outcome };
	return [await holderDelivery(sealer, "holder.answered", notice, { partnerId, code, address, now })];
}

function placeOf(row: string, column: string) {
	return { table: "holder_requests", row, column };
}
