import { median } from "simple-statistics";
import { type ListQuery, listPurchaseCodes } from "../../src/db/list-purchase-codes.ts";
import { openDb } from "../../src/db/query.ts";
import { LIST_STATUSES } from "../../src/domain/status-tables.ts";
import { wakeDatabase } from "../local-db.ts";
import { withCpuOf } from "../machine.ts";
import { compareSamples, interleaveWarm, type Measure, type Part } from "../measure.ts";
import { type BenchPartner, createPartner, type ListQuery as Query, readPage } from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { RARE_REFERENCE, SHARED_REFERENCE, seedStock } from "../stock.ts";

const AIM = { atMost: 1.5 };
const SMALL = 10_000;
const LIMIT = 50;
const WARM_UP = 4;
const DAY_MS = 86_400_000;

interface Stock {
	partner: BenchPartner;
	size: number;
}

/** The query of a call, and the same for the statement itself. */
interface Case {
	name: string;
	words: (stock: Stock) => Query;
	filters: (stock: Stock) => Partial<ListQuery>;
}

/** GET /pcodes of a partner with a million codes against one with 10,000, in one database. */
export const measureList: Part = async ({ quick }) => {
	const service = await startService();
	try {
		const now = Date.now();
		const large = { partner: await createPartner(service), size: quick ? 100_000 : 1_000_000 };
		const small = { partner: await createPartner(service), size: SMALL };
		for (const { partner, size } of [large, small]) await seedStock(service.db, partner.id, size, now);
		const costs: string[][] = [];
		const measures: Measure[] = [];
		for (const asked of cases(now)) {
			const cpu = new Map<Stock, number[]>([large, small].map((stock) => [stock, []]));
			const time = (stock: Stock) => async () => {
				const query = { limit: LIMIT, ...asked.words(stock) };
				const read = () => readPage(service, stock.partner, query);
				const { result, cpuMs } = await withCpuOf(service.workerd, read);
				cpu.get(stock)!.push(cpuMs);
				return result.ms;
			};
			const samples = await interleaveWarm(WARM_UP, quick ? 8 : 60, [time(large), time(small)]);
			const name = `pcodes, ${large.size / 1e6} M / ${SMALL / 1e6} M: ${asked.name}`;
			measures.push(compareSamples(name, "ms", samples, median, { aim: AIM }));
			const rows = [
				await countReads(service, asked, large, now),
				await countReads(service, asked, small, now),
			];
			const used = [...cpu.values()].map((values) => median(values).toFixed(1));
			costs.push([asked.name, ...rows.map(String), ...used]);
		}
		const sizes = [large, small].map(({ size }) => size.toLocaleString("en"));
		const columns = ["", ...sizes.map((n) => `rows read, ${n}`), ...sizes.map((n) => `CPU ms, ${n}`)];
		return { measures, tables: [{ heading: "What a page of 50 costs", columns, rows: costs }] };
	} finally {
		await service.stop();
	}
};

function cases(now: number): Case[] {
	const page = (name: string, offset: (stock: Stock) => number): Case => ({
		name,
		words: (stock) => ({ page: offset(stock) / LIMIT + 1 }),
		filters: (stock) => ({ offset: offset(stock) }),
	});
	const filter = (name: string, words: Query, filters: Partial<ListQuery>): Case => ({
		name,
		words: () => words,
		filters: () => filters,
	});
	const from = now - 29 * DAY_MS;
	const to = now - DAY_MS;
	const dates = { created_from: new Date(from).toISOString(), created_to: new Date(to).toISOString() };
	const range = { createdFrom: from, createdTo: to };
	return [
		page("page 1", () => 0),
		page("middle page", ({ size }) => size / 2),
		page("last page", ({ size }) => size - LIMIT),
		...LIST_STATUSES.map((status) => filter(status, { status }, { status })),
		filter("created_from, created_to", dates, range),
		filter("reference of all", { external_reference_id: SHARED_REFERENCE }, { reference: SHARED_REFERENCE }),
		filter("rare reference", { external_reference_id: RARE_REFERENCE }, { reference: RARE_REFERENCE }),
		{
			name: "batch_id",
			words: ({ partner }) => ({ batch_id: `${partner.id}-3` }),
			filters: ({ partner }) => ({ batchId: `${partner.id}-3` }),
		},
		filter(
			"validado, reference, dates",
			{ status: "validado", external_reference_id: SHARED_REFERENCE, ...dates },
			{ status: "validado", reference: SHARED_REFERENCE, ...range },
		),
	];
}

/** `rows_read` of the list's statement. */
async function countReads({ db }: BenchService, asked: Case, stock: Stock, now: number): Promise<number> {
	await wakeDatabase(db);
	let rows = 0;
	const observed = (statement: D1PreparedStatement): D1PreparedStatement =>
		({
			bind: (...values: unknown[]) => observed(statement.bind(...values)),
			all: async () => {
				const result = await statement.all();
				rows += result.meta.rows_read;
				return result;
			},
		}) as D1PreparedStatement;
	const counting = { prepare: (query: string) => observed(db.prepare(query)) } as D1Database;
	const query = { partnerId: stock.partner.id, now, limit: LIMIT, offset: 0, ...asked.filters(stock) };
	await listPurchaseCodes(openDb(counting), query);
	return rows;
}
