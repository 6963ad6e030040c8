import { afterAll, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../src/domain/durations.ts";
import { passTime, setTime } from "../../support/look-inside.ts";
import { deliverMessages, runCron } from "../../support/receiver.ts";
import { count, runSize } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { loadHolder, type Partner } from "../../support/service.ts";
import { carryOn, checkInvariants } from "./check-invariants.ts";
import { endFixtures, PICTURE } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";
import { clearLateMarks } from "./late-marks.ts";
import { signedOnFields } from "./partner-use-cases.ts";
import { type Injected, RandomFaults } from "./random-faults.ts";
import { WEBHOOK } from "./use-cases.ts";
import { claim, end, hasSession, make, step, submit, type } from "./widget-steps.ts";

/* Random calls of three partners and of ops, random faults at every remote step, random time between: the same invariants. */

afterAll(endFixtures);

const { runs, seed } = runSize({ runs: 15, seed: 20_261_121 });
const CALLS_A_RUN = 14;
const CODES = 4;
/** Codes of the partner whose holders sign on instead of showing their card. */
const SIGNED_ON = 2;

type Dice = (sides: number) => number;

interface Move {
	/** Relative frequency. */
	weight: number;
	/** The object asks for a commit that D1 leaves open, so that a 503 says that nothing changed. */
	asks: boolean;
	act(fixture: Fixture, pCode: string, dice: Dice): Promise<unknown>;
}

const asked = (weight: number, act: Move["act"]): Move => ({ weight, asks: true, act });
const unasked = (weight: number, act: Move["act"]): Move => ({ weight, asks: false, act });
const PHOTO = { dniFront: PICTURE, partnerCopy: "copia@partner.example" };

const MOVES: Move[] = [
	asked(5, (fixture, pCode) => fixture.request(pCode)),
	asked(1, (fixture, pCode) => fixture.request(pCode, PHOTO)),
	asked(1, (fixture, pCode, dice) =>
		fixture.request(pCode, {}, { "Idempotency-Key": `r-${pCode}-${dice(2)}` }),
	),
	asked(1, (fixture, pCode) => fixture.request(pCode, { serialNumber: "999999999" })),
	asked(4, (fixture, pCode) => fixture.claim(pCode)),
	asked(2, (fixture, pCode, dice) =>
		fixture.claim(pCode, {}, { "Idempotency-Key": `c-${pCode}-${dice(2)}` }),
	),
	asked(1, (fixture, pCode) => fixture.claim(pCode, { pin: "0000" })),
	unasked(1, (fixture, pCode) => verb(fixture, pCode, "cancel")),
	unasked(1, (fixture, pCode) => verb(fixture, pCode, "block")),
	unasked(1, (fixture, pCode) => verb(fixture, pCode, "unblock")),
	unasked(1, (fixture, pCode) => revoke(fixture, pCode)),
	asked(2, (fixture, pCode) => bulk(fixture, fixture.codes.get(pCode)!.partner)),
	asked(1, (fixture, pCode) =>
		Promise.all([fixture.claim(pCode), fixture.claim(pCode), fixture.request(pCode)]),
	),
	asked(2, (fixture, pCode, dice) =>
		make(fixture, pCode, dice(2) === 0 ? {} : { "Idempotency-Key": `s-${pCode}` }),
	),
	unasked(3, inSession(type)),
	unasked(3, inSession(submit)),
	unasked(3, inSession(claim)),
	unasked(1, inSession(end)),
	unasked(
		1,
		inSession((fixture, pCode) => step(fixture, pCode, "POST", "/open")),
	),
	unasked(1, () => runCron()),
	unasked(2, (fixture, _, dice) => deliverSome(fixture, dice)),
	unasked(2, (fixture) => fixture.ringAlarms()),
];

const WAITS = [0, 0, SECOND_MS, 5 * SECOND_MS, 61 * SECOND_MS, 61 * SECOND_MS, 31 * MINUTE_MS, 8 * DAY_MS];

/** A code's session is made first, with the same faults around it. */
function inSession(act: (fixture: Fixture, pCode: string) => Promise<unknown>): Move["act"] {
	return async (fixture, pCode) => {
		if (!hasSession(pCode)) await make(fixture, pCode);
		if (hasSession(pCode)) await act(fixture, pCode);
	};
}

function verb(fixture: Fixture, pCode: string, name: string) {
	return fixture.ops("POST", `/pcodes/${pCode}/${name}`, { reason: "x" }, pCode);
}

async function revoke(fixture: Fixture, pCode: string): Promise<void> {
	const serial = fixture.left.find((one) => one.pCode === pCode)?.serial;
	if (serial) await fixture.ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" }, pCode);
}

function bulk(fixture: Fixture, partner: Partner) {
	return fixture.call("bulk", () => partner.bulk(2), { partner });
}

/** Some of the queue's messages, some of them twice, in no order; some stay, some are lost. */
async function deliverSome(fixture: Fixture, dice: Dice): Promise<void> {
	const ids = fixture.queue.splice(0, 1 + dice(4)).map(({ id }) => id);
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
	/** The widget's calls that went well. */
	inWidget: number;
}

/** @returns what was found broken. */
async function runOnce(random: () => number, injected: Injected, judged: Judged): Promise<string[]> {
	const dice: Dice = (sides) => Math.floor(random() * sides);
	const fixture = await Fixture.create();
	setTime(Date.now());
	const partners = [
		await fixture.partner(),
		await fixture.partner({ mode: "B2B", ...WEBHOOK, webhook_events: EVENTS }),
	];
	const codes: string[] = [];
	for (let i = 0; i < CODES; i++) codes.push(await fixture.code(partners[i % 2]!));
	const signedOn = await fixture.partner({ require_cedula_serie: 0 });
	for (let i = 0; i < SIGNED_ON; i++) codes.push(await fixture.code(signedOn, signedOnHolder(i)));
	const faults = new RandomFaults(fixture, random);
	for (let i = 0; i < CALLS_A_RUN; i++) {
		const pCode = codes[dice(codes.length)]!;
		const { act, asks } = draw(dice);
		await faults.around(() => act(fixture, pCode, dice), asks);
		passTime(WAITS[dice(WAITS.length)]!);
	}
	for (const [kind, n] of Object.entries(faults.injected)) injected[kind] = (injected[kind] ?? 0) + n;
	const unavailable = fixture.seen.filter(({ answer }) => answer.status === 503);
	judged.unavailable += unavailable.length;
	judged.inWidget += fixture.seen.filter(
		({ verb, answer }) => verb === "widget" && answer.status === 200,
	).length;
	judged.strictly += unavailable.filter(({ inDoubt }) => !inDoubt).length;
	passTime(10 * MINUTE_MS);
	const found = await checkInvariants(fixture);
	const first = faults.injected["D1 arrives late"] ? await clearLateMarks(found) : found;
	passTime(31 * MINUTE_MS);
	const next = await carryOn(fixture);
	return [...first, ...next, ...(await checkInvariants(fixture))];
}

const EVENTS = [
	...["certificate.emitted", "pcode.validated", "pcode.locked", "pcode.cancelled"],
	...["onboarding.completed", "onboarding.expired"],
];

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
	const judged: Judged = { unavailable: 0, strictly: 0, inWidget: 0 };
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
		"steps of the widget": judged.inWidget,
		...Object.fromEntries(perKind),
	});
	expect(broken).toEqual([]);
	expect(judged.strictly).toBeGreaterThan(0);
	expect(judged.inWidget).toBeGreaterThan(0);
	expect(perKind.length).toBeGreaterThan(8);
}, 3_600_000);
