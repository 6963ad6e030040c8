import { isSellable } from "./apply-claim.ts";
import { authenticate, type Caller, type Moment, momentOf, unauthorized } from "./authenticate.ts";
import type { BulkCall, CodeName, ListCall, StatusCall } from "./calls.ts";
import { badShape, error, made, type Outcome, success, time, unavailable } from "./expected.ts";
import { post } from "./idempotency.ts";
import { type CodeState, type Ledger, NO_ATTEMPTS, nextName } from "./ledger.ts";
import type { Rules } from "./rules.ts";
import { codeStatus, listStatus } from "./statuses.ts";

/* POST /pcode/bulk (§4.4), GET /status (§4.3) and GET /pcodes (§4.5), whose filters plain tests have. */

export function applyBulk(ledger: Ledger, call: BulkCall, now: number, rules: Rules): Outcome {
	const order = call.fields as { productCode: string; quantity: number };
	return post(
		ledger,
		call,
		{ now, rules },
		(known, caller, moment) => create(known, caller, order, moment),
		bulkProblems(call, rules),
	);
}

function bulkProblems({ fields }: BulkCall, rules: Rules): string[] {
	const { productCode, quantity, ...unknown } = fields;
	const isQuantity =
		Number.isInteger(quantity) && Number(quantity) >= 1 && Number(quantity) <= rules.bulkMaximum;
	return [
		...Object.keys(unknown),
		...(typeof productCode === "string" && productCode in rules.products ? [] : ["productCode"]),
		...(isQuantity ? [] : ["quantity"]),
	];
}

function create(
	ledger: Ledger,
	{ id, partner }: Caller,
	{ productCode: product, quantity }: { productCode: string; quantity: number },
	{ now, at, rules }: Moment,
): Outcome {
	if (!partner.settings.allowed_products.includes(product))
		return { ledger, expected: error("bulk", "PRODUCT_NOT_ENABLED") };
	if (!isSellable(ledger, product, at, rules))
		return { ledger, expected: unavailable("bulk", "beyond the authority") };
	if (countedCodes(ledger, id, now, rules) + quantity > partner.settings.max_codes_14_days)
		return { ledger, expected: error("bulk", "CODE_QUOTA_EXCEEDED") };
	// Two batches of a partner are never of the same millisecond (0001).
	const latest = Object.values(ledger.batches)
		.filter((other) => other.partner === id)
		.at(-1);
	const createdAt = Math.max(now, (latest?.createdAt ?? 0) + 1);
	const batch = nextName("b", ledger, "batches");
	const code: CodeState = {
		partner: id,
		batch,
		product,
		createdAt,
		updatedAt: createdAt,
		reference: null,
		validation: null,
		certificate: null,
		cancelledAt: null,
		blockedAt: null,
		requestLockedUntil: null,
		claimLockedUntil: null,
		requestBlockedAt: null,
		validationAttempts: NO_ATTEMPTS,
		claimAttempts: NO_ATTEMPTS,
		running: null,
		forgotten: null,
	};
	const codes = { ...ledger.codes };
	const names = Array.from({ length: quantity }, () => {
		const name = nextName("c", { ...ledger, codes }, "codes");
		codes[name] = code;
		return name;
	});
	const batches = { ...ledger.batches, [batch]: { partner: id, createdAt } };
	const data = { batchId: made("batch", batch), pcodes: { $: "made all", what: "code", names } as const };
	return { ledger: { ...ledger, codes, batches }, expected: success("bulk", 201, data) };
}

/** The partner's codes that its quota counts. @param now - by its own clock */
function countedCodes(ledger: Ledger, id: string, now: number, rules: Rules): number {
	return Object.entries(ledger.codes).filter(
		([name, { partner, createdAt }]) =>
			partner === id &&
			createdAt > now - rules.quotaWindow &&
			!rules.quotaLeavesOut.includes(listStatus(ledger, name, now, rules)),
	).length;
}

export function applyStatus(ledger: Ledger, call: StatusCall, now: number, rules: Rules): Outcome {
	const caller = authenticate(ledger, call.key);
	if (!caller) return unauthorized(ledger, "status");
	if (call.code === null) return { ledger, expected: badShape("status", ["p_code"]) };
	const { code: name } = call.code;
	const isOwn = ledger.codes[name]?.partner === caller.id;
	const { now: own } = momentOf(ledger, caller.id, now, rules);
	const status = codeStatus(ledger, isOwn ? name : null, own, rules);
	const data = { p_code: nameOf(call.code), status };
	return { ledger, expected: success(`status ${status}`, 200, data) };
}

/** Canonical, but for a text that no code can be: that comes back as it was sent (0001). */
function nameOf({ code }: CodeName) {
	return made("code", code);
}

/** The whole list on one page, newest first: the names of a batch are given to its codes in ascending order. */
export function applyList(ledger: Ledger, { key }: ListCall, now: number, rules: Rules): Outcome {
	const caller = authenticate(ledger, key);
	if (!caller) return unauthorized(ledger, "list");
	const { now: own } = momentOf(ledger, caller.id, now, rules);
	const pcodes = Object.entries(ledger.codes)
		.filter(([, { partner }]) => partner === caller.id)
		.sort(([, a], [, b]) => b.createdAt - a.createdAt)
		.map(([name, code]) => ({
			pcode: made("code", name),
			partnerName: caller.partner.settings.name,
			category: Object.keys(rules.products).indexOf(code.product),
			status: listStatus(ledger, name, own, rules),
			processing: code.running ? 1 : 0,
			batch_id: made("batch", code.batch),
			external_reference_id: code.reference,
			expires_at: time(code.createdAt + rules.window),
			created_at: time(code.createdAt),
			updated_at: time(code.updatedAt),
		}));
	const pagination = { total: pcodes.length, page: 1, limit: 500 };
	return { ledger, expected: success("list", 200, { pcodes, pagination }) };
}
