import { afterAll, expect, test } from "vitest";
import { seededRandom } from "../domain/seeded-random.ts";
import { DAY, MINUTE, passTime, SECOND, setTime } from "../support/look-inside.ts";
import { count, proofSize } from "../support/proof-size.ts";
import { deliverMessages, runCron } from "../support/receiver.ts";
import type { Partner } from "../support/service.ts";
import { endWorlds, PICTURE } from "./expect-all-holds.ts";
import { carryOn, checkInvariants } from "./invariants.ts";
import { type Injected, RandomFaults } from "./random-faults.ts";
import { WEBHOOK } from "./use-cases.ts";
import { World } from "./world.ts";

/* Random calls of two partners and of ops, random faults at every remote step, random time between: the same invariants. */

afterAll(endWorlds);

const { runs, seed } = proofSize({ runs: 15, seed: 20_261_121 });
const CALLS_A_RUN = 14;
const CODES = 4;

type Dice = (sides: number) => number;

/** What may happen next, and how often out of their sum. */
const MOVES: [weight: number, move: (world: World, pCode: string, dice: Dice) => Promise<unknown>][] = [
	[5, (world, pCode) => world.request(pCode)],
	[1, (world, pCode) => world.request(pCode, { dniFront: PICTURE, partnerCopy: "copia@partner.example" })],
	[1, (world, pCode, dice) => world.request(pCode, {}, { "Idempotency-Key": `r-${pCode}-${dice(2)}` })],
	[1, (world, pCode) => world.request(pCode, { serialNumber: "999999999" })],
	[4, (world, pCode) => world.claim(pCode)],
	[2, (world, pCode, dice) => world.claim(pCode, {}, { "Idempotency-Key": `c-${pCode}-${dice(2)}` })],
	[1, (world, pCode) => world.claim(pCode, { pin: "0000" })],
	[1, (world, pCode) => world.ops("POST", `/pcodes/${pCode}/cancel`, { reason: "x" }, pCode)],
	[1, (world, pCode) => world.ops("POST", `/pcodes/${pCode}/block`, { reason: "x" }, pCode)],
	[1, (world, pCode) => world.ops("POST", `/pcodes/${pCode}/unblock`, { reason: "x" }, pCode)],
	[1, (world, pCode) => revoke(world, pCode)],
	[2, (world, pCode) => bulk(world, world.codes.get(pCode)!.partner)],
	[1, (world, pCode) => Promise.all([world.claim(pCode), world.claim(pCode), world.request(pCode)])],
	[1, () => runCron()],
	[2, (world, _, dice) => deliverSome(world, dice)],
	[2, (world) => world.ringAlarms()],
];

const WAITS = [0, 0, SECOND, 5 * SECOND, 61 * SECOND, 61 * SECOND, 31 * MINUTE, 8 * DAY];

async function revoke(world: World, pCode: string): Promise<void> {
	const serial = world.left.find((one) => one.pCode === pCode)?.serial;
	if (serial) await world.ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" }, pCode);
}

function bulk(world: World, partner: Partner) {
	return world.call("bulk", () => partner.bulk(2), { partner });
}

/** Some of the queue's messages, some of them twice, in no order; some stay, some are lost. */
async function deliverSome(world: World, dice: Dice): Promise<void> {
	const ids = world.queue.splice(0, 1 + dice(4)).map(({ id }) => id);
	const some = ids.flatMap((id) => Array.from({ length: dice(3) }, () => id)).reverse();
	if (some.length > 0) await deliverMessages(...some);
}

/** @returns what was found broken. */
async function runOnce(random: () => number, injected: Injected): Promise<string[]> {
	const dice: Dice = (sides) => Math.floor(random() * sides);
	const world = await World.create();
	setTime(Date.now());
	const partners = [
		await world.partner(),
		await world.partner({ mode: "B2B", ...WEBHOOK, webhook_events: EVENTS }),
	];
	const codes: string[] = [];
	for (let i = 0; i < CODES; i++) codes.push(await world.code(partners[i % 2]!));
	const faults = new RandomFaults(world, random);
	for (let i = 0; i < CALLS_A_RUN; i++) {
		const pCode = codes[dice(CODES)]!;
		const move = draw(dice);
		await faults.around(() => move(world, pCode, dice));
		passTime(WAITS[dice(WAITS.length)]!);
	}
	for (const [kind, n] of Object.entries(faults.injected)) injected[kind] = (injected[kind] ?? 0) + n;
	passTime(10 * MINUTE);
	const first = await checkInvariants(world);
	passTime(31 * MINUTE);
	const next = await carryOn(world);
	return [...first, ...next, ...(await checkInvariants(world))];
}

const EVENTS = ["certificate.emitted", "pcode.validated", "pcode.locked", "pcode.cancelled"];

function draw(dice: Dice): (typeof MOVES)[number][1] {
	let left = dice(MOVES.reduce((sum, [weight]) => sum + weight, 0));
	return MOVES.find(([weight]) => {
		left -= weight;
		return left < 0;
	})![1];
}

test(`random calls under random faults, ${runs} runs from seed ${seed}: all invariants hold`, async ({
	task,
}) => {
	const injected: Injected = {};
	const broken: string[] = [];
	for (let run = 0; run < runs; run++) {
		const violations = await runOnce(seededRandom(seed + run), injected);
		broken.push(...violations.map((violation) => `seed ${seed + run}: ${violation}`));
		if (broken.length > 20) break;
	}
	const perKind = Object.entries(injected).map(([kind, n]) => [`random: ${kind}`, n]);
	count(task, {
		faultedRuns: runs,
		"calls in them": runs * CALLS_A_RUN,
		violations: broken.length,
		...Object.fromEntries(perKind),
	});
	expect(broken).toEqual([]);
	expect(perKind.length).toBeGreaterThan(8);
}, 3_600_000);
