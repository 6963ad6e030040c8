import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type ListedCode, type ListQuery, listPurchaseCodes } from "../../../src/db/list-purchase-codes.ts";
import { openDb } from "../../../src/db/query.ts";
import { statusSql } from "../../../src/db/status-sql.ts";
import { CODE_WINDOW_MS } from "../../../src/domain/limits.ts";
import { LIST_STATUS_TABLE, LIST_STATUSES, listStatus } from "../../../src/domain/status-tables.ts";
import { runSize } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const NOW = Date.UTC(2026, 10, 21);
const HOUR_MS = 3_600_000;

type Filters = Omit<ListQuery, "partnerId" | "now" | "limit" | "offset">;
type StoredCode = ListedCode & { partnerId: string; seq: number };
interface Batch {
	id: string;
	firstSeq: number;
	lastSeq: number;
	createdAt: number;
}

beforeAll(() => applyD1Migrations(env.DB, env.TEST_MIGRATIONS));

describe("GET /pcodes lists what a naive reading of the register lists", { timeout: 120_000 }, () => {
	const { seed } = runSize({ runs: 1, seed: 20_261_121 });
	const random = seededRandom(seed);
	/** Newest first, then by code. */
	let inOrder: StoredCode[] = [];
	const batches: (Batch & { partnerId: string })[] = [];

	beforeAll(async () => {
		console.log(`list-purchase-codes: seed ${seed}`);
		for (const [partnerId, size] of [
			["small", 700],
			["large", 20_000],
			["other", 3_000],
		] as const) {
			for (const batch of randomBatches(random, size)) {
				batches.push({ ...batch, id: `${partnerId}-${batch.id}`, partnerId });
			}
		}
		inOrder = batches
			.flatMap((batch) => randomCodes(random, batch))
			.sort((a, b) => b.createdAt - a.createdAt || (a.code < b.code ? -1 : 1));
		await storeBatches(batches);
		await storeCodes(inOrder);
		await countAll();
	}, 60_000);

	it("under every single filter, at the first, a middle and the last page and beyond", {
		tags: ["list-sql-same-table"],
	}, async () => {
		for (const partnerId of ["small", "large", "nobody"]) {
			for (const filters of singleFilters(partnerId)) {
				const total = naiveList({ partnerId, now: NOW, limit: 1, offset: 0, ...filters }).total;
				const last = Math.max(0, total - 1);
				for (const offset of new Set([0, 1, 127, 128, 16_384, total >> 1, last, total, total + 7])) {
					await expectNaiveAnswer({ partnerId, now: NOW, limit: 50, offset, ...filters });
				}
			}
		}
	});

	it("under random filters at random moments", async () => {
		for (let round = 0; round < 300; round++) {
			const partnerId = pick(random, ["small", "large", "other"]);
			await expectNaiveAnswer(randomQuery(partnerId));
		}
	});

	it("page after page without a gap or a repetition", async () => {
		for (const filters of [{}, { status: "bloqueado" }, { reference: "shared" }] as const) {
			const query = { partnerId: "large", now: NOW, ...filters };
			const seen: string[] = [];
			for (let offset = 0, total = 1; offset < total; offset += 500) {
				const page = await listPurchaseCodes(openDb(env.DB), { ...query, limit: 500, offset });
				total = page.total;
				seen.push(...page.codes.map(({ code }) => code));
			}
			expect(seen).toEqual(naiveList({ ...query, limit: Infinity, offset: 0 }).codes.map(({ code }) => code));
		}
	});

	function singleFilters(partnerId: string): Filters[] {
		const own = batches.filter((batch) => batch.partnerId === partnerId);
		const inside = own.at(own.length >> 1)?.createdAt ?? NOW;
		return [
			{},
			...LIST_STATUSES.map((status) => ({ status })),
			...REFERENCES.map((reference) => ({ reference })),
			{ reference: "never used" },
			...[own.at(0), own.at(-1)].flatMap((batch) => (batch ? [{ batchId: batch.id }] : [])),
			{ batchId: "no such batch" },
			{ batchId: batches.find((batch) => batch.partnerId !== partnerId)?.id ?? "" },
			{ createdFrom: inside },
			{ createdFrom: inside + 1 },
			{ createdTo: inside },
			{ createdTo: inside - 1 },
			{ createdFrom: 0, createdTo: 1 },
			{ createdFrom: NOW * 2 },
			{ createdFrom: inside + 1, createdTo: inside },
		];
	}

	function randomQuery(partnerId: string): ListQuery {
		const own = batches.filter((batch) => batch.partnerId === partnerId);
		const instants = own.map(({ createdAt }) => createdAt);
		const code = pick(random, inOrder);
		const now = pick(random, [
			NOW,
			NOW + Math.floor(random() * 40 * 24 * HOUR_MS),
			code.createdAt + CODE_WINDOW_MS,
			code.lockedUntil ?? NOW,
			code.processingUntil ?? NOW,
		]);
		const filters: Filters = {
			...(random() < 0.7 && { status: pick(random, LIST_STATUSES) }),
			...(random() < 0.4 && { reference: pick(random, REFERENCES) }),
			...(random() < 0.1 && { batchId: pick(random, batches).id }),
			...(random() < 0.3 && { createdFrom: pick(random, instants) + Math.floor(random() * 3) - 1 }),
			...(random() < 0.3 && { createdTo: pick(random, instants) + Math.floor(random() * 3) - 1 }),
		};
		const { total } = naiveList({ partnerId, now, limit: 1, offset: 0, ...filters });
		const offset = pick(random, [0, Math.floor(random() * (total + 2))]);
		return { partnerId, now, limit: pick(random, [1, 50, 500]), offset, ...filters };
	}

	function naiveList(query: ListQuery): { total: number; codes: ListedCode[] } {
		const found = inOrder.filter(
			(code) =>
				code.partnerId === query.partnerId &&
				(query.reference === undefined || code.externalReferenceId === query.reference) &&
				(query.batchId === undefined || code.batchId === query.batchId) &&
				(query.createdFrom === undefined || code.createdAt >= query.createdFrom) &&
				(query.createdTo === undefined || code.createdAt <= query.createdTo) &&
				(query.status === undefined || listStatus(code, query.now) === query.status),
		);
		const page = found.slice(query.offset, query.offset + query.limit);
		return { total: found.length, codes: page.map(({ partnerId: _, seq: __, ...code }) => code) };
	}

	async function expectNaiveAnswer(query: ListQuery): Promise<void> {
		expect(await listPurchaseCodes(openDb(env.DB), query), JSON.stringify(query)).toEqual(naiveList(query));
	}
});

describe("code_counts", { timeout: 120_000 }, () => {
	it("stays a recount of the register through every update", async () => {
		const random = seededRandom(7);
		const batches = randomBatches(random, 20_000).map((batch) => ({
			...batch,
			id: `updated-${batch.id}`,
			partnerId: "updated",
		}));
		await storeBatches(batches);
		await storeCodes(batches.flatMap((batch) => randomCodes(random, batch)));
		await countAll();
		for (let round = 0; round < 30; round++) {
			await env.DB.batch(
				Array.from({ length: 20 }, () => {
					const column = pick(random, ["cancelled_at", "issued_at", "blocked_at", "validated_at"]);
					const value = pick(random, [null, NOW]);
					const reference = pick(random, [...REFERENCES, null]);
					return env.DB.prepare(
						`UPDATE purchase_codes SET ${column} = ?1, locked_until = ?2, external_reference_id =
							iif(?3, ?4, external_reference_id) WHERE partner_id = 'updated' AND seq % 997 = ?5`,
					).bind(value, NOW, random() < 0.5 ? 1 : 0, reference, Math.floor(random() * 997));
				}),
			);
		}
		const kept = await env.DB.prepare(
			"SELECT reference, facet, level, block, n FROM code_counts WHERE partner_id = 'updated' AND n <> 0",
		).all();
		const recount = await env.DB.prepare(
			`SELECT * FROM (${RECOUNT}) WHERE partner_id = 'updated' ORDER BY reference, facet, level, block`,
		).all();
		expect(kept.results).toEqual(recount.results.map(({ partner_id: _, ...row }) => row));
	});
});

describe("a partner with a million codes", { timeout: 120_000 }, () => {
	const MILLION = 1_000_000;
	const random = seededRandom(1);
	const batches: Batch[] = [];
	const cases: Record<string, Filters> = {};

	beforeAll(async () => {
		batches.push(...randomBatches(random, MILLION));
		await storeBatches(batches.map((batch) => ({ ...batch, partnerId: "million" })));
		await generateCodes("million", MILLION);
		await countAll();
		const createdFrom = batches[Math.floor(batches.length * 0.02)]!.createdAt;
		const createdTo = batches[Math.floor(batches.length * 0.98)]!.createdAt;
		Object.assign(cases, {
			"no filter": {},
			...Object.fromEntries(LIST_STATUSES.map((status) => [status, { status }])),
			created_from: { createdFrom },
			created_to: { createdTo },
			"created_from and _to": { createdFrom, createdTo },
			"reference of nearly all": { reference: "shared" },
			"rare reference": { reference: "rare" },
			batch_id: { batchId: batches.find(({ firstSeq, lastSeq }) => lastSeq - firstSeq > 300)!.id },
			"reference, created_from and _to": { reference: "shared", createdFrom, createdTo },
			...Object.fromEntries(
				LIST_STATUSES.map((status) => [
					`${status}, reference, created_from and _to`,
					{ status, reference: "shared", createdFrom, createdTo },
				]),
			),
		} satisfies Record<string, Filters>);
	}, 120_000);

	it("gets exact totals under every filter", async () => {
		const counts = Object.values(cases).map((filters) => `count(*) FILTER (WHERE ${conditionSql(filters)})`);
		const naive = await env.DB.prepare(
			`SELECT json_array(${counts.join(", ")}) AS totals FROM purchase_codes WHERE partner_id = 'million'`,
		).first<string>("totals");
		const totals: number[] = [];
		for (const filters of Object.values(cases)) totals.push((await measure(filters, 50, 0)).total);
		expect(totals).toEqual(JSON.parse(naive ?? ""));
	});

	it("reads at most 4,000 rows for any filter, on page 1, page 10,000 or the last", async () => {
		const costly: unknown[] = [];
		for (const [name, filters] of Object.entries(cases)) {
			const { total } = await measure(filters, 50, 0);
			const middle = Math.min(500_000, total >> 1);
			for (const offset of [0, middle, 500_000, Math.max(0, total - 50)]) {
				const { codes, rowsRead } = await measure(filters, 50, offset);
				expect(codes).toHaveLength(Math.max(0, Math.min(50, total - offset)));
				if (rowsRead > 4_000) costly.push({ name, offset, rowsRead });
			}
			const { codes, rowsRead } = await measure(filters, 500, 0);
			expect(codes).toHaveLength(Math.min(500, total));
			if (rowsRead > (name.includes(",") ? 6_000 : 4_000)) costly.push({ name, limit: 500, rowsRead });
		}
		expect(costly).toEqual([]);
	});

	it("moves a code's counters without reading those of its neighbours", async () => {
		const { meta } = await env.DB.prepare(
			`UPDATE purchase_codes SET cancelled_at = iif(cancelled_at IS NULL, ?, NULL)
				WHERE partner_id = 'million' AND seq = 400000`,
		)
			.bind(NOW)
			.run();
		expect(meta.rows_read).toBeLessThan(50);
	});

	async function measure(filters: Filters, limit: number, offset: number) {
		let rowsRead = 0;
		const db = observeReads(env.DB, (rows) => {
			rowsRead += rows;
		});
		const page = await listPurchaseCodes(openDb(db), {
			partnerId: "million",
			now: NOW,
			limit,
			offset,
			...filters,
		});
		return { ...page, rowsRead };
	}

	function conditionSql({ status, reference, batchId, createdFrom, createdTo }: Filters): string {
		return [
			"1",
			status && `${statusSql(LIST_STATUS_TABLE, NOW)} = '${status}'`,
			reference && `external_reference_id = '${reference}'`,
			batchId && `batch_id = '${batchId}'`,
			createdFrom && `created_at >= ${createdFrom}`,
			createdTo && `created_at <= ${createdTo}`,
		]
			.filter(Boolean)
			.join(" AND ");
	}
});

const REFERENCES = ["shared", "shared ", "O'Brien; --", "pedido ñ %_", "rare"] as const;

/** Batches of 1 to 500 codes, many of a single one, over the 30 days before and the day after NOW. */
function randomBatches(random: () => number, codes: number): Batch[] {
	const batches: Batch[] = [];
	for (let lastSeq = 0; lastSeq < codes; ) {
		const size = random() < 0.5 ? 1 : 1 + Math.floor(random() * 500);
		const firstSeq = lastSeq + 1;
		lastSeq = Math.min(codes, lastSeq + size);
		batches.push({ id: `batch-${firstSeq}`, firstSeq, lastSeq, createdAt: 0 });
	}
	const step = Math.floor((31 * 24 * HOUR_MS) / batches.length);
	for (const [index, batch] of batches.entries()) {
		const jitter = random() < 0.3 ? 0 : Math.floor(random() * step);
		batch.createdAt = NOW - 30 * 24 * HOUR_MS + index * step + jitter;
	}
	return batches;
}

function randomCodes(random: () => number, batch: Batch & { partnerId: string }): StoredCode[] {
	const near = () => NOW + Math.floor((random() - 0.5) * 2 * HOUR_MS);
	const seldom = (share: number, value: () => number) => (random() < share ? value() : null);
	return Array.from({ length: batch.lastSeq - batch.firstSeq + 1 }, (_, index) => ({
		partnerId: batch.partnerId,
		seq: batch.firstSeq + index,
		code: `${batch.partnerId}-${batch.firstSeq}-${String(999 - index).padStart(3, "0")}`,
		batchId: batch.id,
		product: "FV01",
		createdAt: batch.createdAt,
		updatedAt: batch.createdAt + index,
		externalReferenceId: random() < 0.6 ? (random() < 0.8 ? "shared" : pick(random, REFERENCES)) : null,
		validatedAt: seldom(0.4, near),
		issuedAt: seldom(0.2, near),
		certificateNotAfter: null,
		cancelledAt: seldom(0.1, near),
		blockedAt: seldom(0.1, near),
		lockedUntil: seldom(0.03, near),
		onboardingUntil: seldom(0.03, near),
		processingUntil: seldom(0.03, near),
	}));
}

async function storeBatches(batches: readonly (Batch & { partnerId: string })[]): Promise<void> {
	const store = env.DB.prepare(
		`INSERT INTO batches (id, partner_id, product, first_seq, last_seq, created_at)
			SELECT value ->> 'id', value ->> 'partnerId', 'FV01', value ->> 'firstSeq', value ->> 'lastSeq', value ->> 'createdAt'
			FROM json_each(?)`,
	);
	await env.DB.batch(chunks(batches, 2_000).map((chunk) => store.bind(JSON.stringify(chunk))));
}

async function storeCodes(codes: readonly StoredCode[]): Promise<void> {
	const store = env.DB.prepare(
		`INSERT INTO purchase_codes (partner_id, seq, code, batch_id, product, created_at, updated_at,
				external_reference_id, validated_at, issued_at, cancelled_at, blocked_at, locked_until,
				onboarding_until, processing_until)
			SELECT value ->> 'partnerId', value ->> 'seq', value ->> 'code', value ->> 'batchId', value ->> 'product',
				value ->> 'createdAt', value ->> 'updatedAt', value ->> 'externalReferenceId', value ->> 'validatedAt',
				value ->> 'issuedAt', value ->> 'cancelledAt', value ->> 'blockedAt', value ->> 'lockedUntil',
				value ->> 'onboardingUntil', value ->> 'processingUntil'
			FROM json_each(?)`,
	);
	for (const chunk of chunks(codes, 2_000)) await store.bind(JSON.stringify(chunk)).run();
}

/** Codes for the partner's batches, made in the database: every facet, some hundred busy, one reference but for a few. */
async function generateCodes(partnerId: string, upTo: number): Promise<void> {
	const generate = env.DB.prepare(
		`WITH RECURSIVE step (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < 499),
			made AS (SELECT b.*, first_seq + i AS seq, ((first_seq + i) * 2654435761) % 4294967296 AS dice
				FROM batches AS b JOIN step ON first_seq + i <= last_seq
				WHERE partner_id = ?1 AND last_seq > ?2 AND last_seq <= ?3)
		INSERT INTO purchase_codes (partner_id, seq, code, batch_id, product, created_at, updated_at,
				external_reference_id, validated_at, issued_at, cancelled_at, blocked_at, locked_until, processing_until)
			SELECT partner_id, seq, ?1 || '-' || printf('%07d', 9999999 - seq), id, product, created_at, created_at,
				iif(dice % 5003 = 0, 'rare', 'shared'),
				iif(dice % 7 IN (0, 1), ?4, NULL), iif(dice % 7 = 1, ?4, NULL), iif(dice % 7 = 2, ?4, NULL),
				iif(dice % 7 = 3, ?4, NULL),
				iif(dice % 3001 = 0, ?4 + dice % 3600000, iif(dice % 11 = 0, ?4 - 1, NULL)),
				iif(dice % 6007 = 0, ?4 + 60000, NULL)
			FROM made`,
	);
	const CHUNK = 50_000;
	for (let seq = 0; seq < upTo; seq += CHUNK) await generate.bind(partnerId, seq, seq + CHUNK, NOW).run();
}

const RECOUNT = ["''", "external_reference_id"]
	.flatMap((reference) =>
		[7, 14].map(
			(level) => `SELECT partner_id, ${reference} AS reference, facet, ${level} AS level,
				seq >> ${level} AS block, count(*) AS n FROM purchase_codes
				WHERE ${reference} IS NOT NULL GROUP BY 1, 2, 3, 4, 5`,
		),
	)
	.join(" UNION ALL ");

async function countAll(): Promise<void> {
	await env.DB.batch([
		env.DB.prepare("DELETE FROM code_counts"),
		env.DB.prepare(`INSERT INTO code_counts (partner_id, reference, facet, level, block, n) ${RECOUNT}`),
	]);
}

/** The same database, telling how many rows each statement has read. */
function observeReads(db: D1Database, told: (rows: number) => void): D1Database {
	const observed = (statement: D1PreparedStatement): D1PreparedStatement =>
		intercept(statement, {
			bind: (...values: unknown[]) => observed(statement.bind(...values)),
			all: async () => {
				const result = await statement.all();
				told(result.meta.rows_read);
				return result;
			},
		});
	return intercept(db, { prepare: (query: string) => observed(db.prepare(query)) });
}

function intercept<T extends object>(target: T, methods: Record<string, unknown>): T {
	return new Proxy(target, {
		get: (_, name) => (typeof name === "string" && methods[name]) || Reflect.get(target, name),
	});
}

function chunks<T>(items: readonly T[], size: number): T[][] {
	return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
		items.slice(i * size, (i + 1) * size),
	);
}

function pick<T>(random: () => number, items: readonly T[]): T {
	return items[Math.floor(random() * items.length)]!;
}
