import { expect, test, vi } from "vitest";
import { createWebhookPartner, deliveryOf, HOOK, request, undelivered } from "../../../support/b2b.ts";
import { act, linkOf, signIn, textOf, tripsOf } from "../../../support/console.ts";
import { deliverMessages, taken, useReceiver } from "../../../support/receiver.ts";
import { Partner } from "../../../support/service.ts";

const outside = useReceiver();
const { receiver, queue } = outside;

const HOSTILE = "<script>alert(1)</script>";
const hostileAnswer = () =>
	new Response(HOSTILE, { status: 503, statusText: HOSTILE, headers: { "x-hostile": HOSTILE } });

test("a delivery is found, looked into and sent again, and nothing its receiver said is shown", {
	tags: ["console-deliveries"],
}, async () => {
	const { partner, pCode, id } = await undelivered(outside, hostileAnswer);
	const browser = await signIn(partner);
	expect(
		await tripsOf(browser, `/console/deliveries?state=pending&event=certificate.emitted&p_code=${pCode}`),
	).toBe(2);
	expect(textOf(browser.text)).toContain("http 503");
	const path = linkOf(browser.text.split("<table>")[1]!, "certificate.emitted");
	expect(path).toBe(`/console/deliveries/${id}`);
	expect((await browser.open("/console/deliveries?state=dead")).text).not.toContain(id);
	expect(await tripsOf(browser, path)).toBe(2);
	// Retries after five seconds are told apart.
	expect(textOf(browser.text)).toMatch(/Pendiente .* \d\d:\d\d:\d\d Webhook http 503 503 \d+ ms/);
	expect(browser.text).not.toContain(HOSTILE);

	receiver.answer = taken;
	const resent = await act(browser, `${path}/resend`);
	expect(resent.headers.get("location")).toBe(`${path}?done=resend`);
	await vi.waitUntil(() => queue.length === 2);
	await deliverMessages(id);
	await browser.open(`${path}?done=resend`);
	expect(textOf(browser.text)).toMatch(/Reenviando.* Entregado .* llegó 204/);
	expect(browser.text).not.toContain(`${path}/resend`);
	expect((await act(browser, `${path}/resend`)).status).toBe(406);
});

test("the webhook is tested from here too: its page says what became of it, and nothing its receiver said", async () => {
	const { partner } = await createWebhookPartner({ webhook_url: `${HOOK}?a=${encodeURIComponent("<b>")}` });
	const browser = await signIn(partner);
	const { text } = await browser.open("/console/deliveries");
	const path = /action="([^"]*\/test)"/.exec(text)![1]!;
	receiver.answer = () => new Response(HOSTILE, { status: 500 });
	await act(browser, path);
	expect(textOf(browser.led)).toMatch(/El ping no llegó: http 500, después de \d+ ms\./);
	expect(browser.led).not.toContain(HOSTILE);
	receiver.answer = taken;
	await act(browser, path);
	expect(textOf(browser.led)).toContain("El ping llegó: su servidor respondió 204");
	expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(["ping", "ping"]);
	const without = await signIn(await Partner.create());
	await without.open("/console/deliveries");
	expect((await act(without, path)).status).toBe(406);
});

test("a page of deliveries leads to the next and back to the start", async () => {
	const { partner } = await createWebhookPartner();
	const ids: string[] = [];
	for (let i = 0; i < 3; i++) ids.unshift((await deliveryOf((await request(partner)).pCode)).id as string);
	const browser = await signIn(partner);
	const first = await browser.open("/console/deliveries?event=certificate.emitted&limit=2");
	expect(first.text).toContain(ids[1]);
	expect(first.text).not.toContain(ids[2]);
	const second = await browser.open(linkOf(first.text, "Siguiente"));
	expect(second.text).toContain(ids[2]);
	expect(linkOf(second.text, "Desde el comienzo")).toBe(
		"/console/deliveries?event=certificate.emitted&limit=2",
	);
});
