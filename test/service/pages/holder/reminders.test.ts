import { beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../src/domain/durations.ts";
import { HOOK } from "../../../support/b2b.ts";
import { setTime } from "../../../support/clock.ts";
import { claimed } from "../../../support/codes.ts";
import { explain } from "../../../support/explain.ts";
import { holderMessagesOf, outboxOf, select } from "../../../support/look-inside.ts";
import { deliverMessages, holdQueue, Receiver, spyOnEmail } from "../../../support/receiver.ts";
import { refusal, rejection } from "../../../support/refusal.ts";
import { freshService, JUANA, ops, Partner, PEDRO } from "../../../support/service.ts";

beforeEach(async () => {
	await freshService();
	holdQueue();
	setTime(Date.now());
});

const HEARS = {
	webhook_url: HOOK,
	webhook_events: ["certificate.expiring", "pcode.expiring", "pcode.lapsing"],
};

/** Runs a job as ops run it. @returns how many deliveries it wrote */
async function remind(what: "certificates" | "codes" | "lapses"): Promise<number> {
	const { body, status } = await ops("POST", `/upkeep/remind-of-${what}`, {});
	expect([status, body.data.done]).toEqual([200, true]);
	return body.data.report.deliveries;
}

test("certificate.expiring 60, 30 and 7 days before, once each; the holder 30 and 7, where the partner wants it", {
	tags: ["reminder-days"],
}, async () => {
	const receiver = new Receiver();
	const sent = spyOnEmail();
	const partner = await Partner.create({ ...HEARS, holder_reminders: true });
	const { pCode, serial, end } = await claimed(partner);
	expect((await ops("GET", `/partners/${partner.id}`)).body.data.partner.holder_reminders).toBe(true);
	for (const [left, deliveries] of [
		[61, 0],
		[60, 1],
		[59, 0],
		[30, 2],
		[29, 0],
		[7, 2],
		[6, 0],
		[1, 0],
	] as const) {
		setTime(end - left * DAY_MS);
		expect([left, await remind("certificates")]).toEqual([left, deliveries]);
		expect([left, await remind("certificates")]).toEqual([left, 0]);
	}
	const ids = (await outboxOf(pCode)).map(({ id }) => id);
	await deliverMessages(...ids);
	expect(receiver.bodies.map(({ type, data }) => [type, data]).sort((a, b) => b[1].days - a[1].days)).toEqual(
		[60, 30, 7].map((days) => [
			"certificate.expiring",
			{
				p_code: pCode,
				referenceId: JUANA.referenceId,
				serialNumber: serial,
				validTo: new Date(end).toISOString(),
				days,
			},
		]),
	);
	const messages = await holderMessagesOf(pCode);
	expect(messages.map(({ event }) => event)).toEqual(["holder.issued", "holder.expiring", "holder.expiring"]);
	await deliverMessages(...messages.slice(1).map(({ id }) => id));
	expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
		[JUANA.email, "Partner under test: su certificado digital vence en 30 días"],
		[JUANA.email, "Partner under test: su certificado digital vence en 7 días"],
	]);
	for (const { text } of sent) expect(text).toContain("Para renovarlo, contacte a Partner under test.");
});

test("renews: the serial of a certificate of the same RUT and partner, recorded, shown, and no reminder any more", {
	tags: ["renewal"],
}, async () => {
	const partner = await Partner.create({ ...HEARS, webhook_events: ["*"] });
	const stranger = await Partner.create();
	const old = await claimed(partner);
	const elsewhere = await claimed(stranger, "FV01", { email: "other@example.cl" });
	const pedro = await partner.code();
	expect((await partner.request({ pCode: pedro, ...PEDRO })).status).toBe(200);
	const pedros = await partner.claim(pedro, { dni: PEDRO.dni, pin: PEDRO.pin });

	setTime(old.end - 50 * DAY_MS);
	const pCode = await partner.code();
	const ask = (renews: unknown) => partner.request({ pCode, ...JUANA, renews });
	for (const wrong of [elsewhere.serial, pedros.body.data.serialNumber, "7A".repeat(16)])
		expect(refusal(await ask(wrong))).toEqual(rejection("RENEWAL_MISMATCH", "renews"));
	expect((await ask("7A")).body.details).toMatchObject([{ field: "renews", code: "INVALID_VALUE" }]);
	expect((await ask(old.serial.toLowerCase().replaceAll(/(..)(?=.)/g, "$1:"))).status).toBe(200);
	expect((await ask(old.serial)).status).toBe(200);
	expect(await remind("certificates")).toBe(2);

	const { body } = await partner.claim(pCode);
	const show = async (serial: string) => (await ops("GET", `/certificates/${serial}`)).body.data.certificate;
	expect((await show(body.data.serialNumber)).renews).toBe(old.serial);
	expect((await show(old.serial)).renews).toBeNull();
	setTime(old.end - 30 * DAY_MS);
	const [{ count }] = (await select("SELECT count(*) AS count FROM outbox WHERE code = ?", old.pCode)) as [
		{ count: number },
	];
	await remind("certificates");
	const after = await select("SELECT event FROM outbox WHERE code = ?", old.pCode);
	expect(after).toHaveLength(count);

	await ops("POST", `/certificates/${body.data.serialNumber}/revoke`, { reason: "superseded" });
	setTime(old.end - 7 * DAY_MS);
	await remind("certificates");
	expect(await select("SELECT event FROM outbox WHERE code = ?", old.pCode)).toHaveLength(count + 1);

	await partner.change({ mode: "B2B", webhook_url: null, delivery_email: "pfx@partner.example" });
	const again = await partner.code();
	expect((await partner.request({ pCode: again, ...JUANA, renews: old.serial })).status).toBe(200);
	const issued = (await ops("GET", `/pcodes/${again}`)).body.data.pcode;
	expect((await show(issued.certificate_serial)).renews).toBe(old.serial);
});

test("a revoked certificate is not reminded of; an outage is not made up for", async () => {
	const partner = await Partner.create(HEARS);
	const [revoked, late] = [await claimed(partner), await claimed(partner)];
	await ops("POST", `/certificates/${revoked.serial}/revoke`, { reason: "superseded" });
	setTime(late.end - 5 * DAY_MS);
	expect(await remind("certificates")).toBe(1);
	expect((await outboxOf(revoked.pCode)).filter(({ event }) => event === "certificate.expiring")).toEqual([]);
});

test("pcode.expiring: on day 12, once per batch, with how many are unused", {
	tags: ["reminder-codes"],
}, async () => {
	const receiver = new Receiver();
	const partner = await Partner.create(HEARS);
	const { batchId, pcodes } = (await partner.bulk(4)).body.data;
	const used = (await partner.bulk(1)).body.data.pcodes[0];
	const start = Date.now();
	await partner.request({ pCode: used, ...JUANA });
	await partner.request({ pCode: pcodes[0], ...PEDRO });
	await ops("POST", `/pcodes/${pcodes[1]}/cancel`, { reason: "test" });
	setTime(start + 12 * DAY_MS - HOUR_MS);
	expect(await remind("codes")).toBe(0);
	setTime(start + 12 * DAY_MS + HOUR_MS);
	expect(await remind("codes")).toBe(1);
	expect(await remind("codes")).toBe(0);
	const [row] = await select("SELECT id, code FROM outbox WHERE event = 'pcode.expiring'");
	await deliverMessages(row!.id);
	const { created_at } = await partner.listed(pcodes[2]);
	expect(receiver.bodies.map(({ data }) => data)).toEqual([
		{ batchId, count: 2, expires_at: new Date(Date.parse(created_at) + 14 * DAY_MS).toISOString() },
	]);
	const [delivery] = (await ops("GET", "/deliveries?limit=1")).body.data.deliveries;
	expect([delivery.event, delivery.p_code]).toEqual(["pcode.expiring", null]);
});

test("pcode.lapsing: 14 days before a validation lapses, once per code, while it can still be claimed", {
	tags: ["reminder-lapse"],
}, async () => {
	const receiver = new Receiver();
	const partner = await Partner.create(HEARS);
	const codes: string[] = (await partner.bulk(4)).body.data.pcodes;
	const start = Date.now();
	const [waiting, claimed, blocked, late] = codes;
	for (const [i, pCode] of codes.entries())
		await partner.request({ ...JUANA, pCode, referenceId: `order-${i}` });
	expect((await partner.claim(claimed!)).status).toBe(200);
	await ops("POST", `/pcodes/${blocked}/block`, { reason: "test" });
	setTime(start + 76 * DAY_MS - HOUR_MS);
	expect(await remind("lapses")).toBe(0);
	await partner.request({ ...JUANA, pCode: late! });
	setTime(start + 76 * DAY_MS + HOUR_MS);
	expect(await remind("lapses")).toBe(1);
	// Validated again, it lapses 90 days later: its partner has been told.
	await partner.request({ ...JUANA, pCode: waiting! });
	const validated = Date.now();
	expect(await remind("lapses")).toBe(0);
	const [row] = await select("SELECT id FROM outbox WHERE event = 'pcode.lapsing'");
	await deliverMessages(row!.id);
	expect(receiver.bodies).toMatchObject([
		{
			type: "pcode.lapsing",
			data: { p_code: waiting, referenceId: "order-0", lapses_at: expect.any(String) },
		},
	]);
	expect(Date.parse(receiver.bodies[0].data.lapses_at) - start).toBeCloseTo(90 * DAY_MS, -5);
	setTime(validated + 80 * DAY_MS);
	expect(await remind("lapses")).toBe(1);
	expect((await partner.claim(waiting!)).status).toBe(200);
	// The job that lapses it has not run yet; nobody can claim it.
	await partner.request({ ...JUANA, pCode: await partner.code() });
	setTime(Date.now() + 90 * DAY_MS);
	expect(await remind("lapses")).toBe(0);
});

test("the look for what expires walks an index, not the register", async () => {
	expect(await explain("remind-of-certificates", "certificates")).toMatch(
		/^SEARCH certificates USING INDEX certificates_expiring \(reminded_days=\? AND not_after>\? AND not_after<\?\)/,
	);
	expect(await explain("remind-of-codes", "batches")).toMatch(
		/^SEARCH batches USING INDEX batches_expiring \(created_at>\? AND created_at<\?\)/,
	);
	expect(await explain("remind-of-lapses", "purchase_codes")).toMatch(
		/^SEARCH purchase_codes USING INDEX purchase_codes_validated \(validated_at>\? AND validated_at<\?\)/,
	);
});
