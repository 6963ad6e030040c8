/* @module-tag partner-clock */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { HOOK } from "../../support/b2b.ts";
import { activeCode, claimed, validatedCode } from "../../support/codes.ts";
import { execute } from "../../support/db.ts";
import { codeRow, leaseOf, outboxOf, select } from "../../support/look-inside.ts";
import { holdQueue, Receiver, runCron } from "../../support/receiver.ts";
import { call, freshService, JUANA, ops, Partner, PEDRO } from "../../support/service.ts";
import { frame, sessionOf, showSession } from "../../support/widget.ts";

/* POST /sandbox/clock: what goes by the partner's own time, and what stays real (decision 18). */

beforeAll(freshService);

async function advance(partner: Partner, duration: string) {
	const { status, body, text } = await partner.desk("POST", "/sandbox/clock", { advance: duration });
	if (status !== 200) throw new Error(`the clock was not moved: ${status} ${text}`);
	return body.data;
}

const near = (time: number | string | null, expected: number) =>
	expect(Math.abs(new Date(time!).getTime() - expected)).toBeLessThan(6 * MINUTE_MS);

describe("goes by the partner's clock", () => {
	test("the window of a code, in both statuses, the list's filter and certificate_request; the times of codes", async () => {
		const [partner, other] = [await Partner.create(), await Partner.create()];
		const [pCode, others] = [await partner.code(), await other.code()];
		const data = await advance(partner, "P15D");
		near(data.now, Date.now() + 15 * DAY_MS);
		expect(data.offset_seconds).toBe(15 * 86_400);
		expect((await partner.listed(pCode)).status).toBe("expirado");
		expect((await partner.list("?status=expirado")).body.data.pagination.total).toBe(1);
		const { status, body } = await partner.request({ pCode, ...JUANA });
		expect([status, body.details[0].code]).toEqual([406, "CODE_EXPIRED"]);
		const later = await partner.code();
		near((await partner.listed(later)).created_at, Date.now() + 15 * DAY_MS);
		expect((await partner.request({ pCode: later, ...JUANA })).status).toBe(200);
		near((await codeRow(later)).validated_at, Date.now() + 15 * DAY_MS);
		expect((await ops("GET", `/pcodes/${pCode}`)).body.data.pcode.list_status).toBe("expirado");
		// Another partner's time stands.
		expect((await other.listed(others)).status).toBe("sin_utilizar");
		expect((await other.request({ pCode: others, ...JUANA })).status).toBe(200);
	});

	test("the end of a security lock, of the code and of the RUT", async () => {
		await freshService();
		const { partner, pCode } = await activeCode();
		const wrong = { ...JUANA, serialNumber: "999999999" };
		for (let i = 0; i < 3; i++) await partner.request({ pCode, ...wrong });
		const locked = await partner.request({ pCode, ...JUANA });
		expect([locked.status, await partner.status(pCode)]).toEqual([429, "LOCKED"]);
		const second = await partner.code();
		for (let i = 0; i < 3; i++) await partner.request({ pCode: second, ...wrong });
		await advance(partner, "PT31M");
		expect(await partner.status(pCode)).toBe("ACTIVE");
		expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
		for (let i = 0; i < 5; i++) await partner.claim(pCode, { pin: "0000" });
		await advance(partner, "PT31M");
		const { codes } = (await ops("POST", "/holders/search", { dni: JUANA.dni, reason: "test" })).body.data;
		expect(codes).toMatchObject([{ p_code: pCode, status: "VALIDATED" }]);
	});

	test("a validation's lapse: done before the answer, with its event", async () => {
		await freshService();
		const receiver = new Receiver();
		holdQueue();
		const { partner, pCode } = await validatedCode({ webhook_url: HOOK, webhook_events: ["*"] });
		receiver.clear();
		expect((await advance(partner, "P76D")).done).toMatchObject({ validations_lapsed: 0, reminders: 1 });
		const { done } = await advance(partner, "P14D");
		expect(done).toMatchObject({ validations_lapsed: 1, reminders: 0, deliveries_tried: 1, delivered: 1 });
		expect(receiver.bodies.map(({ type }) => type)).toContain("pcode.lapsing");
		expect(await partner.status(pCode)).toBe("LOCKED");
		expect((await partner.claim(pCode)).status).toBe(423);
		expect(await select("SELECT * FROM holders")).toEqual([]);
		const locked = receiver.bodies.find(({ type }) => type === "pcode.locked");
		expect(locked.data).toMatchObject({ p_code: pCode, reason: "validation_lapsed" });
		near(locked.timestamp, Date.now() + 90 * DAY_MS);
		// The header that receivers compare with their own clock is real.
		for (const { headers } of receiver.received)
			near(Number(headers["webhook-timestamp"]) * 1000, Date.now());
	});

	test("a widget session's end, and its events; the frame counts down by the real clock", async () => {
		const receiver = new Receiver();
		holdQueue();
		const partner = await Partner.create({ webhook_url: HOOK, webhook_events: ["onboarding.expired"] });
		await advance(partner, "P1D");
		const made = await sessionOf(partner, await partner.code());
		near((await showSession(made)).body.data.expires_at, Date.now() + 2 * DAY_MS);
		const opened = await frame(made, "POST", "/open");
		near(opened.body.data.expires_at, Date.now() + 30 * MINUTE_MS);
		expect(await partner.status(made.pCode)).toBe("IN_ONBOARDING");
		expect((await advance(partner, "PT31M")).done.sessions_ended).toBe(1);
		expect((await showSession(made)).body.data).toMatchObject({ status: "ended", end_reason: "expired" });
		expect((await frame(made, "GET")).status).toBe(401);
		expect(await partner.status(made.pCode)).toBe("ACTIVE");
		expect(receiver.bodies.map(({ type }) => type)).toEqual(["onboarding.expired"]);
	});

	test("reminders of codes and certificates, each delivered before the answer", async () => {
		const receiver = new Receiver();
		holdQueue();
		const events = ["certificate.expiring", "pcode.expiring"];
		const partner = await Partner.create({ webhook_url: HOOK, webhook_events: events });
		await claimed(partner, "FV01");
		await partner.bulk(3);
		expect((await advance(partner, "P12D")).done).toMatchObject({ reminders: 1, delivered: 2 });
		expect((await advance(partner, "P294D")).done).toMatchObject({ reminders: 1 });
		expect(receiver.bodies.map(({ type, data }) => [type, data.count ?? data.days])).toEqual([
			["pcode.expiring", 3],
			["certificate.expiring", 60],
		]);
		expect((await advance(partner, "PT1M")).done.reminders).toBe(0);
	});

	test("the retries of a delivery: one attempt each time that it is due, dead after 72 hours", async () => {
		const receiver = new Receiver();
		receiver.answer = () => new Response(null, { status: 503 });
		const held = holdQueue();
		const partner = await Partner.create({ mode: "B2B", webhook_url: HOOK });
		await advance(partner, "P1Y");
		const pCode = await partner.code();
		expect((await partner.request({ pCode, ...JUANA })).body.data.status).toBe("EMITTED");
		await vi.waitFor(async () => expect((await outboxOf(pCode))[0]!.last_outcome).toBe("http 503"));
		await vi.waitFor(() => expect(held.map(({ delaySeconds }) => delaySeconds)).toEqual([5]));
		// The holder's e-mail.
		expect((await advance(partner, "PT1S")).done.deliveries_tried).toBe(1);
		for (const wait of ["PT4S", "PT5M", "PT30M"])
			expect([wait, (await advance(partner, wait)).done]).toMatchObject([
				wait,
				{ deliveries_tried: 1, delivered: 0 },
			]);
		expect((await advance(partner, "PT1M")).done.deliveries_tried).toBe(0);
		const [row] = await outboxOf(pCode);
		const shown = (await partner.desk("GET", `/deliveries/${row!.id}`)).body.data;
		expect(shown.attempts.length).toBe(4);
		near(shown.attempts[0].at, Date.parse(shown.delivery.created_at));
		await advance(partner, "PT72H");
		expect((await outboxOf(pCode))[0]!.dead_at).toEqual(expect.any(Number));
		// The cron goes by the same clock: sent again, and its message lost, it is found.
		receiver.answer = () => new Response(null, { status: 204 });
		await partner.desk("POST", `/deliveries/${row!.id}/resend`);
		expect((await advance(partner, "PT1M")).done.delivered).toBe(1);
		// Attempts are forgotten after 90 days.
		await advance(partner, "P90D");
		expect((await partner.desk("GET", `/deliveries/${row!.id}`)).body.data.attempts).toEqual([]);
	});

	test("EXPIRED, the validity of certificates and the month of the usage", async () => {
		const partner = await Partner.create();
		const { pCode } = await claimed(partner, "FV00");
		await advance(partner, "P31D");
		expect(await partner.status(pCode)).toBe("EXPIRED");
		const list = await partner.desk("GET", "/certificates?validity=expired");
		expect(list.body.data.certificates.map((one: { p_code: string }) => one.p_code)).toEqual([pCode]);
		const { month } = (await partner.desk("GET", "/usage")).body.data;
		const expected = new Date(Date.now() + 31 * DAY_MS).toLocaleDateString("sv", {
			timeZone: "America/Santiago",
		});
		expect(month).toBe(expected.slice(0, 7));
	});

	test("the cron does the due work of moved clocks, without any other partner's", async () => {
		await freshService();
		const [partner, other] = [await Partner.create(), await Partner.create()];
		await advance(partner, "P30D");
		const pCodes = [await partner.code(), await other.code()];
		await partner.request({ pCode: pCodes[0], ...JUANA });
		await other.request({ pCode: pCodes[1], ...PEDRO });
		const advanced = "UPDATE partners SET clock_offset = clock_offset + ? WHERE id = ?";
		await execute(advanced, 90 * DAY_MS, partner.id);
		await runCron();
		const open = await select("SELECT code FROM purchase_codes WHERE blocked_at IS NULL");
		expect(open.map(({ code }) => code)).toEqual([pCodes[1]]);
	});
});

describe("stays real", () => {
	test("the dates of a certificate and of its revocation, the history and a lease; a moved clock leaves a step its end", async () => {
		const partner = await Partner.create();
		await advance(partner, "P365D");
		const { pCode, serial, end } = await claimed(partner, "FV03");
		const [row] = await select("SELECT * FROM certificates WHERE serial = ?", serial);
		// Five minutes before the issue.
		near(row!.not_before, Date.now());
		expect([end, Math.round((end - row!.not_before) / DAY_MS)]).toEqual([
			row!.not_after,
			expect.toBeOneOf([1095, 1096]),
		]);
		expect(await partner.status(pCode)).toBe("EMITTED");
		const revoked = await partner.desk("POST", `/certificates/${serial}/revoke`, { reason: "superseded" });
		near(revoked.body.data.certificate.revoked_at, Date.now());
		near(revoked.body.data.certificate.issued_at, Date.now() + 365 * DAY_MS);
		const { pcode } = (await partner.desk("GET", `/pcodes/${pCode}`)).body.data;
		for (const { at } of pcode.timeline) near(at, Date.now());
		expect(await leaseOf(partner, pCode)).toBeNull();
	});

	test("keys, the rate and Idempotency-Keys", async () => {
		const partner = await Partner.create();
		const expires_at = new Date(Date.now() + DAY_MS).toISOString();
		const body = { label: "short", scopes: ["codes"], expires_at };
		const { api_key } = (await partner.desk("POST", "/keys", body)).body.data;
		const key = { "Idempotency-Key": "order-1-codes" };
		const first = await partner.bulk(1, "FV01", key);
		await advance(partner, "P2D");
		const again = await partner.bulk(1, "FV01", key);
		expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
		expect((await call("GET", "/api/partner/v1/pcodes", { headers: { "x-gw": api_key } })).status).toBe(200);
		for (let i = 0; i < 10; i++) await partner.request({ pCode: "0000-0000-0000-0000", ...JUANA });
		await advance(partner, "PT2M");
		const { status, body: refused } = await partner.request({ pCode: "0000-0000-0000-0000", ...JUANA });
		expect([status, refused.error]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
	});
});

test("GET /sandbox/clock: the partner's own time, by any key that reads; the real one until it is moved", async () => {
	const [partner, other] = [await Partner.create(), await Partner.create()];
	const read = async (of: Partner) => (await of.desk("GET", "/sandbox/clock")).body.data;
	expect((await read(partner)).offset_seconds).toBe(0);
	const { done: _, ...moved } = await advance(partner, "P15DT30M");
	const shown = await read(partner);
	expect(Object.keys(shown)).toEqual(Object.keys(moved));
	expect(shown.offset_seconds).toBe(15 * 86_400 + 1800);
	near(shown.now, Date.now() + 15 * DAY_MS + 30 * MINUTE_MS);
	const later = await read(other);
	expect(later.offset_seconds).toBe(0);
	near(later.now, Date.now());
	const { api_key } = (await partner.desk("POST", "/keys", { label: "x", scopes: ["redeem"] })).body.data;
	const { status } = await call("GET", "/api/partner/v1/sandbox/clock", { headers: { "x-gw": api_key } });
	expect(status).toBe(403);
});

test("only forward, four years in all; each advance is in the audit", async () => {
	const partner = await Partner.create();
	for (const advance of ["P0D", "PT", "P", "-P1D", "15D", "P1.5D", "P1H", 15, "", "P9999Y"])
		expect([advance, (await partner.desk("POST", "/sandbox/clock", { advance })).status]).toEqual([
			advance,
			400,
		]);
	await advance(partner, "P3Y");
	await advance(partner, "P364D");
	const { status, body } = await partner.desk("POST", "/sandbox/clock", { advance: "P3D" });
	expect([status, body.details[0].field]).toEqual([400, "advance"]);
	const rows = await select(
		"SELECT outcome FROM audit_events WHERE entity = ? AND action = 'clock_advanced' ORDER BY version",
		`partner:${partner.id}`,
	);
	expect(rows.map(({ outcome }) => outcome)).toEqual(["P3Y", "P364D"]);
});
