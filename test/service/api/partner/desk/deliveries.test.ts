import { describe, expect, test, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../../../src/domain/durations.ts";
import { deliveryOf, issueToWebhook, undelivered } from "../../../../support/b2b.ts";
import { setTime } from "../../../../support/clock.ts";
import { execute } from "../../../../support/db.ts";
import { everyPage } from "../../../../support/every-page.ts";
import { rowsReadDuring } from "../../../../support/failing-db.ts";
import { deliverMessages, taken, useReceiver } from "../../../../support/receiver.ts";
import { refusal } from "../../../../support/refusal.ts";
import { ops, Partner } from "../../../../support/service.ts";

const outside = useReceiver();
const { receiver, queue } = outside;

test("why a webhook did not arrive, and sending it again", { tags: ["desk-deliveries"] }, async () => {
	const { partner, pCode, id } = await undelivered(outside);
	const [delivery] = (await partner.desk("GET", "/deliveries?state=pending&event=certificate.emitted")).body
		.data.deliveries;
	expect(delivery).toMatchObject({ id, p_code: pCode, last_outcome: "http 503", payload_kept: true });
	expect(delivery).not.toHaveProperty("partner_id");

	receiver.answer = taken;
	const resent = await partner.desk("POST", `/deliveries/${id}/resend`);
	expect([resent.status, resent.body.data.delivery.state]).toEqual([200, "pending"]);
	await vi.waitUntil(() => queue.length === 2);
	await deliverMessages(id);
	const { body, text } = await partner.desk("GET", `/deliveries/${id}`);
	expect(body.data.delivery).toMatchObject({ id, state: "delivered", payload_kept: false });
	const attempt = { at: expect.any(String), channel: "webhook", duration_ms: expect.any(Number) };
	expect(body.data.attempts).toEqual([
		{ ...attempt, outcome: "http 503", http_status: 503 },
		{ ...attempt, outcome: "delivered", http_status: 204 },
	]);
	expect(text).not.toMatch(/inner text|certificate":|titular|rut/);
	expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);

	const keys = (await partner.desk("GET", "/keys")).body.data.keys;
	const { events } = (await ops("GET", `/audit/delivery:${id}`)).body.data;
	expect(events).toMatchObject([{ action: "delivery_resent", actor: `partner:${keys.at(-1).id}` }]);
	const again = refusal(await partner.desk("POST", `/deliveries/${id}/resend`));
	expect(again).toEqual([406, "VALIDATION_ERROR", "PAYLOAD_ERASED"]);
});

test("an attempt without an answer has no status; its time and duration are those of the clock", async () => {
	receiver.answer = () => {
		setTime(Date.now() + 1_234);
		throw new TypeError("connection refused");
	};
	setTime(Date.now());
	const { partner, pCode } = await issueToWebhook();
	await vi.waitUntil(() => queue.length === 1);
	const row = await deliveryOf(pCode);
	const [attempt] = (await partner.desk("GET", `/deliveries/${row.id}`)).body.data.attempts;
	expect(attempt).toMatchObject({ outcome: "unreachable", http_status: null, duration_ms: 1_234 });
	expect(Date.parse(attempt.at)).toBe(row.created_at);
});

test("attempts are forgotten after 90 days, and the young ones stay", {
	tags: ["desk-deliveries"],
}, async () => {
	const { partner, id } = await undelivered(outside);
	const made = async () => (await partner.desk("GET", `/deliveries/${id}`)).body.data.attempts.length;
	setTime(Date.now() + 89 * DAY_MS);
	await deliverMessages(id);
	expect(await made()).toBe(2);
	setTime(Date.now() + 2 * DAY_MS);
	await ops("POST", "/upkeep/forget-delivery-attempts", {});
	expect(await made()).toBe(1);
});

describe("GET /deliveries", () => {
	const STATES = ["pending", "delivered", "dead"] as const;
	const EVENTS = ["certificate.emitted", "pcode.locked", "pcode.validated"] as const;
	const CODES = ["7K3M-9QXT-2B4C-H8WD", "9B2C-4D6F-8H1J-K3MN"];

	interface Row {
		id: string;
		code: string;
		event: string;
		state: string;
		createdAt: number;
	}

	/** Rows of every state, event and code, four of a time; the most of them dead. */
	async function fill(partnerId: string, count: number): Promise<Row[]> {
		const rows = Array.from({ length: count }, (_, i) => ({
			id: crypto.randomUUID(),
			code: CODES[i % 5 === 0 ? 0 : 1]!,
			event: EVENTS[i % 7 === 0 ? 1 : i % 11 === 0 ? 2 : 0]!,
			state: STATES[i % 13 === 0 ? 0 : i % 17 === 0 ? 1 : 2]!,
			createdAt: 1_795_000_000_000 + Math.floor(i / 4) * MINUTE_MS,
		}));
		await execute(
			`INSERT INTO outbox (id, partner_id, code, event, channel, payload_sealed, created_at, next_attempt_at, delivered_at, dead_at)
			SELECT value ->> 'id', ?, value ->> 'code', value ->> 'event', 'webhook', 'x', value ->> 'createdAt',
				iif(value ->> 'state' = 'pending', 1, NULL), iif(value ->> 'state' = 'delivered', 1, NULL), iif(value ->> 'state' = 'dead', 1, NULL)
			FROM json_each(?)`,
			...[partnerId, JSON.stringify(rows)],
		);
		return rows.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
	}

	test("every filter, alone and together, page by page: what a plain filter of the rows gives", {
		tags: ["desk-deliveries"],
	}, async () => {
		const partner = await Partner.create();
		const rows = await fill(partner.id, 300);
		await fill((await Partner.create()).id, 20);
		const since = 1_795_000_000_000 + 30 * MINUTE_MS;
		for (const state of [undefined, ...STATES])
			for (const event of [undefined, ...EVENTS])
				for (const code of [undefined, CODES[0]])
					for (const from of [undefined, since]) {
						const wanted = rows.filter(
							(row) =>
								(!state || row.state === state) &&
								(!event || row.event === event) &&
								(!code || row.code === code) &&
								(!from || row.createdAt >= from),
						);
						const asked = {
							...(state && { state }),
							...(event && { event }),
							...(code && { p_code: code.toLowerCase() }),
							...(from && { since: new Date(from).toISOString() }),
						};
						expect([asked, await allPages(partner, asked)]).toEqual([asked, wanted.map(({ id }) => id)]);
					}
		// A day is asked for from its first moment, and a text that is no code is none's.
		const day = new Date(rows.at(-1)!.createdAt).toISOString().slice(0, 10);
		expect(await allPages(partner, { since: day })).toEqual(rows.map(({ id }) => id));
		expect(await allPages(partner, { p_code: "7K3M" })).toEqual([]);
	});

	async function allPages(partner: Partner, asked: Record<string, string>): Promise<string[]> {
		const pages = await everyPage(async (from) => {
			const query = new URLSearchParams({ ...asked, limit: "70", ...from });
			const { status, body } = await partner.desk("GET", `/deliveries?${query}`);
			expect(status).toBe(200);
			return body.data;
		});
		return pages.flatMap((page) => page.deliveries.map(({ id }: { id: string }) => id));
	}

	test("a page reads its own length, however many deliveries there are", {
		tags: ["desk-rows-read"],
	}, async () => {
		const partner = await Partner.create();
		await partner.manageKey();
		await fill(partner.id, 6_000);
		const costly: unknown[] = [];
		for (const query of [
			"",
			"&state=pending",
			"&state=delivered",
			"&state=dead",
			"&event=pcode.validated",
			"&event=certificate.emitted",
			"&state=pending&event=pcode.validated",
			"&state=dead&event=pcode.locked&since=2026-11-20",
		]) {
			const ask = () => partner.desk("GET", `/deliveries?limit=20${query}`);
			const { result, rows } = await rowsReadDuring(ask);
			if (result.status !== 200 || rows === 0 || rows > 1_500) costly.push([query, result.status, rows]);
		}
		expect(costly).toEqual([]);
	});
});
