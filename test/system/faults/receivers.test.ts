import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { HOUR_MS } from "../../../src/domain/durations.ts";
import { outboxOf, passTime } from "../../support/look-inside.ts";
import { endFixtures, expectAllHolds } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";

/* Webhook receivers and the e-mail binding, dead, slow or never ending. */

afterAll(endFixtures);

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
	"answering byte by byte": [() => endless(100), "delivered"],
	"answering 500 with a page of 1 MB": [() => new Response("x".repeat(1 << 20), { status: 500 }), "http 500"],
	"asking for a million years": [
		() => new Response(null, { status: 429, headers: { "retry-after": "31557600000000" } }),
		"http 429",
	],
};

test("a receiver that is dead, silent, redirecting or endless: the request is answered in its 5 s, and what is due stays due", async () => {
	const fixture = await Fixture.create();
	const ways = Object.entries(RECEIVERS);
	const codes: string[] = [];
	for (const [i] of ways.entries())
		codes.push(
			await fixture.code(await fixture.partner({ mode: "B2B", webhook_url: `https://partner.example/${i}` })),
		);
	fixture.receiver.answer = () => {
		const way = Number(fixture.receiver.received.at(-1)!.url.split("/").at(-1));
		return ways[way]![1][0]();
	};
	const answers = await Promise.all(codes.map((pCode) => fixture.request(pCode)));
	expect(answers.map(({ status }) => status)).toEqual(ways.map(() => 200));
	for (const [i, pCode] of codes.entries())
		await vi.waitUntil(async () => (await outboxOf(pCode))[0]!.last_outcome === ways[i]![1][1]);
	fixture.receiver.answer = () => new Response(null, { status: 204 });
	await expectAllHolds(fixture);
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
		const fixture = await Fixture.create();
		const partner = await fixture.partner({ mode: "B2B", delivery_email: "entrega@partner.example" });
		const pCode = await fixture.code(partner);
		const [send, outcome] = MAILS[way]!;
		const binding = vi.spyOn(Object.getPrototypeOf(env.EMAIL), "send").mockImplementation(send as never);
		expect((await fixture.request(pCode)).status).toBe(200);
		await vi.waitUntil(async () => (await outboxOf(pCode))[0]!.last_outcome === outcome);
		binding.mockRestore();
		for (let round = 0; round < 4; round++) await fixture.deliverAll();
		passTime(HOUR_MS);
		await fixture.deliverAll();
		expect((await outboxOf(pCode))[0]!.last_outcome).toBe("delivered");
		await expectAllHolds(fixture);
	},
);
