import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { interceptRegister } from "../support/failing-register.ts";
import { outboxOf, passTime, select } from "../support/look-inside.ts";
import { deliverMessages } from "../support/receiver.ts";
import type { Settings } from "../support/service.ts";
import { endWorlds, expectAllHolds } from "./expect-all-holds.ts";
import { d1Error } from "./register-faults.ts";
import { WEBHOOK } from "./use-cases.ts";
import { LEASE_OVER, World } from "./world.ts";

/* Queue, e-mail and webhook failing, slow, repeating and out of order. */

afterAll(endWorlds);

const B2B: Settings = { mode: "B2B", ...WEBHOOK };

test("the queue takes nothing: answers are as ever, and the cron delivers", async () => {
	const world = await World.create();
	const partner = await world.partner(B2B);
	const queue = vi.spyOn(Object.getPrototypeOf(env.DELIVERIES), "sendBatch");
	queue.mockRejectedValue(new Error("Queue sendBatch failed: Too Many Requests"));
	world.receiver.answer = () => new Response(null, { status: 503 });
	const pCode = await world.code(partner);
	expect((await world.request(pCode)).status).toBe(200);
	world.receiver.answer = () => new Response(null, { status: 204 });
	await vi.waitUntil(() => world.log.some((line) => line.includes("enqueue_failed")));
	queue.mockImplementation(async (messages) => {
		for (const { body } of messages as { body: { id: string } }[])
			world.queue.push({ id: body.id, delaySeconds: 0 });
	});
	for (let round = 0; round < 3; round++) await world.deliverAll();
	expect((await outboxOf(pCode)).map(({ last_outcome }) => last_outcome)).toEqual(["delivered", "delivered"]);
	await expectAllHolds(world);
});

test("messages twice, out of order, again later, and of rows that are not: each delivery arrives once", async () => {
	const world = await World.create();
	const partner = await world.partner({ mode: "B2B", webhook_url: WEBHOOK.webhook_url });
	world.receiver.answer = () => new Response(null, { status: 503 });
	const codes = [await world.code(partner), await world.code(partner), await world.code(partner)];
	for (const pCode of codes) await world.request(pCode);
	const rows = await select("SELECT id FROM outbox");
	const ids = rows.map(({ id }) => id as string).reverse();
	world.receiver.answer = () => new Response(null, { status: 204 });
	world.receiver.clear();
	passTime(10 * LEASE_OVER);
	const { explicitAcks } = await deliverMessages(...ids, "no such row", ...ids, ids[1]!, ids[0]!);
	await deliverMessages(...ids);
	passTime(10 * LEASE_OVER);
	await deliverMessages(...ids.toReversed());
	expect(explicitAcks).toHaveLength(9);
	expect(world.receiver.received.map(({ headers }) => headers["webhook-id"]).sort()).toEqual([...ids].sort());
	await expectAllHolds(world);
});

test("the consumer dies in the middle of a batch: what it had sent comes again under its own id, nothing is lost", async () => {
	const world = await World.create();
	const partner = await world.partner({ mode: "B2B", webhook_url: WEBHOOK.webhook_url });
	world.receiver.answer = () => new Response(null, { status: 503 });
	for (let i = 0; i < 3; i++) await world.request(await world.code(partner));
	const ids = (await select("SELECT id FROM outbox")).map(({ id }) => id as string);
	passTime(10 * LEASE_OVER);
	world.receiver.clear();
	world.receiver.answer = () => new Response(null, { status: 204 });
	const flight = { sent: 0 };
	const batch = interceptRegister(
		async (_, deliver, sql) => {
			if (
				!/^update "outbox" set "last_attempt_at"|"delivered_at" = \?/i.test(sql) ||
				sql.includes("attempts + 1")
			)
				return deliver();
			flight.sent += 1;
			if (flight.sent > 1) throw d1Error();
			return deliver();
		},
		() => deliverMessages(...ids),
	);
	const result = await batch;
	expect(result.retryMessages).toHaveLength(2);
	passTime(60 * 60_000);
	await deliverMessages(...ids);
	const outcomes = await select("SELECT last_outcome FROM outbox");
	expect(outcomes.map(({ last_outcome }) => last_outcome)).toEqual(["delivered", "delivered", "delivered"]);
	expect(world.receiver.received).toHaveLength(5);
	await expectAllHolds(world);
});

function endless(everyMs: number): Response {
	const chunk = new Uint8Array(64 * 1024);
	const body = new ReadableStream<Uint8Array>({
		async pull(controller) {
			if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
			controller.enqueue(everyMs > 0 ? chunk.slice(0, 1) : chunk.slice());
		},
	});
	return new Response(body);
}

const RECEIVERS: Record<string, [answer: () => Response | Promise<Response>, outcome: string]> = {
	dead: [() => Promise.reject(new TypeError("connection refused")), "unreachable"],
	silent: [() => new Promise(() => undefined), "timeout"],
	"redirecting elsewhere": [
		() => new Response(null, { status: 301, headers: { location: "http://169.254.169.254/" } }),
		"http 301",
	],
	"answering without end": [() => endless(0), "delivered"],
	"answering octet by octet": [() => endless(100), "delivered"],
	"answering 500 with a page of 1 MB": [() => new Response("x".repeat(1 << 20), { status: 500 }), "http 500"],
	"asking for a million years": [
		() => new Response(null, { status: 429, headers: { "retry-after": "31557600000000" } }),
		"http 429",
	],
};

test("a receiver that is dead, silent, redirecting or endless: the request is answered in its 5 s, and what is owed stays owed", async () => {
	const world = await World.create();
	const ways = Object.entries(RECEIVERS);
	const codes: string[] = [];
	for (const [i] of ways.entries())
		codes.push(
			await world.code(await world.partner({ mode: "B2B", webhook_url: `https://partner.example/${i}` })),
		);
	world.receiver.answer = () => {
		const way = Number(world.receiver.received.at(-1)!.url.split("/").at(-1));
		return ways[way]![1][0]();
	};
	const answers = await Promise.all(codes.map((pCode) => world.request(pCode)));
	expect(answers.map(({ status }) => status)).toEqual(ways.map(() => 200));
	for (const [i, pCode] of codes.entries())
		await vi.waitUntil(async () => (await outboxOf(pCode))[0]!.last_outcome === ways[i]![1][1], {
			timeout: 15_000,
		});
	world.receiver.answer = () => new Response(null, { status: 204 });
	await expectAllHolds(world);
}, 60_000);

const MAILS: Record<string, [send: () => Promise<unknown>, outcome: string]> = {
	refuses: [
		() => Promise.reject(Object.assign(new Error("no"), { code: "E_RATE_LIMIT_EXCEEDED" })),
		"email E_RATE_LIMIT_EXCEEDED",
	],
	"fails with the address in its message": [
		() => Promise.reject(new Error("copia@partner.example is bad")),
		"email refused",
	],
	"never ends": [() => new Promise(() => undefined), "timeout"],
};

test.each(Object.keys(MAILS))(
	"the e-mail binding %s: the request is answered, the copy is sent later",
	async (way) => {
		const world = await World.create();
		const partner = await world.partner({ mode: "B2B", delivery_email: "entrega@partner.example" });
		const pCode = await world.code(partner);
		const [send, outcome] = MAILS[way]!;
		const binding = vi.spyOn(Object.getPrototypeOf(env.EMAIL), "send").mockImplementation(send as never);
		expect((await world.request(pCode)).status).toBe(200);
		await vi.waitUntil(async () => (await outboxOf(pCode))[0]!.last_outcome === outcome, { timeout: 15_000 });
		binding.mockRestore();
		for (let round = 0; round < 4; round++) await world.deliverAll();
		passTime(60 * 60_000);
		await world.deliverAll();
		expect((await outboxOf(pCode))[0]!.last_outcome).toBe("delivered");
		await expectAllHolds(world);
	},
);
