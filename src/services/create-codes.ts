import { createBatch, findEarlierBatch } from "../db/batches.ts";
import type { IdempotencyMark } from "../db/idempotency-keys.ts";
import type { PartnerDb } from "../db/query.ts";
import { isSellable } from "../domain/certificate-dates.ts";
import { CODE_BYTES, formatCode } from "../domain/code-form.ts";
import type { ProductCode } from "../domain/products.ts";
import type { PartnerCaller } from "./caller.ts";

export interface Order {
	productCode: ProductCode;
	quantity: number;
	idempotency: IdempotencyMark | null;
}

export type Made =
	| { kind: "made"; batchId: string; codes: string[]; repeated: boolean }
	| {
			kind: "rejected";
			rejection: {
				reason:
					| "service_unavailable"
					| "product_not_enabled"
					| "code_quota_exceeded"
					| "unauthorized"
					| "idempotency_mismatch"
					| "idempotency_in_progress";
			};
	  };

/** Creates a batch of codes, or finds the one that an earlier call with the same Idempotency-Key made. */
export async function createCodes(caller: PartnerCaller, order: Order): Promise<Made> {
	const { platform, db, partnerId, actor, requestId, at: now } = caller;
	const { authority } = platform;
	const { productCode: product, quantity, idempotency } = order;
	const call = { partnerId, actor, requestId, idempotency };
	const id = `bt_${crypto.randomUUID().replaceAll("-", "")}`;
	const codes = newCodes(quantity);
	const sellable = isSellable(product, now, authority);
	const creation = await createBatch(db, { ...call, id, product, sellable, codes, now });
	switch (creation.kind) {
		case "created":
			return { kind: "made", batchId: id, codes, repeated: false };
		case "key_used":
			return repeat(db, order.idempotency!, now);
		case "not_sellable":
			return { kind: "rejected", rejection: { reason: "service_unavailable" } };
		case "product_not_enabled":
		case "code_quota_exceeded":
		case "unauthorized":
			return { kind: "rejected", rejection: { reason: creation.kind } };
	}
}

/** Different codes in the order of the list: newest batch first, then by code. */
function newCodes(quantity: number): string[] {
	const codes = new Set<string>();
	while (codes.size < quantity) codes.add(formatCode(crypto.getRandomValues(new Uint8Array(CODE_BYTES))));
	return [...codes].sort();
}

/** The first call's answer again, from the db: nothing in it is secret from its partner. */
async function repeat(db: PartnerDb, earlierCall: IdempotencyMark, now: number): Promise<Made> {
	const earlier = await findEarlierBatch(db, earlierCall, now);
	if (earlier.kind === "found") return { ...earlier, kind: "made", repeated: true };
	const reason = earlier.kind === "mismatch" ? "idempotency_mismatch" : "idempotency_in_progress";
	return { kind: "rejected", rejection: { reason } };
}
