/* @module-tag own-export */
import { afterEach, beforeEach, expect, test } from "vitest";
import { execute } from "../../../../support/db.ts";
import { tripsDuring } from "../../../../support/failing-db.ts";
import { emitted, untilCrlIsBuilt } from "../../../../support/pki.ts";
import { invalid, refusal } from "../../../../support/refusal.ts";
import { freshService, JUANA, loadHolder, Partner } from "../../../../support/service.ts";

/* GET /export: what a partner takes with it. */

beforeEach(freshService);
afterEach(untilCrlIsBuilt);

const exportOf = (partner: Partner, query = "") => partner.get(`/api/partner/v1/export${query}`);

test("has what the lists have, each code with its certificate, and nothing of another partner or of a holder", async () => {
	const { partner } = await emitted();
	await emitted(await Partner.create(), loadHolder(5));
	await partner.bulk(60, "FV02");
	await partner.request({ ...JUANA, pCode: await partner.code() });
	const { status, body, text, headers } = await exportOf(partner);
	expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
	const read = async (path: string) => (await partner.get(`/api/partner/v1/${path}`)).body.data;
	const { pcodes } = await read("pcodes?limit=500");
	const { certificates } = await read("certificates");
	expect(certificates.length).toBeGreaterThan(0);
	expect(body).toEqual({
		success: true,
		data: {
			exported_at: expect.any(String),
			settings: (await read("settings")).settings,
			widget: (await read("widget")).widget,
			usage: [await read("usage")],
			pcodes: pcodes.map((code: { pcode: string }) => ({
				...code,
				certificate: certificates.find(({ p_code }: { p_code: string }) => p_code === code.pcode) ?? null,
			})),
		},
	});
	expect(text).not.toMatch(/JUANA|juana@|11\.?111\.?111/i);
});

test("two trips for a thousand codes and one a month besides; a month of the past is there", async () => {
	const partner = await Partner.create();
	for (let i = 0; i < 3; i++) await partner.bulk(500);
	const startedAt = Date.now() - 70 * 86_400_000;
	await execute("UPDATE partners SET created_at = ?", startedAt);
	await execute("UPDATE usage_counts SET day = ?", new Date(startedAt).toISOString().slice(0, 10));
	const [{ body }, trips] = await tripsDuring(() => exportOf(partner));
	expect(body.data.pcodes).toHaveLength(1_500);
	expect(body.data.usage).toMatchObject([{ month: new Date(startedAt).toISOString().slice(0, 7) }]);
	expect(body.data.usage[0].products[1]).toMatchObject({ product: "FV01", created: 1_500 });
	// The partner and the walk's range, after the key; three or four months; two pages of codes, of which none is issued.
	expect(trips.length).toBeLessThanOrEqual(3 + 4 + 2);
});

test("by the dates of the list; over 100,000 codes 400; rated as a batch; a key without read is refused", async () => {
	const partner = await Partner.create();
	await partner.bulk(2);
	expect((await exportOf(partner, "?created_to=2001-01-01")).body.data.pcodes).toEqual([]);
	const [{ created_at }] = (await partner.get("/api/partner/v1/pcodes")).body.data.pcodes;
	const span = `?created_from=2001-01-01&created_to=${created_at.slice(0, 10)}`;
	expect((await exportOf(partner, span)).body.data.pcodes).toHaveLength(2);
	expect((await exportOf(partner)).headers.get("ratelimit-policy")).toBe('"bulk";q=30;w=60');
	await execute("UPDATE batches SET last_seq = 100001");
	expect(refusal(await exportOf(partner))).toEqual(invalid("created_from INVALID_VALUE"));
	const made = await partner.desk("POST", "/keys", { label: "till", scopes: ["codes", "redeem"] });
	expect((await exportOf(new Partner(partner.id, made.body.data.api_key))).status).toBe(403);
});
