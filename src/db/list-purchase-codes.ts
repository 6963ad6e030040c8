import type { CodeFacts, TimedFacts } from "../domain/code-facts.ts";
import { CODE_WINDOW_MS } from "../domain/limits.ts";
import type { ListStatus } from "../domain/status-tables.ts";
import { pageByCounters } from "./page-by-counters.ts";
import { type AskedList, LIMIT } from "./page-statements.ts";
import { batch, type Db, named } from "./query.ts";

/** Which codes of a partner to list, at `now`. Times in epoch milliseconds; createdFrom and createdTo inclusive. */
export interface ListQuery {
	partnerId: string;
	now: number;
	limit: number;
	/** How many codes, newest first, precede the page. */
	offset: number;
	status?: ListStatus;
	reference?: string;
	batchId?: string;
	createdFrom?: number;
	createdTo?: number;
}

/** What is stored of a code that a list item shows or derives from. */
export type ListedCode = { batchId: string } & TimedFacts &
	Pick<CodeFacts, "code" | "product" | "updatedAt" | "externalReferenceId">;

/**
 * A page of the partner's codes, newest first and then by code, and how many codes the filters let through. It reads
 * counters and index entries, a few thousand at most, for any stock and page (docs/decisions/0002-list-by-counters.md).
 * @throws {Unavailable}
 */
export async function listPurchaseCodes(
	db: Db,
	list: ListQuery,
): Promise<{ total: number; codes: ListedCode[] }> {
	const asked = askedList(list);
	const { total, page } = await (asked.status || asked.hasReference
		? pageByCounters<PageRow>(db, asked, FACTS)
		: pageByArithmetic(db, asked));
	return { total, codes: page.map(({ seq: _, ...code }) => code) };
}

/** A list in the form that the statements are written from. */
export function askedList(list: ListQuery): AskedList {
	const { partnerId, now, limit, status, reference = "", batchId = "" } = list;
	return {
		range: list.batchId === undefined ? RANGE_OF_DATES : RANGE_OF_BATCH,
		...(status && { status }),
		hasReference: list.reference !== undefined,
		offset: list.offset,
		values: { partnerId, now, limit, offset: list.offset, reference, batchId, ...createdRange(list) },
	};
}

export const FACTS = `code, batch_id AS batchId, product, created_at AS createdAt, updated_at AS updatedAt,
	external_reference_id AS externalReferenceId, validated_at AS validatedAt, issued_at AS issuedAt,
	certificate_not_after AS certificateNotAfter, cancelled_at AS cancelledAt, blocked_at AS blockedAt,
	locked_until AS lockedUntil, onboarding_until AS onboardingUntil, processing_until AS processingUntil`;

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

export type PageRow = ListedCode & { seq: number };

/** Where neither status nor reference is asked: a range of `seq` has no gaps. Written by hand: drizzle has no MATERIALIZED. */
async function pageByArithmetic(db: Db, { range, values }: AskedList) {
	const { counted, page } = await batch(db, {
		counted: named<{ total: number }>(`SELECT hi - lo + 1 AS total FROM (${range})`, values),
		page: named<PageRow>(
			`WITH range AS MATERIALIZED (${range})
				SELECT seq, ${FACTS} FROM purchase_codes WHERE partner_id = :partnerId
					AND seq BETWEEN (SELECT lo FROM range) AND (SELECT hi - :offset FROM range)
				ORDER BY seq DESC ${LIMIT}`,
			values,
		),
	});
	return { total: counted[0]?.total ?? 0, page };
}
