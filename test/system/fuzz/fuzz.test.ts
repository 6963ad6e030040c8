import fc from "fast-check";
import { expect, test } from "vitest";
import { localKeyId } from "../../support/local-authority.ts";
import { count, runSize } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { WebhookReceiver } from "../../support/webhook-receiver.ts";
import { checkAfterwards } from "./after.ts";
import { arbitraryCalls, type CallPlan, callOf } from "./arbitrary-calls.ts";
import { type Exchange, sendCall } from "./call.ts";
import { Canary } from "./canary.ts";
import { BODY_CHANGES } from "./change-body.ts";
import { FRAMING_CHANGES } from "./change-framing.ts";
import { headerChanges } from "./change-headers.ts";
import { REQUEST_CHANGES } from "./change-request.ts";
import { createFixtures } from "./create-fixtures.ts";
import { describeDocuments } from "./described.ts";
import { readAnswer } from "./exchange.ts";
import { type Bench, describeFaults, judge } from "./judge.ts";
import { faultsOfHook } from "./judge-leaks.ts";
import { learn } from "./learn.ts";
import { makeOcspRequests } from "./ocsp-requests.ts";
import { startTarget } from "./start-target.ts";
import { Tally } from "./tally.ts";
import { WireClient } from "./wire-client.ts";

/*
 * Calls of everything that the OpenAPI documents have, valid and broken, a few at the same moment: each answer must
 * keep what the documents promise. A run is one such batch of up to a dozen calls.
 */

const size = runSize({ runs: 300, seed: 20_261_121 });
/** The share of the runs that meets the rate limits of wrangler.toml. */
const LIMITED = 0.06;
const BATCH_MAX = 12;
/** A validation or a delivery that the last calls left running ends in this time. Milliseconds. */
const REST_MS = 3_000;

test("every answer to calls from the documents, valid and broken, keeps what the documents promise", {
	timeout: 240_000 + size.runs * 2_000,
}, async ({ task }) => {
	// Ten certificate_requests a minute each: enough partners that most calls are not refused for the rate.
	const partners = Math.min(60, Math.max(14, Math.round(size.runs / 60)));
	const figures = await fuzz({ partners, limited: false, runs: size.runs });
	count(task, figures);
	if (size.path !== undefined) return;
	expect(figures.requests).toBeGreaterThan(3 * size.runs);
	expect(figures["documented answers reached"]).toBeGreaterThan(60);
	for (const status of [200, 201, 400, 401, 404, 405, 406])
		expect(figures[`answers: ${status}`]).toBeGreaterThan(0);
});

test.skipIf(size.path !== undefined)(
	"the same under the rate limits of wrangler.toml",
	{
		timeout: 240_000 + size.runs * 2_000,
	},
	async () => {
		const figures = await fuzz({ partners: 3, limited: true, runs: Math.ceil(size.runs * LIMITED) });
		expect(figures.requests).toBeGreaterThan(0);
	},
);

async function fuzz(options: { partners: number; limited: boolean; runs: number }) {
	const target = await startTarget(options);
	const receiver = new WebhookReceiver();
	// A third of the webhooks stays undelivered, so that there is something to send again.
	receiver.answer = (response, nth) => response.writeHead(nth % 3 === 0 ? 503 : 204).end();
	const hook = await receiver.listen();
	const client = new WireClient(target);
	try {
		const { opsToken, db, secrets, logs } = target;
		const random = seededRandom(size.seed);
		const fixtures = await createFixtures({ client, opsToken, db, hook }, options.partners, random);
		const described = await describeDocuments(client, { opsToken, keyId: localKeyId });
		const canary = new Canary(client);
		const bench: Bench = { described, fixtures, secrets, logs, room: () => canary.room };
		const tally = new Tally(described);
		const changes = [...BODY_CHANGES, ...REQUEST_CHANGES, ...headerChanges(fixtures), ...FRAMING_CHANGES];
		const ocspRequests = makeOcspRequests(fixtures);
		const send = (plan: CallPlan): Promise<Exchange> => {
			const chosen = plan.changes.map(({ name, seed }) => ({
				change: changes.find((change) => change.name === name)!,
				random: seededRandom(seed),
			}));
			return sendCall(client, callOf(plan, described, fixtures, ocspRequests), chosen);
		};
		const plans = arbitraryCalls(
			described,
			changes.map(({ name }) => name),
		);
		const property = fc.asyncProperty(
			fc.array(plans, { minLength: 1, maxLength: BATCH_MAX, size: "max" }),
			async (batch) => {
				const sent = batch.flatMap((plan) => (plan.twice ? [plan, plan] : [plan]));
				const exchanges = await Promise.all(sent.map(send));
				expect(exchanges.flatMap((exchange) => judgeOne(exchange, bench, tally)).join("\n")).toBe("");
			},
		);
		const { runs: numRuns, limited } = options;
		await fc.assert(property, {
			numRuns,
			seed: limited ? size.seed - 1 : size.seed,
			...(size.path !== undefined && { path: size.path }),
		});
		const afterwards = await canary.stop();
		await new Promise((resolve) => setTimeout(resolve, REST_MS));
		const leaks = receiver.received.flatMap(({ path, body }) => faultsOfHook(path, body));
		const { faults, ...counts } = await checkAfterwards(client, target);
		expect([...afterwards, ...leaks, ...faults]).toEqual([]);
		return { ...tally.figures(), "webhooks received": receiver.received.length, ...counts } as Record<
			string,
			number | string
		>;
	} finally {
		client.close();
		await receiver.close();
		await target.stop();
	}
}

function judgeOne(exchange: Exchange, bench: Bench, tally: Tally): string[] {
	tally.add(exchange);
	const judged = readAnswer(exchange);
	if (judged) learn(judged, bench.fixtures);
	const found = judge(exchange, bench);
	return found.length === 0 ? [] : [describeFaults(exchange, found, bench)];
}
