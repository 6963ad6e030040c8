import type { CodeFacts, TimedFacts } from "../domain/code-facts.ts";
import { CODE_WINDOW_MS } from "../domain/limits.ts";
import type { ProductCode } from "../domain/products.ts";
import type { ListStatus } from "../domain/status-tables.ts";
import {
	type AskedList,
	type Changes,
	inRange,
	LIMIT,
	pageByCounters,
	pageStatements,
	parseChanges,
} from "./page-by-counters.ts";
import { batch, named, type PartnerDb } from "./query.ts";
import { locatePage, type Ranks, type TopBlock } from "./rank-codes.ts";

/** Which codes of a partner to list, at `now`. Times in epoch milliseconds; createdFrom and createdTo inclusive. */
export interface ListQuery {
	partnerId: string;
	now: number;
	limit: number;
	/** How many codes precede the page. */
	offset: number;
	/** Turns the order, which is newest first and then by code. */
	oldestFirst?: boolean;
	status?: ListStatus;
	reference?: string;
	product?: ProductCode;
	batchId?: string;
	createdFrom?: number;
	createdTo?: number;
}

/** Columns of a code that a list item shows or is derived from. */
export type ListedCode = { batchId: string } & TimedFacts &
	Pick<CodeFacts, "code" | "product" | "updatedAt" | "externalReferenceId">;

/**
 * A page of the partner's codes and how many codes the filters let through. It reads
 * counters and index entries, a few thousand at most, for any stock and page (docs/decisions/0002-list-by-counters.md).
 * @throws {Unavailable}
 */
export async function listPurchaseCodes(
	db: PartnerDb,
	list: ListQuery,
): Promise<{ total: number; codes: ListedCode[] }> {
	const asked = askedList(list);
	const { total, page } = await (isFiltered(asked)
		? pageByCounters<PageRow>(db, asked, LISTED_COLUMNS)
		: pageByArithmetic(db, asked));
	return { total, codes: page.map(({ seq: _, ...code }) => code) };
}

/** A list in the form that the statements are written from. */
function askedList(list: ListQuery): AskedList {
	const { partnerId, now, limit, status, reference = "", product = "", batchId = "" } = list;
	return {
		range: list.batchId === undefined ? RANGE_OF_DATES : RANGE_OF_BATCH,
		...(status && { status }),
		hasReference: list.reference !== undefined,
		hasProduct: list.product !== undefined,
		oldestFirst: list.oldestFirst ?? false,
		offset: list.offset,
		values: {
			partnerId,
			now,
			limit,
			offset: list.offset,
			reference,
			product,
			batchId,
			...createdRange(list),
		},
	};
}

/** Whether counters are needed: dates and a batch alone leave a range of `seq` without gaps. */
function isFiltered({ status, hasReference, hasProduct }: AskedList): boolean {
	return status !== undefined || hasReference || hasProduct;
}

/** Columns of a {@link ListedCode}. */
export const LISTED_COLUMNS = `code, batch_id AS batchId, product, created_at AS createdAt, updated_at AS updatedAt,
	external_reference_id AS externalReferenceId, validated_at AS validatedAt, issued_at AS issuedAt,
	certificate_not_after AS certificateNotAfter, cancelled_at AS cancelledAt, blocked_at AS blockedAt,
	validation_locked_until AS validationLockedUntil, claim_locked_until AS claimLockedUntil, onboarding_until AS onboardingUntil, processing_until AS processingUntil`;

const RANGE_OF_BATCH = `SELECT first_seq AS lo, last_seq AS hi FROM batches
	WHERE id = :batchId AND partner_id = :partnerId AND created_at BETWEEN :from AND :to`;

const RANGE_OF_DATES = `SELECT lo, hi FROM (SELECT
		(SELECT first_seq FROM batches WHERE partner_id = :partnerId AND created_at >= :from
			ORDER BY created_at LIMIT 1) AS lo,
		(SELECT last_seq FROM batches WHERE partner_id = :partnerId AND created_at <= :to
			ORDER BY created_at DESC LIMIT 1) AS hi) WHERE lo <= hi`;

/** `sin_utilizar` and `expirado` are the unused codes on either side of an instant (§8, the 14-day window). */
function createdRange({ createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER, status, now }: ListQuery) {
	const lastExpired = now - CODE_WINDOW_MS;
	return {
		from: status === "sin_utilizar" ? Math.max(createdFrom, lastExpired + 1) : createdFrom,
		to: status === "expirado" ? Math.min(createdTo, lastExpired) : createdTo,
	};
}

type PageRow = ListedCode & { seq: number };

/** A page of what is not filtered. Written by hand: drizzle has no MATERIALIZED. */
async function pageByArithmetic(db: PartnerDb, { range, values, oldestFirst }: AskedList) {
	const [from, to] = oldestFirst ? ["lo + :offset", "hi"] : ["lo", "hi - :offset"];
	const { counted, page } = await batch(db, {
		counted: named<{ total: number }>(`SELECT hi - lo + 1 AS total FROM (${range})`, values),
		page: named<PageRow>(
			`WITH range AS MATERIALIZED (${range})
				SELECT seq, ${LISTED_COLUMNS} FROM purchase_codes WHERE partner_id = :partnerId
					AND seq BETWEEN (SELECT ${from} FROM range) AND (SELECT ${to} FROM range)
				ORDER BY seq ${oldestFirst ? "" : "DESC"} ${LIMIT}`,
			values,
		),
	});
	return { total: counted[0]?.total ?? 0, page };
}

/** Codes a trip: some hundred kilobytes. */
const PAGE = 1_000;

interface Walk {
	/** How many codes the filters let through when the walk began. */
	total: number;
	/** All of them in the order of the list, a page a trip. @throws {Unavailable} */
	pages: AsyncGenerator<ListedCode[]>;
}

/**
 * All codes that a list's filters let through, under one `now`, page after page by `seq`. One trip counts them and finds
 * the busy ones; each page then reads its own codes. A code that changes meanwhile is left out when it has another status by then.
 * @throws {Unavailable}
 */
export async function walkPurchaseCodes(
	db: PartnerDb,
	list: Omit<ListQuery, "limit" | "offset" | "oldestFirst">,
): Promise<Walk> {
	const asked = askedList({ ...list, limit: PAGE, offset: 0 });
	const counted = isFiltered(asked);
	const statements = pageStatements(asked, LISTED_COLUMNS);
	const { ranks, tops, changes } = await batch(db, {
		ranks: named<Ranks>(statements.ranks, asked.values),
		tops: named<TopBlock>(statements.tops, asked.values),
		changes: named<Changes>(statements.changes, asked.values),
	});
	const [range] = ranks;
	if (!range) return { total: 0, pages: walk(1, 0, async () => []) };
	const busy = inRange(parseChanges(changes[0]!, asked), range);
	const total = counted ? locatePage(range, tops, busy, 0, PAGE).total : range.hi - range.lo + 1;
	const text = counted ? statements.pageUpTo : UNFILTERED;
	const read = async (lo: number, hi: number, entered: readonly number[]) => {
		const values = { ...asked.values, lo, hi, entered: JSON.stringify(entered) };
		return (await batch(db, { page: named<PageRow>(text, values) })).page;
	};
	return { total, pages: walk(range.lo, range.hi, read, busy.entered) };
}

/** A range of `seq` has no gaps. Written by hand with the other statements of the list. */
const UNFILTERED = `SELECT seq, ${LISTED_COLUMNS} FROM purchase_codes
	WHERE partner_id = :partnerId AND seq BETWEEN :lo AND :hi ORDER BY seq DESC ${LIMIT}`;

/** @param entered - busy codes with the status that is asked for; a page is told of those that may lie on it */
async function* walk(
	lowest: number,
	highest: number,
	read: (lo: number, hi: number, entered: readonly number[]) => Promise<PageRow[]>,
	entered: readonly number[] = [],
): AsyncGenerator<ListedCode[]> {
	const newestFirst = entered.toSorted((a, b) => b - a);
	for (let hi = highest; hi >= lowest; ) {
		const next = newestFirst.filter((seq) => seq <= hi).slice(0, PAGE);
		// Busy codes beyond those named are the next page's, also when some of these have changed.
		const lo = next.length === PAGE ? next.at(-1)! : lowest;
		const page = await read(lo, hi, next);
		if (page.length > 0) yield page;
		hi = (page.length === PAGE ? page.at(-1)!.seq : lo) - 1;
	}
}
