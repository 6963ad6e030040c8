import { DAY_MS } from "../../../../src/domain/durations.ts";
import { authenticate, type Caller, type Reading, unauthorized } from "./authenticate.ts";
import type { ListCall } from "./calls.ts";
import { badShape, made, type Outcome, success, time } from "./expected.ts";
import type { Ledger } from "./ledger.ts";
import { momentOf } from "./moment.ts";
import { isDay } from "./read-fields.ts";
import type { Rules } from "./rules.ts";
import { listStatus } from "./statuses.ts";

/** Decisions, "list statuses". */
export const LIST_STATUSES = [
	"anulado",
	"emitido",
	"bloqueado",
	"en_proceso",
	"validado",
	"expirado",
	"sin_utilizar",
] as const;

const PARAMETERS = [
	"status",
	"page",
	"limit",
	"created_from",
	"created_to",
	"external_reference_id",
	"batch_id",
];

/** GET /pcodes (§4.5). */
export function applyList(ledger: Ledger, { key, query }: ListCall, now: number, reading: Reading): Outcome {
	const caller = authenticate(ledger, key, now, reading);
	if (!caller) return unauthorized(ledger, "list");
	const { rules } = reading;
	const from = query.created_from === undefined ? undefined : readInstant(query.created_from);
	const to = query.created_to === undefined ? undefined : readInstant(query.created_to);
	// Decisions: "from after to: 400". The API reference names created_from; whether it is named among other
	// fields that are wrong, the documents do not say.
	const range = from && to && from.first > to.last ? ["created_from"] : [];
	const problems = [
		...listProblems(query, rules),
		...(from === null ? ["created_from"] : []),
		...(to === null ? ["created_to"] : []),
	];
	if (problems.length > 0) return { ledger, expected: badShape("list", problems, range) };
	if (range.length > 0) return { ledger, expected: badShape("list", range) };
	const [page, limit] = [Number(query.page ?? 1), Number(query.limit ?? rules.pageSize)];
	const found = listCodes(ledger, caller, query, momentOf(ledger, caller.id, now, rules).now, rules);
	const items = found.slice((page - 1) * limit, page * limit);
	const data = { pcodes: items, pagination: { total: found.length, page, limit } };
	const others = Object.keys(query).some((name) => name !== "limit");
	const kind = query.status ? `list of ${query.status}` : others ? "list filtered" : "list";
	return { ledger, expected: success(kind, 200, data) };
}

/** The whole selection of a query that is right. */
function listCodes(
	ledger: Ledger,
	{ id, partner }: Caller,
	query: Record<string, string>,
	now: number,
	rules: Rules,
) {
	const { status, external_reference_id: reference, batch_id: batch } = query;
	const from = query.created_from === undefined ? null : readInstant(query.created_from);
	const to = query.created_to === undefined ? null : readInstant(query.created_to);
	const found = Object.entries(ledger.codes)
		.filter(([, code]) => code.partner === id)
		.filter(([name]) => status === undefined || listStatus(ledger, name, now, rules) === status)
		.filter(([, code]) => reference === undefined || code.reference === reference)
		.filter(([, code]) => batch === undefined || code.batch === batch)
		.filter(([, code]) => !from || code.createdAt >= from.first)
		.filter(([, code]) => !to || code.createdAt <= to.last)
		// Newest first, then by code: the names of a batch are given to its codes in ascending order.
		.sort(([, a], [, b]) => b.createdAt - a.createdAt);
	return found.map(([name]) => item(ledger, name, { partnerName: partner.settings.name, rules, now }));
}

function listProblems(query: Record<string, string>, rules: Rules): string[] {
	const problems = Object.keys(query).filter((name) => !PARAMETERS.includes(name));
	const { status, page = "1", limit = "1" } = query;
	if (status !== undefined && !(LIST_STATUSES as readonly string[]).includes(status)) problems.push("status");
	if (!/^\d+$/.test(page) || Number(page) < 1) problems.push("page");
	if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > rules.pageSizeMaximum)
		problems.push("limit");
	return problems;
}

/** A date (the whole day), or a timestamp, UTC when it has no offset. Epoch milliseconds, both ends included. */
function readInstant(text: string): { first: number; last: number } | null {
	if (!isDay(text.slice(0, 10))) return null;
	if (text.length === 10) {
		const first = Date.parse(`${text}T00:00:00Z`);
		return { first, last: first + DAY_MS - 1 };
	}
	const at = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
	return Number.isNaN(at) ? null : { first: at, last: at };
}

/** §2.1. */
function item(
	ledger: Ledger,
	name: string,
	{ partnerName, rules, now }: { partnerName: string; rules: Rules; now: number },
) {
	const code = ledger.codes[name]!;
	return {
		pcode: made("code", name),
		partnerName,
		category: Object.keys(rules.products).indexOf(code.product),
		status: listStatus(ledger, name, now, rules),
		processing: code.running ? 1 : 0,
		batch_id: made("batch", code.batch),
		external_reference_id: code.reference,
		expires_at: time(code.createdAt + rules.window),
		created_at: time(code.createdAt),
		updated_at: time(code.updatedAt),
	};
}
