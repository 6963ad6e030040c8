import { afterAll, expect, test } from "vitest";
import { DAY, MINUTE, passTime, SECOND, setTime } from "../../support/look-inside.ts";
import { deliverMessages, runCron } from "../../support/receiver.ts";
import { count, runSize } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { loadHolder, type Partner } from "../../support/service.ts";
import { carryOn, checkInvariants } from "./check-invariants.ts";
import { endWorlds, PICTURE } from "./expect-all-holds.ts";
import { clearLateMarks } from "./late-marks.ts";
import { signedOnFields } from "./partner-use-cases.ts";
import { type Injected, RandomFaults } from "./random-faults.ts";
import { WEBHOOK } from "./use-cases.ts";
import { World } from "./world.ts";

/* Random calls of three partners and of ops, random faults at every remote step, random time between: the same invariants. */

afterAll(endWorlds);

const { runs, seed } = runSize({ runs: 15, seed: 20_261_121 });
const CALLS_A_RUN = 14;
const CODES = 4;
/** Codes of the partner whose holders sign on instead of showing their card. */
const SIGNED_ON = 2;

type Dice = (sides: number) => number;

interface Move {
	/** How often it happens, out of their sum. */
	weight: number;
	/** Its commit is asked for when D1 leaves it open, so that a 503 says that nothing changed. */
	asks: boolean;
	act(world: World, pCode: string, dice: Dice): Promise<unknown>;
}

const asked = (weight: number, act: Move["act"]): Move => ({ weight, asks: true, act });
const unasked = (weight: number, act: Move["act"]): Move => ({ weight, asks: false, act });
const PHOTO = { dniFront: PICTURE, partnerCopy: "copia@partner.example" };

const MOVES: Move[] = [
	asked(5, (world, pCode) => world.request(pCode)),
	asked(1, (world, pCode) => world.request(pCode, PHOTO)),
	asked(1, (world, pCode, dice) => world.request(pCode, {}, { "Idempotency-Key": `r-${pCode}-${dice(2)}` })),
	asked(1, (world, pCode) => world.request(pCode, { serialNumber: "999999999" })),
	asked(4, (world, pCode) => world.claim(pCode)),
	asked(2, (world, pCode, dice) => world.claim(pCode, {}, { "Idempotency-Key": `c-${pCode}-${dice(2)}` })),
	asked(1, (world, pCode) => world.claim(pCode, { pin: "0000" })),
	unasked(1, (world, pCode) => verb(world, pCode, "cancel")),
	unasked(1, (world, pCode) => verb(world, pCode, "block")),
	unasked(1, (world, pCode) => verb(world, pCode, "unblock")),
	unasked(1, (world, pCode) => revoke(world, pCode)),
	asked(2, (world, pCode) => bulk(world, world.codes.get(pCode)!.partner)),
	asked(1, (world, pCode) => Promise.all([world.claim(pCode), world.claim(pCode), world.request(pCode)])),
	unasked(1, () => runCron()),
	unasked(2, (world, _, dice) => deliverSome(world, dice)),
	unasked(2, (world) => world.ringAlarms()),
];

const WAITS = [0, 0, SECOND, 5 * SECOND, 61 * SECOND, 61 * SECOND, 31 * MINUTE, 8 * DAY];

function verb(world: World, pCode: string, name: string) {
	return world.ops("POST", `/pcodes/${pCode}/${name}`, { reason: "x" }, pCode);
}

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

/** None of those that the other codes are for. */
function signedOnHolder(i: number) {
	const holder = loadHolder(1_000 + i);
	return { ...holder, ...signedOnFields(holder) };
}

/** Answers 503, and how many of them were held to have changed nothing. */
interface Judged {
	unavailable: number;
	strictly: number;
}

/** @returns what was found broken. */
async function runOnce(random: () => number, injected: Injected, judged: Judged): Promise<string[]> {
	const dice: Dice = (sides) => Math.floor(random() * sides);
	const world = await World.create();
	setTime(Date.now());
	const partners = [
		await world.partner(),
		await world.partner({ mode: "B2B", ...WEBHOOK, webhook_events: EVENTS }),
	];
	const codes: string[] = [];
	for (let i = 0; i < CODES; i++) codes.push(await world.code(partners[i % 2]!));
	const signedOn = await world.partner({ require_cedula_serie: 0 });
	for (let i = 0; i < SIGNED_ON; i++) codes.push(await world.code(signedOn, signedOnHolder(i)));
	const faults = new RandomFaults(world, random);
	for (let i = 0; i < CALLS_A_RUN; i++) {
		const pCode = codes[dice(codes.length)]!;
		const { act, asks } = draw(dice);
		await faults.around(() => act(world, pCode, dice), asks);
		passTime(WAITS[dice(WAITS.length)]!);
	}
	for (const [kind, n] of Object.entries(faults.injected)) injected[kind] = (injected[kind] ?? 0) + n;
	const unavailable = world.seen.filter(({ answer }) => answer.status === 503);
	judged.unavailable += unavailable.length;
	judged.strictly += unavailable.filter(({ inDoubt }) => !inDoubt).length;
	passTime(10 * MINUTE);
	const found = await checkInvariants(world);
	const first = faults.injected["D1 arrives late"] ? await clearLateMarks(found) : found;
	passTime(31 * MINUTE);
	const next = await carryOn(world);
	return [...first, ...next, ...(await checkInvariants(world))];
}

const EVENTS = ["certificate.emitted", "pcode.validated", "pcode.locked", "pcode.cancelled"];

function draw(dice: Dice): Move {
	let left = dice(MOVES.reduce((sum, { weight }) => sum + weight, 0));
	return MOVES.find(({ weight }) => {
		left -= weight;
		return left < 0;
	})!;
}

test(`random calls under random faults, ${runs} runs from seed ${seed}: all invariants hold`, async ({
	task,
}) => {
	const injected: Injected = {};
	const judged: Judged = { unavailable: 0, strictly: 0 };
	const broken: string[] = [];
	for (let run = 0; run < runs; run++) {
		const violations = await runOnce(seededRandom(seed + run), injected, judged);
		broken.push(...violations.map((violation) => `seed ${seed + run}: ${violation}`));
		if (broken.length > 20) break;
	}
	const perKind = Object.entries(injected).map(([kind, n]) => [`random: ${kind}`, n]);
	count(task, {
		faultedRuns: runs,
		"calls in them": runs * CALLS_A_RUN,
		violations: broken.length,
		"answers 503": judged.unavailable,
		"of them held to have changed nothing": judged.strictly,
		...Object.fromEntries(perKind),
	});
	expect(broken).toEqual([]);
	expect(judged.strictly).toBeGreaterThan(0);
	expect(perKind.length).toBeGreaterThan(8);
}, 3_600_000);
