import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { execute } from "../../../../support/db.ts";
import { failingAt } from "../../../../support/failing-db.ts";
import { refusal } from "../../../../support/refusal.ts";
import { type Answer, freshService, JUANA, Partner } from "../../../../support/service.ts";

beforeAll(freshService);

const CSV = { accept: "text/csv" };
const COLUMNS =
	"pcode,partnerName,category,status,processing,batch_id,external_reference_id,expires_at,created_at,updated_at";

function download(partner: Partner, query = "", headers: Record<string, string> = CSV): Promise<Answer> {
	return partner.get(`/api/partner/v1/pcodes${query}`, headers);
}

describe("GET /pcodes, Accept: text/csv", { tags: ["list-csv"] }, () => {
	test("the whole selection with the fields of the list, newest first, UTF-8 with a byte order mark", async () => {
		const partner = await Partner.create({ name: "Notaría Ñuñoa, Ltda." });
		const { pcodes } = (await partner.bulk(120)).body.data;
		await partner.request({ pCode: pcodes[0], ...JUANA, referenceId: "=1+1" });
		const items = (await partner.list("?limit=500")).body.data.pcodes as Record<string, unknown>[];
		const response = await exports.default.fetch(
			new Request("http://service.test/api/partner/v1/pcodes", { headers: { "x-gw": partner.key, ...CSV } }),
		);
		expect(response.status).toBe(200);
		expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
		expect(response.headers.get("content-disposition")).toBe('attachment; filename="pcodes.csv"');
		expect(response.headers.get("vary")).toBe("Accept");
		expect(response.headers.get("cache-control")).toBe("no-store");
		const bytes = await response.bytes();
		expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
		const [header, ...rows] = new TextDecoder().decode(bytes).split("\r\n");
		expect([header, rows.length, rows.at(-1)]).toEqual([COLUMNS, 121, ""]);
		const expected = items.map((item) =>
			COLUMNS.split(",")
				.map((column) => {
					if (column === "partnerName") return '"Notaría Ñuñoa, Ltda."';
					return item[column] === "=1+1" ? "'=1+1" : String(item[column] ?? "");
				})
				.join(","),
		);
		expect(rows.slice(0, -1)).toEqual(expected);
	});

	test("the file of a batch has the batch in its name; whatever else was asked has not", async () => {
		const partner = await Partner.create();
		const { batchId } = (await partner.bulk(2)).body.data;
		const nameOf = async (batch: string) =>
			(await download(partner, `?batch_id=${encodeURIComponent(batch)}`)).headers.get("content-disposition");
		expect(await nameOf(batchId)).toBe(`attachment; filename="pcodes-${batchId}.csv"`);
		for (const other of ['bt_0"; filename="x.exe', "bt_../x", "ñ", "bt_"])
			expect([other, await nameOf(other)]).toEqual([other, 'attachment; filename="pcodes.csv"']);
	});

	test("the filters of the list; no code, no rows", async () => {
		const partner = await Partner.create();
		const { batchId, pcodes } = (await partner.bulk(3)).body.data;
		await partner.bulk(2);
		const rows = async (query: string) => (await download(partner, query)).text.trim().split("\r\n").slice(1);
		expect((await rows(`?batch_id=${batchId}`)).map((row) => row.slice(0, 19))).toEqual(pcodes);
		expect(await rows("?status=sin_utilizar")).toHaveLength(5);
		expect(await rows("?status=emitido")).toEqual([]);
		expect((await download(await Partner.create())).text.trim()).toBe(COLUMNS);
	});

	test("Accept decides", async () => {
		const partner = await Partner.create();
		const isCsv = async (accept: string) =>
			(await download(partner, "", { accept })).headers.get("content-type")!.startsWith("text/csv");
		for (const accept of ["text/*", "text/csv, application/json;q=0.5"])
			expect([accept, await isCsv(accept)]).toEqual([accept, true]);
		const json = ["application/json", "*/*", "text/csv;q=0.5, application/json", "text/csv;q=0"];
		for (const accept of [...json, "text/html,application/xhtml+xml,*/*;q=0.8"])
			expect([accept, await isCsv(accept)]).toEqual([accept, false]);
	});

	test("page and limit are refused, as is everything that the list refuses", {
		tags: ["list-csv-refused"],
	}, async () => {
		const partner = await Partner.create();
		for (const [query, detail] of [
			["?page=1", "page NOT_ALLOWED"],
			["?limit=50", "limit NOT_ALLOWED"],
			["?status=x", "status INVALID_VALUE"],
			["?nonsense=1", "nonsense UNKNOWN_FIELD"],
		] as const)
			expect(refusal(await download(partner, query))).toEqual([400, "VALIDATION_ERROR", detail]);
	});

	test("at most 100,000 codes: else 400, narrow the dates", { tags: ["list-csv-refused"] }, async () => {
		const partner = await Partner.create();
		await partner.bulk(1);
		const addBatch = (id: string, last: number) =>
			execute(
				"INSERT INTO batches (id, partner_id, product, first_seq, last_seq, created_at) VALUES (?, ?, 'FV01', ?, ?, ?)",
				...[`${partner.id}-${id}`, partner.id, last === 100_000 ? 2 : 100_001, last, 4e12 + last],
			);
		await addBatch("fits", 100_000);
		expect((await download(partner)).status).toBe(200);
		await addBatch("too-many", 100_001);
		expect(refusal(await download(partner))).toEqual([400, "VALIDATION_ERROR", "created_from INVALID_VALUE"]);
		expect((await download(partner, "?created_to=2090-01-01")).status).toBe(200);
	});

	test("counts with the batches: 30 a minute; the list goes on", { tags: ["list-csv-rate"] }, async () => {
		const partner = await Partner.create();
		const { headers } = await download(partner);
		expect(headers.get("ratelimit-policy")).toBe('"bulk";q=30;w=60');
		expect((await partner.list()).headers.get("ratelimit-policy")).toBe('"calls";q=600;w=60');
	});

	test("D1 away before the first byte: 503; on the way: the answer breaks off", {
		tags: ["list-csv-broken"],
	}, async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		const partner = await Partner.create();
		await partner.bulk(2);
		const failAt = (nth: number) => failingAt(nth, "is lost", () => download(partner));
		expect((await failAt(1)).status).toBe(503);
		await expect(failAt(2)).rejects.toThrow();
	});
});
