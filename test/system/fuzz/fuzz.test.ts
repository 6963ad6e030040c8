import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { passTime, stopClock } from "../../support/clock.ts";
import { everyPage } from "../../support/every-page.ts";
import { Receiver, spyOnEmail } from "../../support/receiver.ts";
import { count, runSize } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { type Answer, call, freshService, ops } from "../../support/service.ts";
import { arbitraryCalls, type CallPlan, messageOf } from "./arbitrary-calls.ts";
import { changesOf, type Message } from "./changes.ts";
import { judge, logFaults, SECRETS } from "./judge.ts";
import { MARKER, World } from "./world.ts";

/*
 * Calls of everything that the OpenAPI documents have, valid and broken, a few at the same moment: each answer must
 * keep what the documents promise. A run is one such batch of up to a dozen calls.
 */

const size = runSize({ runs: 60, seed: 20_261_121 });
const BATCH_MAX = 12;
/** Between two batches, so that most requests are not refused for the rate of emissions. */
const BETWEEN_MS = 10_000;

let world: World;
let receiver: Receiver;
const lines: string[] = [];

beforeAll(freshService);
beforeEach(async () => {
	stopClock();
	receiver = new Receiver();
	// A third of the webhooks stays undelivered, so that there is something to send again.
	receiver.answer = (nth) => new Response(null, { status: nth % 3 === 0 ? 503 : 204 });
	spyOnEmail();
	for (const level of ["log", "info", "warn", "error"] as const)
		vi.spyOn(console, level).mockImplementation((...line) => void lines.push(line.join(" ")));
	world ??= await World.create();
});

function send({ method, path, query, headers, text, body }: Message): Promise<Answer> {
	const search = query.map(([name, value]) => (value === "" ? name : `${name}=${value}`)).join("&");
	const content = body ?? text;
	const hasBody = content !== null && method !== "GET" && method !== "HEAD";
	return call(method, search ? `${path}?${search}` : path, { headers, ...(hasBody && { body: content }) });
}

test("every answer to calls from the documents, valid and broken, keeps what the documents promise", {
	timeout: 240_000 + size.runs * 2_000,
}, async ({ task }) => {
	const answers: Record<string, number> = {};
	const reached = new Set<string>();
	const changes = changesOf(world, env.OPS_TOKEN!);
	const run = async (plan: CallPlan): Promise<string[]> => {
		const message = messageOf(plan, world, env.OPS_TOKEN!);
		for (const { name, seed } of plan.changes) changes[name]!(message, seededRandom(seed));
		const answer = await send(message);
		const { status, body } = answer;
		answers[status] = (answers[status] ?? 0) + 1;
		reached.add(`${plan.target} ${status} ${body?.details?.[0]?.code ?? body?.error}`);
		world.learn(message.member, message.code, answer, message.pin);
		const faults = judge(message, answer, world);
		const made = plan.changes.map(({ name }) => name).join(", ");
		return faults.map(
			(fault) => `${fault}: ${message.method} ${message.path} [${made}] → ${answer.text.slice(0, 200)}`,
		);
	};
	await fc.assert(
		fc.asyncProperty(
			fc.array(arbitraryCalls(Object.keys(changes)), { minLength: 1, maxLength: BATCH_MAX, size: "max" }),
			async (batch) => {
				passTime(BETWEEN_MS);
				expect((await Promise.all(batch.map(run))).flat().join("\n")).toBe("");
			},
		),
		{ numRuns: size.runs, seed: size.seed, ...(size.path !== undefined && { path: size.path }) },
	);
	const calls = Object.values(answers).reduce((sum, n) => sum + n, 0);
	count(task, { calls, "kinds of answers reached": reached.size, ...answers });
	if (size.path === undefined) {
		expect(calls).toBeGreaterThan(3 * size.runs);
		expect(reached.size).toBeGreaterThan(150);
		for (const status of [200, 201, 400, 401, 404, 405, 406]) expect(answers[status]).toBeGreaterThan(0);
	}
	expect(await afterwards()).toEqual([]);
});

/** Faults of the service once the calls are over: its health, its audit, its database, its log, its webhooks. */
async function afterwards(): Promise<unknown[]> {
	const faults: unknown[] = [];
	for (const path of ["/healthz", "/readyz"])
		if ((await call("GET", path)).status !== 200) faults.push(`${path} is not 200`);
	for (const path of ["/audit/verify", "/reconcile"]) {
		const pages = await everyPage(async (from) => (await ops("POST", path, from)).body.data);
		faults.push(...pages.flatMap((page) => page.faults ?? page.findings));
	}
	// A partner may have set another address since, which has no marker.
	for (const { url, body } of receiver.received) {
		const markers = new Set(`${url} ${body}`.match(MARKER));
		if (markers.size > 1) faults.push(`the webhook ${url} reported ${[...markers]}`);
	}
	return [...faults.slice(0, 20), ...logFaults(lines)];
}

test("the judge refuses each kind of bad answer, and lets a good one pass", async () => {
	const [own, other] = world.members as [World["members"][0], World["members"][0]];
	const [code, theirs] = [own.codes[10]!, other.codes[10]!];
	const message: Message = {
		member: own,
		method: "GET",
		path: "/api/partners/v1/status",
		query: [["p_code", code.code]],
		headers: [["x-gw", own.key]],
		text: null,
		body: null,
		code,
	};
	const good = await send(message);
	const faults = (change: object, headers: Record<string, string> = {}, sent: object = {}) => {
		const all = new Headers(good.headers);
		for (const [name, value] of Object.entries(headers)) all.set(name, value);
		const answer = { ...good, ...change, headers: all };
		return judge({ ...message, ...sent }, answer, world);
	};
	const says = (message: string) => ({
		status: 400,
		text: message,
		body: { success: false, error: "VALIDATION_ERROR", message },
	});
	expect(faults({})).toEqual([]);
	expect(faults(says("No."))).toEqual([]);
	for (const text of [
		...["7391 is wrong", own.key, `whsec_${"MfKQ9r8G".repeat(4)}`, "sso-11111111-1", SECRETS[0]!],
		...["at run (worker.mjs:12:3)", "SELECT * FROM x", "TypeError: x is null", "BEGIN PRIVATE KEY"],
		...[theirs.code, `ref-${other.marker}-0`],
	])
		expect([text, faults(says(text)).length]).toEqual([text, 1]);
	for (const [status, body] of [
		[500, { error: "INTERNAL_ERROR" }],
		[503, { error: "SERVICE_UNAVAILABLE" }],
		[418, { error: "NOT_FOUND" }],
		[400, { error: "NOT_FOUND" }],
		[406, { error: "VALIDATION_ERROR", details: [{ code: "NAME_MISMATCH" }] }],
	] as const)
		expect([status, faults({ status, body })]).not.toEqual([status, []]);
	for (const header of [
		"x-request-id",
		"x-content-type-options",
		"cache-control",
		"ratelimit",
		"ratelimit-policy",
	])
		expect([header, faults({}, { [header]: "?" })]).not.toEqual([header, []]);
	expect(faults({ status: 429, body: { error: "RATE_LIMIT_EXCEEDED" } })).toEqual([
		"429 with Retry-After null",
	]);
	expect(faults({}, {}, { code: theirs, query: [["p_code", theirs.code]] })).toEqual([
		expect.stringMatching(/^200 \w+ of another partner's code$/),
	]);
	const line = '{"level":"info","event":"request","status":200}';
	expect(logFaults([line])).toEqual([]);
	for (const held of [own.key, '"7391"', "12345678-5", "h1@holders.example", own.marker, "sso-x"])
		expect([held, logFaults([line, held]).length]).toEqual([held, 1]);
});
