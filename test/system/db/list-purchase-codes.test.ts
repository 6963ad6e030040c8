import { beforeAll, describe, expect, test } from "vitest";
import { findAnyThings, findOwnThings } from "../../../src/db/find.ts";
import { listPurchaseCodes } from "../../../src/db/list-purchase-codes.ts";
import { readOverview } from "../../../src/db/overview.ts";
import { LIST_STATUSES } from "../../../src/domain/status-tables.ts";
import { openRegister, REGISTER } from "../../support/db.ts";
import { rowsReadDuring } from "../../support/failing-db.ts";
import type { Filters } from "../../support/naive-list.ts";
import { isLongRun } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { freshService } from "../../support/service.ts";
import { type Batch, countAll, NOW, randomBatches, storeBatches } from "../../support/stored-codes.ts";

beforeAll(freshService);

describe("a partner with a million codes, in CI a fifth of them", { timeout: 120_000 }, () => {
	const MILLION = isLongRun ? 1_000_000 : 200_000;
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
			"product, oldest first": { product: "FV02", oldestFirst: true },
			"reference of nearly all, product": { product: "FV02", reference: "shared" },
			...Object.fromEntries(
				LIST_STATUSES.map((status) => [`${status}, product`, { status, product: "FV03" }]),
			),
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

	test("reads at most 4,000 rows for any filter on any page, 6,500 where one reference has every status and product", async () => {
		const costly: unknown[] = [];
		for (const [name, filters] of Object.entries(cases)) {
			const { total } = await measure(filters, 50, 0);
			// Every block has counters of five facets and four products.
			const most = filters.reference && !filters.status && !filters.product ? 6_500 : 4_000;
			const middle = Math.min(MILLION / 2, total >> 1);
			for (const offset of [0, middle, MILLION / 2, Math.max(0, total - 50)]) {
				const { codes, rowsRead } = await measure(filters, 50, offset);
				expect(codes).toHaveLength(Math.max(0, Math.min(50, total - offset)));
				if (rowsRead > most) costly.push({ name, offset, rowsRead });
			}
			const { codes, rowsRead } = await measure(filters, 500, 0);
			expect(codes).toHaveLength(Math.min(500, total));
			if (rowsRead > (name.includes(",") ? 6_000 : most)) costly.push({ name, limit: 500, rowsRead });
		}
		expect(costly).toEqual([]);
	});

	test("finds a code by its beginning, a reference and a batch in as many rows as it shows", {
		tags: ["console-find"],
	}, async () => {
		const db = openRegister();
		const batch = batches[batches.length >> 1]!;
		const own = { partnerId: "million", serial: "0".repeat(32), rutIndex: "x" };
		const { result: ops, rows } = await rowsReadDuring(async () => {
			for (const text of ["shared", batch.id])
				for (const prefix of ["million-9", "million-99500", "million-9950000"])
					await findOwnThings(db, { ...own, text, prefix });
			return findAnyThings(db, { text: "million", prefix: "million-99", serial: null });
		});
		expect(ops.codes).toHaveLength(11);
		expect(rows).toBeLessThan(6 * 30 + 30);
	});

	test("moves a code's counters without reading those of its neighbours", async () => {
		const { meta } = await REGISTER.prepare(
			`UPDATE purchase_codes SET cancelled_at = iif(cancelled_at IS NULL, ?, NULL)
				WHERE partner_id = 'million' AND seq = ${MILLION / 5}`,
		)
			.bind(NOW)
			.run();
		expect(meta.rows_read).toBeLessThan(50);
	});

	test("the overview reads 5,000 rows, and the counters of the last days", {
		tags: ["console-rows"],
	}, async () => {
		expect((await measureOverview()).rows).toBeLessThan(5_000);
		await REGISTER.batch(
			[
				"INSERT OR REPLACE INTO usage_counts (partner_id, block, day, product, kind, n) " +
					`WITH RECURSIVE block (b) AS (SELECT 0 UNION ALL SELECT b + 1 FROM block WHERE b < ${MILLION >> 14}),
					day (d) AS (SELECT 0 UNION ALL SELECT d + 1 FROM day WHERE d < 89)
				SELECT 'million', b, date(${NOW} / 1000, 'unixepoch', -d || ' days'), p.value, k.value, 1 FROM block, day,
					json_each('["FV00", "FV01", "FV02", "FV03"]') AS p,
					json_each('["created", "validated", "emitted", "revoked", "expired"]') AS k`,
				`INSERT INTO outbox (id, partner_id, code, event, channel, created_at, delivered_at, dead_at)
				SELECT 'outbox-' || seq, partner_id, code, 'certificate.emitted', 'webhook', ${NOW} - seq,
					iif(seq % 3 = 0, 1, NULL), iif(seq % 3 = 1, 1, NULL) FROM purchase_codes WHERE partner_id = 'million' AND seq < 30000`,
				`INSERT INTO audit_events (entity, version, partner_id, at, actor, action, outcome, request_id, previous_hash, hash)
				SELECT 'code:' || code, 1, partner_id, ${NOW} - seq, 'x', iif(seq % 2, 'claim_failed', 'validated'), 'reason', 'x', '', ''
				FROM purchase_codes WHERE partner_id = 'million' AND seq < 30000`,
				`INSERT INTO certificates (serial, issuer_key_id, partner_id, code, issued_at, not_before, not_after)
				SELECT printf('%032X', seq), 'c0ffee', partner_id, code, 1, 1, ${NOW} + seq FROM purchase_codes
				WHERE partner_id = 'million' AND seq < 30000`,
			].map((text) => REGISTER.prepare(text)),
		);
		const { result, rows } = await measureOverview();
		expect(result).toMatchObject({
			certificatesEnding: 1_001,
			deliveries: { pending: 1_001, delivered: 1_001, dead: 1_001 },
			failures: [{ reason: "reason", n: 1_000 }],
		});
		// Every counter of the days is read, and those of three kinds out of five are sorted.
		const counters = ((MILLION >> 14) + 1) * 31 * 4 * (5 + 3);
		expect(rows).toBeLessThan(10_000 + counters);
	});

	function measureOverview() {
		const asked = { partnerId: "million", now: NOW, realNow: NOW };
		return rowsReadDuring(() => readOverview(openRegister(), asked));
	}

	async function measure(filters: Filters, limit: number, offset: number) {
		const query = { partnerId: "million", now: NOW, limit, offset, ...filters };
		const { result, rows } = await rowsReadDuring(() => listPurchaseCodes(openRegister(), query));
		return { ...result, rowsRead: rows };
	}
});

/** Codes for the partner's batches, made in the database: every facet, some hundred busy, one reference but for a few. */
async function generateCodes(partnerId: string, upTo: number): Promise<void> {
	const generate = REGISTER.prepare(
		`WITH RECURSIVE step (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < 499),
			made AS (SELECT b.*, first_seq + i AS seq, ((first_seq + i) * 2654435761) % 4294967296 AS dice
				FROM batches AS b JOIN step ON first_seq + i <= last_seq
				WHERE partner_id = ?1 AND last_seq > ?2 AND last_seq <= ?3)
		INSERT INTO purchase_codes (partner_id, seq, code, batch_id, product, created_at, updated_at,
				external_reference_id, validated_at, issued_at, cancelled_at, blocked_at, validation_locked_until, claim_locked_until,
				processing_until)
			SELECT partner_id, seq, ?1 || '-' || printf('%07d', 9999999 - seq), id, product, created_at, created_at,
				iif(dice % 5003 = 0, 'rare', 'shared'),
				iif(dice % 7 IN (0, 1), ?4, NULL), iif(dice % 7 = 1, ?4, NULL), iif(dice % 7 = 2, ?4, NULL),
				iif(dice % 7 = 3, ?4, NULL),
				iif(dice % 3001 = 0, ?4 + dice % 3600000, iif(dice % 11 = 0, ?4 - 1, NULL)),
				iif(dice % 3001 = 0, ?4 + dice % 3600000, iif(dice % 11 = 0, ?4 - 1, NULL)),
				iif(dice % 6007 = 0, ?4 + 60000, NULL)
			FROM made`,
	);
	const CHUNK = 50_000;
	for (let seq = 0; seq < upTo; seq += CHUNK) await generate.bind(partnerId, seq, seq + CHUNK, NOW).run();
}
