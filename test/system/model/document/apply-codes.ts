import { authenticate, type Caller, type Reading, unauthorized } from "./authenticate.ts";
import type { BulkCall, CodeName, StatusCall } from "./calls.ts";
import { createCodes } from "./create-codes.ts";
import { badShape, error, made, type Outcome, success, unavailable } from "./expected.ts";
import { fingerprintOf, once } from "./idempotency.ts";
import { isSellable } from "./issue.ts";
import type { Ledger } from "./ledger.ts";
import { type Moment, momentOf } from "./moment.ts";
import type { Rules } from "./rules.ts";
import { codeStatus, listStatus } from "./statuses.ts";

/* POST /pcode/bulk (§4.4) and GET /status (§4.3). */

export function applyBulk(ledger: Ledger, call: BulkCall, now: number, reading: Reading): Outcome {
	const caller = authenticate(ledger, call.key, now, reading);
	if (!caller) return unauthorized(ledger, "bulk");
	const { rules } = reading;
	const problems = bulkProblems(call, rules);
	if (problems.length > 0) return { ledger, expected: badShape("bulk", problems) };
	const fingerprint = fingerprintOf(call);
	const repeatable = { kind: "bulk", partner: caller.id, header: call.idempotency, fingerprint };
	const order = call.fields as { productCode: string; quantity: number };
	return once(ledger, repeatable, now, rules, (known) =>
		create(known, caller, order, momentOf(known, caller.id, now, rules)),
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
	const { ledger: created, batch, names } = createCodes(ledger, { partner: id, product, quantity }, now);
	const data = { batchId: made("batch", batch), pcodes: { $: "made all", what: "code", names } as const };
	return { ledger: created, expected: success("bulk", 201, data) };
}

/** The partner's codes that its quota counts. @param now - by its own clock */
function countedCodes(ledger: Ledger, id: string, now: number, rules: Rules): number {
	const replacements = new Set(Object.values(ledger.codes).map(({ replacedBy }) => replacedBy));
	return Object.entries(ledger.codes).filter(
		([name, { partner, createdAt }]) =>
			partner === id &&
			createdAt > now - rules.quotaWindow &&
			!rules.quotaLeavesOut.includes(listStatus(ledger, name, now, rules)) &&
			(rules.quotaCountsReplacements || !replacements.has(name)),
	).length;
}

export function applyStatus(ledger: Ledger, call: StatusCall, now: number, reading: Reading): Outcome {
	const caller = authenticate(ledger, call.key, now, reading);
	if (!caller) return unauthorized(ledger, "status");
	if (call.code === null) return { ledger, expected: badShape("status", ["p_code"]) };
	const { code: name } = call.code;
	const isOwn = ledger.codes[name]?.partner === caller.id;
	const { now: own } = momentOf(ledger, caller.id, now, reading.rules);
	const status = codeStatus(ledger, isOwn ? name : null, own, reading.rules);
	const data = { p_code: nameOf(call.code), status };
	return { ledger, expected: success(`status ${status}`, 200, data) };
}

/** Canonical, but for a text that no code can be: that comes back as it was sent (0001). */
function nameOf({ code }: CodeName) {
	return made("code", code);
}
