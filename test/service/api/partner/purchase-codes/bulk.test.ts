import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { delayingAt, failingAt, failingFrom } from "../../../../support/failing-db.ts";
import { withinOneMinute } from "../../../../support/one-minute.ts";
import { invalid, refusal } from "../../../../support/refusal.ts";
import { freshService, ops, Partner } from "../../../../support/service.ts";

const BULK = "/api/partner/v1/pcode/bulk";
const CODE = /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/;

beforeAll(freshService);

test('§4.4 batch created (decision "bulk success": 201): batchId and the codes, nothing else', {
	tags: ["bulk-answer"],
}, async () => {
	const partner = await Partner.create();
	const { status, body, headers } = await partner.bulk(3, "FV02");
	expect(status).toBe(201);
	expect(Object.keys(body)).toEqual(["success", "data"]);
	expect(Object.keys(body.data)).toEqual(["batchId", "pcodes"]);
	expect(body.success).toBe(true);
	expect(body.data.batchId).toEqual(expect.any(String));
	expect(body.data.batchId).not.toBe("");
	expect(body.data.pcodes).toHaveLength(3);
	expect(headers.get("content-type")).toContain("application/json");
});

test("§8 quantity 500: five hundred distinct codes of the decided form, all of one batch", {
	tags: ["list-batch-id", "bulk-code-form"],
}, async () => {
	const partner = await Partner.create();
	const { status, body } = await partner.bulk(500);
	expect(status).toBe(201);
	const codes: string[] = body.data.pcodes;
	expect(new Set(codes).size).toBe(500);
	expect(codes.filter((code) => !CODE.test(code))).toEqual([]);

	const { data } = (await partner.list(`?batch_id=${body.data.batchId}&limit=500`)).body;
	expect(data.pagination.total).toBe(500);
	expect(data.pcodes.map((item: { pcode: string }) => item.pcode)).toEqual(codes);
	expect(new Set(data.pcodes.map((item: { batch_id: string }) => item.batch_id))).toEqual(
		new Set([body.data.batchId]),
	);
});

test("§8 quantity 1 to 500 inclusive: the bounds are accepted, their neighbours are 400", {
	tags: ["bulk-quantity"],
}, async () => {
	const partner = await Partner.create();
	const answers = [];
	for (const quantity of [0, 1, 500, 501]) answers.push((await partner.bulk(quantity)).status);
	expect(answers).toEqual([400, 201, 201, 400]);
});

test.for([
	...[
		"-0",
		"-1",
		"1.5",
		"1e308",
		"1e999",
		"-1e999",
		"1e21",
		"9007199254740993",
		"1e-5",
		"null",
		"true",
		"{}",
	],
	...['"1"', '"3"', '"٣"', '""', "[1]", '"1; DROP TABLE batches"'],
])("§7 quantity invalid, %s: 400 naming it", { tags: ["bulk-quantity-invalid"] }, async (quantity) => {
	const partner = await Partner.create();
	const answer = await partner.post(BULK, `{"productCode":"FV01","quantity":${quantity}}`);
	expect(answer.status).toBe(400);
	expect(answer.body.details).toHaveLength(1);
	expect(answer.body.details[0].field).toBe("quantity");
	expect((await partner.list()).body.data.pagination.total).toBe(0);
});

test.for([
	...["FV04", "fv01", "FV1", " FV01", "FV01 ", "", null, 1, true, ["FV01"], {}],
	...["__proto__", "constructor", "toString", "'; DROP TABLE purchase_codes; --"],
])(
	"§4.4 productCode is one of FV00 to FV03: %j is 400 naming it",
	{
		tags: ["bulk-product"],
	},
	async (productCode) => {
		const partner = await Partner.create();
		const answer = await partner.post(BULK, { productCode, quantity: 1 });
		expect(answer.status).toBe(400);
		expect(answer.body.details.map(({ field }: { field: string }) => field)).toEqual(["productCode"]);
	},
);

test("§4.4 both fields are required: each missing one is named", {
	tags: ["bulk-required-fields"],
}, async () => {
	const partner = await Partner.create();
	expect(refusal(await partner.post(BULK, {}))).toEqual(invalid("productCode REQUIRED", "quantity REQUIRED"));
	expect(refusal(await partner.post(BULK, { quantity: 1 }))).toEqual(invalid("productCode REQUIRED"));
	expect(refusal(await partner.post(BULK, { productCode: "FV01" }))).toEqual(invalid("quantity REQUIRED"));
});

test("§4.4 the body has these two fields: another one is 400 naming it", async () => {
	const partner = await Partner.create();
	const answer = await partner.post(BULK, { productCode: "FV01", quantity: 1, quantitty: 2 });
	expect(refusal(answer)).toEqual(invalid("quantitty UNKNOWN_FIELD"));
});

test("§4 bodies are JSON, in whatever case and with whatever charset the type says so", {
	tags: ["body-json"],
}, async () => {
	const partner = await Partner.create();
	const sent = { productCode: "FV01", quantity: 1 };
	for (const type of [
		"Application/JSON",
		"application/json;charset=UTF-8",
		"application/json ; charset=utf-8",
	])
		expect((await partner.post(BULK, sent, { "content-type": type })).status).toBe(201);
	for (const type of ["application/x-www-form-urlencoded", "application/jsonp", "application/problem+json"])
		expect(refusal(await partner.post(BULK, sent, { "content-type": type }))).toEqual([
			415,
			"UNSUPPORTED_MEDIA_TYPE",
		]);
});

test('decision "body limit": 16 KiB are read, an byte more is 413', async () => {
	const partner = await Partner.create();
	const sized = (bytes: number) => {
		const body = '{"productCode":"FV01","quantity":1}';
		return body + " ".repeat(bytes - body.length);
	};
	expect((await partner.post(BULK, sized(16 * 1024))).status).toBe(201);
	const over = await partner.post(BULK, sized(16 * 1024 + 1));
	expect([over.status, over.body.error]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
});

test.for(["FV00", "FV01", "FV02", "FV03"])(
	"§4.4 %s is made when it is enabled for the partner",
	{ tags: ["bulk-product-enabled", "list-category"] },
	async (product) => {
		const partner = await Partner.create({ allowed_products: [product] });
		const { status, body } = await partner.bulk(1, product);
		expect(status).toBe(201);
		expect((await partner.listed(body.data.pcodes[0])).category).toBe(Number(product.slice(3)));
	},
);

test('decision "bulk rejections": product not enabled is 403, and nothing is made', {
	tags: ["bulk-product-not-enabled"],
}, async () => {
	const partner = await Partner.create({ allowed_products: ["FV00", "FV03"] });
	const answer = await partner.bulk(5, "FV01");
	expect(refusal(answer)).toEqual([403, "PRODUCT_NOT_ENABLED"]);
	expect(Object.keys(answer.body)).toEqual(["success", "error", "message"]);
	expect((await partner.list()).body.data.pagination.total).toBe(0);
	expect(
		await env.DB_2.prepare("SELECT count(*) AS n FROM batches WHERE partner_id = ?").bind(partner.id).first(),
	).toEqual({
		n: 0,
	});
});

test("§2.7 allowed_products of the moment decide: enabled, disabled, none at all, enabled again", {
	tags: ["bulk-allowed-products"],
}, async () => {
	const partner = await Partner.create({ allowed_products: ["FV01"] });
	const statuses = [(await partner.bulk(1, "FV02")).status];
	for (const allowed_products of [["FV02"], ["FV00"], [], ["FV02", "FV01"]]) {
		await partner.change({ allowed_products });
		statuses.push((await partner.bulk(1, "FV02")).status);
	}
	expect(statuses).toEqual([403, 201, 403, 403, 201]);
});

test("codes made before a product was disabled stay as they were", async () => {
	const partner = await Partner.create();
	const code = await partner.code("FV03");
	await partner.change({ allowed_products: ["FV00"] });
	expect(await partner.listed(code)).toMatchObject({ category: 3, status: "sin_utilizar" });
});

test("an unknown product is 400 before it is looked up, whatever the partner may make", {
	tags: ["bulk-unknown-product"],
}, async () => {
	const partner = await Partner.create({ allowed_products: [] });
	expect((await partner.bulk(1, "FV09")).status).toBe(400);
	expect((await partner.bulk(0, "FV01")).status).toBe(400);
});

test('decision "bulk rejections": the 31st call of a minute is 429, for this partner alone', {
	tags: ["bulk-rate"],
}, async () => {
	const { partner, admitted, refused, other } = await withinOneMinute(async () => {
		const [partner, stranger] = [await Partner.create(), await Partner.create()];
		const admitted: number[] = [];
		for (let i = 0; i < 30; i++) admitted.push((await partner.bulk(1)).status);
		return { partner, admitted, refused: await partner.bulk(1), other: await stranger.bulk(1) };
	});
	expect(new Set(admitted)).toEqual(new Set([201]));
	expect(refusal(refused)).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
	expect((await partner.list()).body.data.pagination.total).toBe(30);
	expect(other.status).toBe(201);
});

test('decision "Order of checks": the rate comes before the shape, so malformed calls count', {
	tags: ["bulk-rate-before-shape"],
}, async () => {
	const statuses = await withinOneMinute(async () => {
		const partner = await Partner.create();
		const answered: number[] = [];
		for (let i = 0; i < 31; i++) answered.push((await partner.bulk(0)).status);
		return answered;
	});
	expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429]);
});

test("two batches have two identifiers and no code in common", async () => {
	const partner = await Partner.create();
	const [first, second] = await Promise.all([partner.bulk(50), partner.bulk(50)]);
	expect(first.body.data.batchId).not.toBe(second.body.data.batchId);
	expect(new Set([...first.body.data.pcodes, ...second.body.data.pcodes]).size).toBe(100);
});

test("the batch leaves one audit row, whose actor is the key that created it", async () => {
	const partner = await Partner.create();
	const { body } = await partner.bulk(7, "FV02", { "x-request-id": "bulk-audit-1" });
	const { results } = await env.DB_2.prepare("SELECT * FROM audit_events WHERE entity = ?")
		.bind(`batch:${body.data.batchId}`)
		.all();
	expect(results).toHaveLength(1);
	expect(results[0]).toMatchObject({
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
