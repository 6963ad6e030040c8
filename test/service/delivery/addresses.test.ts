import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { readableTime } from "../../../src/texts/dates.ts";
import { createWebhookPartner, deliveryOf, HOOK, issueToWebhook, request } from "../../support/b2b.ts";
import { setTime, until } from "../../support/clock.ts";
import { execute } from "../../support/db.ts";
import { outboxOf, select } from "../../support/look-inside.ts";
import {
	deliverMessages,
	runCron,
	type SentEmail,
	spyOnEmail,
	taken,
	useReceiver,
} from "../../support/receiver.ts";
import { refusal } from "../../support/refusal.ts";
import { JUANA, loadHolder, ops, Partner } from "../../support/service.ts";
import { readTablesWithoutKeyUse } from "../../support/tables.ts";

/* Destination of a B2B partner's certificates when its addresses change (decisions, "Delivery"). */

const MAIL = "entregas@partner.example";

const mailbox = { refuses: false };

const { receiver, queue, sent } = useReceiver("partners", beforeAll);
beforeEach(() => {
	mailbox.refuses = false;
	spyOnEmail(() => {
		if (mailbox.refuses) throw Object.assign(new Error("refused"), { code: "E_RECIPIENT_NOT_ALLOWED" });
	}, sent);
});

const gone = () => new Response(null, { status: 410 });

/** Runs the cron and the queue for everything that is due a minute later. */
async function deliverDue(): Promise<void> {
	setTime(Date.now() + MINUTE_MS);
	await runCron();
	await deliverMessages(...queue.splice(0).map(({ id }) => id));
}

/** Waits until each delivery of a code has ended with its outcome. */
async function untilEnded(pCode: string, ...outcomes: string[]): Promise<void> {
	await vi.waitUntil(async () => {
		const ended = (await outboxOf(pCode)).map((row) => row.last_outcome).sort();
		return ended.join() === outcomes.sort().join();
	});
}

/** A certificate whose webhook answered 410. */
async function atGoneWebhook(settings = {}) {
	receiver.answer = gone;
	const { partner } = await createWebhookPartner(settings);
	const answer = await request(partner);
	await until(async () => (await outboxOf(answer.pCode)).some((row) => row.last_outcome === "gone"));
	receiver.answer = taken;
	const offered = receiver.bodies.map(({ data }) => data.certificate);
	receiver.clear();
	return { partner, offered, ...answer };
}

/** A certificate whose webhook failed so far, and is still retried when the partner's e-mail is set. */
async function atFailingWebhook() {
	receiver.answer = () => new Response(null, { status: 500 });
	const { partner } = await createWebhookPartner();
	const answer = await request(partner);
	await until(() => queue.length === 1);
	queue.length = 0;
	expect((await partner.change({ delivery_email: MAIL })).status).toBe(200);
	return { partner, ...answer };
}

/** Every attempt of the round that runs, to its end or to the success. */
async function deliverToTheEnd(pCode: string): Promise<void> {
	const { id, channel } = await deliveryOf(pCode);
	for (;;) {
		const row = await deliveryOf(pCode);
		if (row.next_attempt_at === null || row.channel !== channel) break;
		setTime(row.next_attempt_at);
		await deliverMessages(id);
	}
	queue.length = 0;
}

/** A certificate whose e-mail is a dead letter: refused by every attempt of its round. */
async function atRefusedEmail() {
	mailbox.refuses = true;
	const partner = await Partner.create({ mode: "B2B", delivery_email: "typo@partner.example" });
	const answer = await request(partner);
	await until(() => queue.length > 0);
	await deliverToTheEnd(answer.pCode);
	mailbox.refuses = false;
	return { partner, ...answer };
}

/** How the delivery of a code stands, as its partner is told. */
const standing = async (partner: Partner, pCode: string) =>
	(await partner.get(`/api/partner/v1/pcodes/${pCode}`)).body.data.pcode.delivery;

describe("a certificate that waits for a webhook", () => {
	test("a delivery e-mail that is set gets it, once and whole; its code says how the delivery stands meanwhile", {
		tags: ["delivery-waiting-to-email", "code-detail-delivery"],
	}, async () => {
		const { partner, pCode, body, offered } = await atGoneWebhook();
		const holder = body.data.titular;
		const waiting = { status: "waiting_for_address", delivered_at: null, next_attempt_at: null };
		expect(await standing(partner, await partner.code())).toBeNull();
		expect(await standing(partner, pCode)).toEqual(waiting);
		expect((await partner.change({ delivery_email: MAIL })).status).toBe(200);
		const next_attempt_at = new Date((await deliveryOf(pCode)).next_attempt_at).toISOString();
		expect(await standing(partner, pCode)).toEqual({ ...waiting, status: "pending", next_attempt_at });
		await deliverDue();
		const delivered = { ...waiting, status: "delivered", delivered_at: expect.any(String) };
		expect(await standing(partner, pCode)).toEqual(delivered);
		await deliverDue();
		expect(sent.map(({ to }) => to)).toEqual([MAIL]);
		const [{ text, attachments }] = sent as [SentEmail];
		const { serialNumber, validTo, pfxFileName } = body.data.certificate;
		const end = readableTime(Date.parse(validTo), "es");
		for (const part of [pCode, holder.rut, holder.nombreCompleto, serialNumber, end])
			expect(text).toContain(part);
		expect(attachments).toMatchObject([{ filename: pfxFileName }]);
		expect(attachments.map(({ content }) => content.toBase64())).toEqual(offered);
		const arrived = { channel: "email", last_outcome: "delivered", payload_sealed: null };
		expect(await deliveryOf(pCode)).toMatchObject(arrived);
		await partner.change({ webhook_enabled: true });
		await deliverDue();
		expect([sent.length, receiver.received.length]).toEqual([1, 0]);
	});

	test("it is sent again by hand to the e-mail that was set meanwhile, whoever set it", {
		tags: ["delivery-waiting-to-email"],
	}, async () => {
		const { partner, pCode } = await atGoneWebhook();
		await execute("UPDATE partners SET delivery_email = ? WHERE id = ?", MAIL, partner.id);
		const { id } = await deliveryOf(pCode);
		expect((await ops("POST", `/deliveries/${id}/resend`)).status).toBe(200);
		await until(() => queue.length === 1);
		await deliverMessages(id);
		expect(sent.map(({ to }) => to)).toEqual([MAIL]);
	});

	test.each<[string, (partner: Partner, pCode: string) => Promise<unknown>]>([
		["its last retry fails", (_, pCode) => deliverToTheEnd(pCode)],
		[
			"the webhook answers 410",
			async (_, pCode) => {
				receiver.answer = gone;
				await deliverToTheEnd(pCode);
			},
		],
		[
			"no secret signs the webhook any more",
			async (partner, pCode) => {
				await execute("DELETE FROM webhook_secrets WHERE partner_id = ?", partner.id);
				await deliverToTheEnd(pCode);
			},
		],
		[
			"it had been dead, and the e-mail is set once more",
			async (partner) => {
				await partner.change({ delivery_email: null });
				await execute("UPDATE outbox SET dead_at = 1, next_attempt_at = NULL");
				await partner.change({ delivery_email: MAIL });
			},
		],
	])(
		"an e-mail set while it is still retried gets it, once, when %s",
		{ tags: ["delivery-waiting-to-email"] },
		async (_, end) => {
			const { partner, pCode } = await atFailingWebhook();
			await end(partner, pCode);
			await deliverDue();
			await deliverDue();
			expect(sent.map(({ to }) => to)).toEqual([MAIL]);
			expect(await deliveryOf(pCode)).toMatchObject({ channel: "email", last_outcome: "delivered" });
		},
	);

	test("an e-mail set during the last retry gets it at once", {
		tags: ["delivery-waiting-to-email"],
	}, async () => {
		const { partner, pCode } = await atFailingWebhook();
		await partner.change({ delivery_email: null });
		const { id, created_at } = await deliveryOf(pCode);
		setTime(created_at + 72 * 60 * MINUTE_MS);
		receiver.answer = async () => {
			await partner.change({ delivery_email: MAIL });
			return new Response(null, { status: 500 });
		};
		await deliverMessages(id);
		await deliverDue();
		expect(sent.map(({ to }) => to)).toEqual([MAIL]);
	});

	test("refused by the e-mail too, it is a dead letter and goes back to no webhook", async () => {
		const { pCode } = await atFailingWebhook();
		mailbox.refuses = true;
		await deliverToTheEnd(pCode);
		expect(await deliveryOf(pCode)).toMatchObject({ channel: "email", dead_at: null });
		receiver.clear();
		await deliverToTheEnd(pCode);
		await deliverDue();
		expect(receiver.received).toEqual([]);
		const { channel, dead_at, next_attempt_at } = await deliveryOf(pCode);
		expect([channel, dead_at === null, next_attempt_at]).toEqual(["email", false, null]);
	});

	test("a cancellation ends it", { tags: ["code-detail-delivery"] }, async () => {
		const { partner, pCode } = await atGoneWebhook();
		await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" });
		await partner.change({ delivery_email: MAIL });
		const ended = { status: "ended", delivered_at: null, next_attempt_at: null };
		expect(await standing(partner, pCode)).toEqual(ended);
		await deliverDue();
		expect(sent).toEqual([]);
	});

	test("where the e-mail has delivered it already, a new e-mail address gets no second copy", async () => {
		const { partner, pCode } = await atGoneWebhook({ delivery_email: MAIL });
		await untilEnded(pCode, "delivered", "gone");
		await partner.change({ delivery_email: "nueva@partner.example" });
		await deliverDue();
		expect(sent.map(({ to }) => to)).toEqual([MAIL]);
		await partner.change({ webhook_url: `${HOOK}/2` });
		await deliverDue();
		expect(receiver.received.map(({ url }) => url)).toEqual([`${HOOK}/2`]);
		expect(sent).toHaveLength(1);
	});

	test("where it has an e-mail of its own beside, the webhook that is switched off sends no second one", async () => {
		receiver.answer = () => new Response(null, { status: 503 });
		const { partner, pCode } = await issueToWebhook({ delivery_email: MAIL });
		await untilEnded(pCode, "http 503", "delivered");
		await partner.change({ webhook_enabled: false });
		await deliverDue();
		await untilEnded(pCode, "endpoint_off", "delivered");
		expect(sent.map(({ to }) => to)).toEqual([MAIL]);
	});

	test("an event without the certificate waits for the webhook and goes by no e-mail", async () => {
		receiver.answer = gone;
		const partner = await Partner.create({ webhook_url: HOOK, webhook_events: ["pcode.validated"] });
		const { pCode } = await request(partner);
		await until(() => queue.length === 1);
		await deliverMessages(queue.splice(0)[0]!.id);
		expect((await deliveryOf(pCode)).last_outcome).toBe("gone");
		receiver.answer = taken;
		await partner.change({ delivery_email: MAIL });
		await deliverDue();
		expect(sent).toEqual([]);
		await partner.change({ webhook_enabled: true });
		await deliverDue();
		expect((await deliveryOf(pCode)).last_outcome).toBe("delivered");
	});
});

describe("a certificate that waits for an e-mail", () => {
	test("the corrected address gets it, or a webhook that is set, signed and whole, with the same body at every attempt", {
		tags: ["delivery-waiting-to-email", "delivery-waiting-to-webhook"],
	}, async () => {
		const corrected = await atRefusedEmail();
		await corrected.partner.change({ delivery_email: MAIL });
		await deliverDue();
		expect(sent.splice(0).map(({ to }) => to)).toEqual([MAIL]);
		const { partner, pCode, body } = await atRefusedEmail();
		receiver.answer = (nth) => new Response(null, { status: nth === 1 ? 503 : 204 });
		await partner.change({ webhook_url: HOOK });
		await deliverDue();
		const { id, next_attempt_at, created_at } = await deliveryOf(pCode);
		setTime(next_attempt_at);
		await deliverMessages(id);
		await deliverDue();
		const [first, second, ...more] = receiver.received;
		expect([first!.headers["webhook-id"], second!.body, more]).toEqual([id, first!.body, []]);
		const { data, ...event } = JSON.parse(first!.body);
		expect(event).toEqual({ type: "certificate.emitted", timestamp: new Date(created_at).toISOString() });
		const { pfxFileName, ...certificate } = body.data.certificate;
		expect(data).toEqual({
			p_code: pCode,
			...certificate,
			referenceId: body.data.referenceId,
			titular: body.data.titular,
			pfxFileName,
			certificate: expect.stringMatching(/^MII/),
		});
		expect(await deliveryOf(pCode)).toMatchObject({ channel: "webhook", last_outcome: "delivered" });
		expect(sent).toEqual([]);
	});

	test("a copy is the holder's partnerCopy and goes nowhere else", async () => {
		const { partner } = await createWebhookPartner();
		mailbox.refuses = true;
		const pCode = await partner.code();
		const fields = { pCode, ...loadHolder(900), partnerCopy: "copia@partner.example" };
		expect((await partner.request(fields)).status).toBe(200);
		await until(() => queue.length === 1);
		queue.length = 0;
		await execute("UPDATE outbox SET dead_at = 1, next_attempt_at = NULL WHERE delivered_at IS NULL");
		mailbox.refuses = false;
		await partner.change({ delivery_email: MAIL, webhook_url: `${HOOK}/2` });
		await deliverDue();
		expect([sent.length, receiver.received.length]).toEqual([0, 1]);
	});
});

describe("an address that changes while an attempt runs", () => {
	const tryCertificate = async (partner: Partner) => untilEnded((await request(partner)).pCode, "gone");
	const tryEvent = async (partner: Partner) => {
		await ops("POST", `/pcodes/${await partner.code()}/cancel`, { reason: "Asked" });
		await until(() => queue.length === 1);
		await deliverDue();
	};

	test.for([
		["the certificate", tryCertificate],
		["an event", tryEvent],
	] as const)(
		"a webhook replaced while the old one answers 410 gets %s at the new address",
		{ tags: ["delivery-waiting-to-webhook"] },
		async ([, tryOnce]) => {
			const { partner } = await createWebhookPartner({ webhook_events: ["pcode.cancelled"] });
			receiver.answer = async () => {
				receiver.answer = taken;
				await partner.change({ webhook_url: `${HOOK}/2` });
				return gone();
			};
			await tryOnce(partner);
			await deliverDue();
			expect(receiver.received.map(({ url }) => url)).toEqual([HOOK, `${HOOK}/2`]);
			const ofPartner = "FROM outbox WHERE partner_id = ? AND event NOT GLOB 'holder.*'";
			expect(await select(`SELECT channel, last_outcome ${ofPartner}`, partner.id)).toEqual([
				{ channel: "webhook", last_outcome: "delivered" },
			]);
		},
	);
});

describe("a partner that already is without an address", () => {
	test("certificate_request is 503 before the registry is asked, nothing spent; an address cures it", {
		tags: ["delivery-without-address"],
	}, async () => {
		const partner = await Partner.create({ mode: "B2B" });
		await partner.loseAddresses();
		const pCode = await partner.code();
		const before = await readTablesWithoutKeyUse();
		for (const fields of [JUANA, { ...JUANA, serialNumber: "999999999" }]) {
			const answer = await partner.request({ pCode, ...fields });
			expect(refusal(answer)).toEqual([503, "SERVICE_UNAVAILABLE"]);
			expect(answer.body.message).toContain("address");
			expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
		}
		expect(await readTablesWithoutKeyUse()).toEqual(before);
		expect(await partner.status(pCode)).toBe("ACTIVE");
		await partner.change({ delivery_email: MAIL });
		expect((await partner.request({ pCode, ...JUANA })).body.data.status).toBe("EMITTED");
		expect(sent.map(({ to }) => to)).toEqual([MAIL]);
	});
});
