import { beforeAll, expect, test } from "vitest";
import { delayingAt, failingAt, failingFrom } from "../../../../support/failing-db.ts";
import { select } from "../../../../support/look-inside.ts";
import { withinOneMinute } from "../../../../support/one-minute.ts";
import { refusal } from "../../../../support/refusal.ts";
import { freshService, ops, Partner } from "../../../../support/service.ts";

const BULK = "/api/partner/v1/pcode/bulk";
const CODE = /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/;

beforeAll(freshService);

test('§4.4 batch created (decision "bulk success": 201): batchId and five hundred distinct codes of the decided form, nothing else', {
	tags: ["bulk-answer", "list-batch-id", "bulk-code-form"],
}, async () => {
	const partner = await Partner.create();
	const { status, body, headers } = await partner.bulk(500, "FV02");
	expect([status, headers.get("content-type")]).toEqual([201, "application/json"]);
	const { batchId, pcodes } = body.data;
	expect(body).toEqual({ success: true, data: { batchId: expect.stringMatching(/./), pcodes } });
	expect(new Set(pcodes).size).toBe(500);
	expect(pcodes.filter((code: string) => !CODE.test(code))).toEqual([]);

	const { data } = (await partner.list(`?batch_id=${batchId}&limit=500`)).body;
	expect(data.pagination.total).toBe(500);
	expect(data.pcodes.map((item: { pcode: string }) => item.pcode)).toEqual(pcodes);
	expect(data.pcodes.every((item: { batch_id: string }) => item.batch_id === batchId)).toBe(true);
});

test("§4.4 a quantity or a productCode that is none, or missing, is 400 naming it, and makes nothing, whatever the partner may make", {
	tags: [
		"bulk-quantity",
		"bulk-quantity-invalid",
		"bulk-product",
		"bulk-unknown-product",
		"bulk-required-fields",
	],
}, async () => {
	const partner = await Partner.create({ allowed_products: [] });
	const refused = async (body: string, ...fields: string[]) => {
		const { status, body: answer } = await partner.post(BULK, body);
		const named = answer.details.map((detail: { field: string }) => detail.field);
		expect([body, status, named]).toEqual([body, 400, fields]);
	};
	const big = ["501", "1e999", "1e21", "9007199254740993"];
	for (const quantity of ["0", "-0", "-1", "1.5", ...big, "1e-5", "null", "true", '"1"', "[1]"])
		await refused(`{"productCode":"FV01","quantity":${quantity}}`, "quantity");
	for (const productCode of ["FV04", "fv01", "FV1", " FV01", "", null, 1, ["FV01"], {}, "__proto__"])
		await refused(JSON.stringify({ productCode, quantity: 1 }), "productCode");
	await partner.change({ allowed_products: ["FV01"] });
	await refused("{}", "productCode", "quantity");
	expect((await partner.list()).body.data.pagination.total).toBe(0);
	expect((await partner.bulk(1)).status).toBe(201);
});

test("§4.4 each product is made when it is enabled for the partner", {
	tags: ["bulk-product-enabled", "list-category"],
}, async () => {
	for (const [category, product] of (["FV00", "FV01", "FV02", "FV03"] as const).entries()) {
		const partner = await Partner.create({ allowed_products: [product] });
		expect((await partner.listed(await partner.code(product))).category).toBe(category);
	}
});

test("§2.7 allowed_products of the moment decide: any other product is 403, and nothing is made", {
	tags: ["bulk-product-not-enabled", "bulk-allowed-products"],
}, async () => {
	const partner = await Partner.create({ allowed_products: ["FV01"] });
	const answer = await partner.bulk(5, "FV02");
	expect(refusal(answer)).toEqual([403, "PRODUCT_NOT_ENABLED"]);
	expect(Object.keys(answer.body)).toEqual(["success", "error", "message"]);
	expect(await select("SELECT id FROM batches WHERE partner_id = ?", partner.id)).toEqual([]);
	const statuses: number[] = [];
	for (const allowed_products of [["FV02"], ["FV00"], [], ["FV02", "FV01"]]) {
		await partner.change({ allowed_products });
		statuses.push((await partner.bulk(1, "FV02")).status);
	}
	expect(statuses).toEqual([201, 403, 403, 201]);
});

test('decision "bulk rejections": the 31st call of a minute is 429, for this partner alone; malformed calls count', {
	tags: ["bulk-rate", "bulk-rate-before-shape"],
}, async () => {
	const { partner, admitted, refused, other } = await withinOneMinute(async () => {
		const [partner, stranger] = [await Partner.create(), await Partner.create()];
		const admitted: number[] = [];
		for (let i = 0; i < 30; i++) admitted.push((await partner.bulk(i % 2)).status);
		return { partner, admitted, refused: await partner.bulk(0), other: await stranger.bulk(1) };
	});
	expect(admitted).toEqual(Array(15).fill([400, 201]).flat());
	expect(refusal(refused)).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
	expect((await partner.list()).body.data.pagination.total).toBe(15);
	expect(other.status).toBe(201);
});

test("the batch leaves one audit row, whose actor is the key that created it", async () => {
	const partner = await Partner.create();
	const { body } = await partner.bulk(7, "FV02", { "x-request-id": "bulk-audit-1" });
	const entity = `batch:${body.data.batchId}`;
	const [row, ...others] = await select("SELECT * FROM audit_events WHERE entity = ?", entity);
	expect(others).toEqual([]);
	expect(row).toMatchObject({
		version: 1,
		partner_id: partner.id,
		action: "created",
		outcome: "7 FV02",
		request_id: "bulk-audit-1",
		actor: expect.stringMatching(/^partner:key_/),
	});
});

/** One whose key the cache knows, so that the bulk's own is the first round trip. */
async function knownPartner(): Promise<Partner> {
	const partner = await Partner.create();
	await partner.list();
	return partner;
}

test("a bulk whose commit arrived and whose answer D1 lost tells its batch: the service asks", async () => {
	const partner = await knownPartner();
	const { status, body } = await failingAt(1, "arrives", () => partner.bulk(3));
	expect(status).toBe(201);
	const { data } = (await partner.list(`?batch_id=${body.data.batchId}`)).body;
	expect(data.pcodes.map(({ pcode }: { pcode: string }) => pcode).sort()).toEqual(
		body.data.pcodes.toSorted(),
	);
});

test("decisions, 503: a bulk that D1 lost has changed nothing, not even by a commit that arrives late", async () => {
	const partner = await knownPartner();
	const { answer, arriveLate } = await delayingAt(1, () => partner.bulk(3));
	expect(answer.status).toBe(503);
	await expect(arriveLate()).rejects.toThrow("UNIQUE constraint failed");
	expect((await partner.list()).body.data.pagination.total).toBe(0);
	expect((await partner.bulk(2)).status).toBe(201);
	const { body } = await ops("POST", "/audit/verify", {});
	expect(body.data.faults).toEqual([]);
});

test("decisions, 503: a bulk that nobody could ask D1 about may have happened; the same Idempotency-Key tells", async () => {
	const partner = await knownPartner();
	const order = (language: string) =>
		partner.bulk(3, "FV01", { "Idempotency-Key": "order-1", "Accept-Language": language });
	const lost = await failingFrom(1, "arrives", () => order("en"));
	expect(refusal(lost)).toEqual([503, "SERVICE_UNAVAILABLE"]);
	expect(lost.body.message).toMatch(
		/may have happened\..* if you sent an Idempotency-Key, repeat with the same one/,
	);
	expect((await failingFrom(1, "is lost", () => order("es"))).body.message).toMatch(/puede haberse hecho/);
	expect((await order("en")).status).toBe(201);
	expect((await partner.list()).body.data.pagination.total).toBe(3);
});
