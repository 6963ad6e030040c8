import { expect } from "vitest";
import {
	type ListedCode,
	type ListQuery,
	listPurchaseCodes,
	walkPurchaseCodes,
} from "../../src/db/list-purchase-codes.ts";
import { DAY_MS } from "../../src/domain/durations.ts";
import { CODE_WINDOW_MS } from "../../src/domain/limits.ts";
import { PRODUCT_CODES } from "../../src/domain/products.ts";
import { LIST_STATUSES, listStatus } from "../../src/domain/status-tables.ts";
import { openRegister } from "./db.ts";
import {
	type Batch,
	countAll,
	NOW,
	pick,
	REFERENCES,
	randomBatches,
	randomCodes,
	type StoredCode,
	storeBatches,
	storeCodes,
} from "./stored-codes.ts";

export type Filters = Omit<ListQuery, "partnerId" | "now" | "limit" | "offset">;

/** A second reading of the list, from memory and in the simplest way, over codes drawn at random and stored in D1. */
export class NaiveList {
	readonly #random: () => number;
	/** Newest first, then by code. */
	readonly #codes: readonly StoredCode[];
	readonly #batches: readonly (Batch & { partnerId: string })[];

	private constructor(
		random: () => number,
		codes: readonly StoredCode[],
		batches: readonly (Batch & { partnerId: string })[],
	) {
		this.#random = random;
		this.#codes = codes;
		this.#batches = batches;
	}

	/** @param sizes - how many codes each partner has, by the partner's id. */
	static async store(random: () => number, sizes: Record<string, number>): Promise<NaiveList> {
		const batches = Object.entries(sizes).flatMap(([partnerId, size]) =>
			randomBatches(random, size).map((batch) => ({ ...batch, id: `${partnerId}-${batch.id}`, partnerId })),
		);
		const codes = batches
			.flatMap((batch) => randomCodes(random, batch))
			.sort((a, b) => b.createdAt - a.createdAt || (a.code < b.code ? -1 : 1));
		await storeBatches(batches);
		await storeCodes(codes);
		await countAll();
		return new NaiveList(random, codes, batches);
	}

	/** Every single filter, at the first, a middle and the last page and beyond, and at the ends of a block of counters. */
	async expectSameUnderSingleFilters(partnerIds: readonly string[]): Promise<void> {
		for (const partnerId of partnerIds) {
			for (const filters of this.#singleFilters(partnerId)) {
				const { total } = this.read({ partnerId, now: NOW, limit: 1, offset: 0, ...filters });
				const last = Math.max(0, total - 1);
				for (const offset of new Set([0, 1, 127, 128, 16_384, total >> 1, last, total, total + 7])) {
					await this.#expectSame({ partnerId, now: NOW, limit: 50, offset, ...filters });
				}
			}
		}
	}

	/** Random filters at random moments. */
	async expectSameUnderRandomFilters(partnerIds: readonly string[], rounds: number): Promise<void> {
		for (let round = 0; round < rounds; round++) {
			await this.#expectSame(this.#randomQuery(pick(this.#random, partnerIds)));
		}
	}

	/** Everything under every single filter, page after page. @returns how many codes each had, and the rows that D1 read. */
	async expectSameWalks(
		partnerId: string,
		count: <T>(act: () => Promise<T>) => Promise<{ result: T; rows: number }>,
	): Promise<{ codes: number; rows: number }[]> {
		const costs: { codes: number; rows: number }[] = [];
		for (const filters of this.#singleFilters(partnerId)) {
			const query = { partnerId, now: NOW, ...filters, oldestFirst: false };
			const { result, rows } = await count(async () => {
				const { total, pages } = await walkPurchaseCodes(openRegister(), query);
				return { total, codes: (await Array.fromAsync(pages)).flat() };
			});
			const { total, codes } = this.read({ ...query, limit: Infinity, offset: 0 });
			expect(result.total, JSON.stringify(filters)).toBe(total);
			expect(result.codes, JSON.stringify(filters)).toMatchObject(codes);
			costs.push({ codes: total, rows });
		}
		return costs;
	}

	read(query: ListQuery): { total: number; codes: ListedCode[] } {
		const found = this.#codes.filter(
			(code) =>
				code.partnerId === query.partnerId &&
				(query.product === undefined || code.product === query.product) &&
				(query.reference === undefined || code.externalReferenceId === query.reference) &&
				(query.batchId === undefined || code.batchId === query.batchId) &&
				(query.createdFrom === undefined || code.createdAt >= query.createdFrom) &&
				(query.createdTo === undefined || code.createdAt <= query.createdTo) &&
				(query.status === undefined || listStatus(code, query.now) === query.status),
		);
		const ordered = query.oldestFirst ? found.toReversed() : found;
		const page = ordered.slice(query.offset, query.offset + query.limit);
		return { total: found.length, codes: page.map(({ partnerId: _, seq: __, ...code }) => code) };
	}

	#singleFilters(partnerId: string): (Filters & { now?: number })[] {
		const own = this.#batches.filter((batch) => batch.partnerId === partnerId);
		const [largest] = own.toSorted((a, b) => b.lastSeq - b.firstSeq - (a.lastSeq - a.firstSeq));
		const inside = largest?.createdAt ?? NOW;
		return [
			{},
			...LIST_STATUSES.flatMap((status) => [{ status }, { status, now: inside + CODE_WINDOW_MS }]),
			...REFERENCES.map((reference) => ({ reference })),
			{ reference: "never used" },
			{ product: "FV02" },
			{ product: "FV00", reference: "shared" },
			{ oldestFirst: true },
			{ oldestFirst: true, status: "sin_utilizar" },
			...[own.at(0), own.at(-1)].flatMap((batch) => (batch ? [{ batchId: batch.id }] : [])),
			{ batchId: "no such batch" },
			{ batchId: this.#batches.find((batch) => batch.partnerId !== partnerId)?.id ?? "" },
			{ createdFrom: inside },
			{ createdFrom: inside + 1 },
			{ createdTo: inside },
			{ createdTo: inside - 1 },
			{ createdFrom: 0, createdTo: 1 },
			{ createdFrom: NOW * 2 },
			{ createdFrom: inside + 1, createdTo: inside },
		];
	}

	#randomQuery(partnerId: string): ListQuery {
		const random = this.#random;
		const own = this.#batches.filter((batch) => batch.partnerId === partnerId);
		const instants = own.map(({ createdAt }) => createdAt);
		const code = pick(random, this.#codes);
		const now = pick(random, [
			NOW,
			NOW + Math.floor(random() * 40 * DAY_MS),
			code.createdAt + CODE_WINDOW_MS,
			code.validationLockedUntil ?? code.claimLockedUntil ?? NOW,
			code.processingUntil ?? NOW,
		]);
		const filters: Filters = {
			...(random() < 0.7 && { status: pick(random, LIST_STATUSES) }),
			...(random() < 0.4 && { reference: pick(random, REFERENCES) }),
			...(random() < 0.3 && { product: pick(random, PRODUCT_CODES) }),
			...(random() < 0.3 && { oldestFirst: true }),
			...(random() < 0.1 && { batchId: pick(random, this.#batches).id }),
			...(random() < 0.3 && { createdFrom: pick(random, instants) + Math.floor(random() * 3) - 1 }),
			...(random() < 0.3 && { createdTo: pick(random, instants) + Math.floor(random() * 3) - 1 }),
		};
		const { total } = this.read({ partnerId, now, limit: 1, offset: 0, ...filters });
		const offset = pick(random, [0, Math.floor(random() * (total + 2))]);
		return { partnerId, now, limit: pick(random, [1, 50, 500]), offset, ...filters };
	}

	async #expectSame(query: ListQuery): Promise<void> {
		expect(await listPurchaseCodes(openRegister(), query), JSON.stringify(query)).toEqual(this.read(query));
	}
}
