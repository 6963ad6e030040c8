import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { quantile } from "simple-statistics";
import { dataOf } from "../../scripts/data-of.ts";
import { certifyStock, issueSamples } from "../certified-stock.ts";
import { compare, type Part, type Table } from "../measure.ts";
import { type BenchPartner, createPartner } from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { drawCodes, SHARED_REFERENCE, seedStock } from "../stock.ts";
import { figure } from "../table.ts";
import { type Answered, CALLS, Traffic } from "../traffic.ts";

/** The longest that a partner's writes may wait for a move. */
const FROZEN_MS = 30_000;
const PAUSE_MS = 250;
/** D1 is away from the Worker, if not far. */
const AWAY_MS = 1;
/** Pages that are compared, from the first to the last. */
const PAGES = 9;
const LIMIT = 50;
/** Days of audit rows that digests may be of, and more than the job takes at once. */
const DIGEST_RUNS = 4;

/**
 * Moves a partner with certificates to another database through ops' API, as `npm run ops -- partners move` does, while
 * its clients work on. What was there before, and what each answer acknowledged meanwhile, is there afterwards.
 */
export const measureMove: Part = async ({ quick }) => {
	const service = await startService();
	try {
		const codes = quick ? 20_000 : 1_000_000;
		const partner = await createPartner(service);
		await seedStock(service.db, partner.id, codes, Date.now());
		const certificates = await certifyStock(service, await issueSamples(service), partner.id, { all: false });
		for (let run = 0; run < DIGEST_RUNS; run++) await takeDigests(service);
		const stock = { partner, codes, until: new Date().toISOString() };
		const before = await look(service, stock);
		await service.http.expect(200, { path: `/bench/databases-away?ms=${AWAY_MS}` });
		const traffic = new Traffic(service, partner, 0);
		traffic.start(PAUSE_MS);
		await pause(quick ? 10_000 : 60_000);
		const beganAt = performance.now();
		const { seconds, rows } = await move(service, partner, { to: 1 });
		await traffic.stop();
		const after = await look(service, stock);
		for (const [what, value] of Object.entries(before))
			if (!isDeepStrictEqual(value, after[what]))
				throw new Error(`${what} differs: ${JSON.stringify({ value, after: after[what] }).slice(0, 2_000)}`);
		await service.http.expect(200, { path: "/bench/databases-away?ms=0" });
		const kept = await countKept(service, traffic);
		const audit = await verifyAudit(service);
		const refused = traffic.answered.filter(({ status }) => status >= 500);
		if (refused.some(({ status, retryAfter }) => status !== 503 || !retryAfter))
			throw new Error("a call was refused in another way than by 503 with Retry-After");
		const frozen = frozenMs(traffic.answered);
		const heading = `A partner of ${codes.toLocaleString("en")} codes and ${certificates.toLocaleString("en")} certificates moves with traffic on it`;
		await traffic.close();
		return {
			measures: [
				compare({
					...{ name: "writes refused during a move / what a move may take", unit: "ms" },
					...{ ours: Math.max(0, ...frozen), base: FROZEN_MS, aim: { atMost: 1 } },
				}),
			],
			tables: [
				{
					heading,
					columns: ["", "figure"],
					rows: [
						["seconds in all", seconds.toFixed(0)],
						["rows copied", rows.toLocaleString("en")],
						["times that writes were refused, ms each", frozen.map((ms) => ms.toFixed(0)).join(", ")],
						["calls refused", String(refused.length)],
						["calls answered meanwhile", String(traffic.answered.length - refused.length)],
						["codes that an answer acknowledged meanwhile, all as it said", String(kept)],
						["audit rows and entities that verify afterwards", audit.toLocaleString("en")],
					],
				},
				describeCalls(traffic.answered, beganAt),
			],
		};
	} finally {
		await service.stop();
	}
};

async function move(service: BenchService, partner: BenchPartner, wish: { to: number }) {
	const params = { path: { id: partner.id } };
	const started = performance.now();
	let rows = 0;
	let body: { to: number } | { cursor: "on" } = wish;
	for (;;) {
		const moved = dataOf(await service.ops.POST("/ops/v1/partners/{id}/move", { params, body }));
		rows += moved.rows;
		if (moved.next === null) {
			if (moved.state !== "moved") throw new Error(`the move ended as ${JSON.stringify(moved)}`);
			return { rows, seconds: (performance.now() - started) / 1_000 };
		}
		body = { cursor: "on" };
	}
}

async function takeDigests({ ops }: BenchService): Promise<void> {
	const params = { path: { job: "digest-audit" } };
	dataOf(await ops.POST("/ops/v1/upkeep/{job}", { params, body: {} }));
}

/** Reads what a move must leave as it was: of codes that were there before the traffic, and of days that are over. */
async function look(
	service: BenchService,
	{ partner, codes, until: to }: { partner: BenchPartner; codes: number; until: string },
): Promise<Record<string, unknown>> {
	const { http, ops } = service;
	const headers = { "x-gw": partner.apiKey };
	const read = async (path: string) => JSON.parse((await http.expect(200, { path, headers })).text);
	const list = (query: string) => read(`/api/partner/v1/pcodes?created_to=${to}&limit=${LIMIT}&${query}`);
	const found: Record<string, unknown> = {};
	const last = codes / LIMIT;
	for (let n = 0; n < PAGES; n++) {
		const page = 1 + Math.floor((n * (last - 1)) / (PAGES - 1));
		found[`page ${page}`] = await list(`page=${page}`);
	}
	for (const status of ["emitido", "validado", "anulado", "bloqueado"])
		found[status] = await list(`status=${status}`);
	found.reference = await list(`external_reference_id=${SHARED_REFERENCE}`);
	const month = new Date(Date.parse(to) - 28 * 86_400_000).toISOString().slice(0, 7);
	found.usage = await read(`/api/partner/v1/usage?month=${month}`);
	found.digests = dataOf(await ops.GET("/ops/v1/digests"));
	for (const code of [...(await drawn(service, partner, codes)), ""]) {
		const entity = code === "" ? `batch:${partner.id}-3` : `code:${code}`;
		const asked = { params: { path: { entity }, query: {} } };
		found[entity] = (await ops.GET("/ops/v1/audit/{entity}", asked)).data ?? "none";
	}
	return found;
}

/** Draws the codes that are compared, also when the partner has moved away: its old rows stay. */
function drawn({ db }: BenchService, partner: BenchPartner, codes: number): Promise<string[]> {
	return drawCodes(db, partner.id, codes, 30);
}

/** How many codes the traffic knows of. @throws when one is not as the last answer about it said */
async function countKept({ http }: BenchService, { codes, partner }: Traffic): Promise<number> {
	for (const [code, left] of codes) {
		const path = `/api/partners/v1/status?p_code=${code}`;
		const { text } = await http.expect(200, { path, headers: { "x-gw": partner.apiKey } });
		const { status } = JSON.parse(text).data;
		if (status !== left) throw new Error(`${code} is ${status}, and an answer said ${left}`);
	}
	return codes.size;
}

/** @returns how many rows and entities verify @throws at a fault */
async function verifyAudit({ ops }: BenchService): Promise<number> {
	let checked = 0;
	let cursor: string | null = null;
	do {
		const page: { checked: number; faults: unknown[]; next: string | null } = dataOf(
			await ops.POST("/ops/v1/audit/verify", { body: cursor === null ? {} : { cursor } }),
		);
		if (page.faults.length > 0) throw new Error(`the audit has ${JSON.stringify(page.faults.slice(0, 5))}`);
		checked += page.checked;
		cursor = page.next;
	} while (cursor !== null);
	return checked;
}

/** Each time in which writes were refused: from the sending of the first refused one to the first answer of a taken one. */
function frozenMs(answered: readonly Answered[]): number[] {
	const writes = answered.filter(({ call }) => call !== "status" && call !== "list");
	const spans: number[] = [];
	let since: number | null = null;
	for (const { status, sentAt, ms } of writes.toSorted((a, b) => a.sentAt - b.sentAt)) {
		if (status === 503) since ??= sentAt;
		else if (since !== null) {
			spans.push(sentAt + ms - since);
			since = null;
		}
	}
	return spans;
}

function describeCalls(answered: readonly Answered[], moveAt: number): Table {
	const times = (of: readonly Answered[]) => {
		const ms = of.filter(({ status }) => status < 300).map((one) => one.ms);
		return ms.length > 0 ? [0.5, 0.99].map((p) => figure(quantile(ms, p))) : ["", ""];
	};
	return {
		heading: "Its calls, before and during the move",
		columns: ["", "before, p50 ms", "p99 ms", "during, p50 ms", "p99 ms", "answered", "refused"],
		rows: CALLS.map((call) => {
			const its = answered.filter((one) => one.call === call);
			const during = its.filter(({ sentAt }) => sentAt >= moveAt);
			const refused = during.filter(({ status }) => status === 503).length;
			const before = its.filter(({ sentAt }) => sentAt < moveAt);
			return [call, ...times(before), ...times(during), String(during.length - refused), String(refused)];
		}),
	};
}
