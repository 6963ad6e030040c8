import { median } from "simple-statistics";
import { wakeDatabase } from "../../scripts/local-migrations.ts";
import { type ListQuery, listPurchaseCodes } from "../../src/db/list-purchase-codes.ts";
import { openDb } from "../../src/db/query.ts";
import { DAY_MS } from "../../src/domain/durations.ts";
import { LIST_STATUSES } from "../../src/domain/status-tables.ts";
import { createAuditKey } from "../../src/secrets/audit-key.ts";
import { withCpuOf } from "../machine.ts";
import { compareSamples, interleaveWarm, type Measure, type Part } from "../measure.ts";
import { type BenchPartner, createPartner, type ListQuery as Query, readPage } from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { lockCodes, RARE_REFERENCE, SHARED_REFERENCE, seedStock } from "../stock.ts";

const AIM = { atMost: 1.5 };
const SMALL = 10_000;
const LIMIT = 50;
const WARM_UP = 4;
/** 600 wrong claims a minute, five a lock of 30 minutes. */
const LOCKED = 3_600;

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

/**
 * GET /pcodes of a partner with a million codes against one with 10,000, in one database; each filter against the first
 * page without one; and the same of a partner with 3,600 codes locked, as many as the rate of calls allows.
 */
export const measureList: Part = async ({ quick }) => {
	const service = await startService();
	try {
		const now = Date.now();
		const large = { partner: await createPartner(service), size: quick ? 100_000 : 1_000_000 };
		const small = { partner: await createPartner(service), size: SMALL };
		const busy = { partner: await createPartner(service), size: quick ? 10_000 : 100_000 };
		for (const { partner, size } of [large, small, busy]) await seedStock(service.db, partner.id, size, now);
		await lockCodes(service.db, busy.partner.id, busy.size, LOCKED, now);
		const costs: string[][] = [];
		const grown: Measure[] = [];
		const filtered: Measure[] = [];
		const [first, ...others] = cases(now);
		for (const asked of [first!, ...others]) {
			const cpu: number[][] = [];
			const time = (stock: Stock, { words }: Case) => {
				const used: number[] = [];
				cpu.push(used);
				return async () => {
					const query = { limit: LIMIT, ...words(stock) };
					const read = () => readPage(service, stock.partner, query);
					const { result, cpuMs } = await withCpuOf(service.workerd, read);
					used.push(cpuMs);
					return result.ms;
				};
			};
			const [ofLarge, ofSmall, ofBusy, largeFirst, busyFirst] = (await interleaveWarm(
				WARM_UP,
				quick ? 8 : 60,
				[time(large, asked), time(small, asked), time(busy, asked), time(large, first!), time(busy, first!)],
			)) as [number[], number[], number[], number[], number[]];
			const measure = (name: string, ours: number[], base: number[], aimed = true) =>
				compareSamples(name, "ms", [ours, base], median, aimed ? { aim: AIM } : {});
			grown.push(
				measure(`pcodes, ${large.size / 1e6} M / ${SMALL / 1e6} M: ${asked.name}`, ofLarge, ofSmall),
			);
			if (asked !== first) {
				filtered.push(measure(`${large.size / 1e6} M: ${asked.name} / page 1`, ofLarge, largeFirst));
				filtered.push(measure(`${LOCKED} locked: ${asked.name} / page 1`, ofBusy, busyFirst, false));
			}
			const rows: number[] = [];
			for (const stock of [large, small, busy]) rows.push(await countReads(service, asked, stock, now));
			const used = cpu.slice(0, 3).map((values) => median(values).toFixed(1));
			costs.push([asked.name, ...rows.map(String), ...used]);
		}
		const measures = [...grown, ...filtered];
		const sizes = [
			...[large, small].map(({ size }) => size.toLocaleString("en")),
			`${LOCKED.toLocaleString("en")} of ${busy.size.toLocaleString("en")} locked`,
		];
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

/** `rows_read` of the list's statements. */
async function countReads({ db }: BenchService, asked: Case, stock: Stock, now: number): Promise<number> {
	await wakeDatabase(db);
	let rows = 0;
	const counting = {
		prepare: (query: string) => db.prepare(query),
		batch: async (statements: D1PreparedStatement[]) => {
			const results = await db.batch(statements);
			for (const { meta } of results) rows += meta.rows_read;
			return results;
		},
	} as D1Database;
	const query = { partnerId: stock.partner.id, now, limit: LIMIT, offset: 0, ...asked.filters(stock) };
	const unused = await createAuditKey([new Uint8Array(32)]);
	await listPurchaseCodes(openDb(counting, unused), query);
	return rows;
}
