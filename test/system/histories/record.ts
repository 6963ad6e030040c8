import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { forgetHome } from "../../../src/directory.ts";
import { objectName } from "../../../src/objects/stubs.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { moveToEnd } from "../../support/move.ts";
import { type Answer, ops, Partner } from "../../support/service.ts";
import { type Call, isReadCall, isRun, type Operation } from "./calls.ts";
import { describeAnswer } from "./describe-answer.ts";
import { below, type Phase, type Plan, pick, type Random } from "./plan.ts";

/* Lets the clients of a plan loose on the service, and writes down who asked what when and was answered what when. */

/** Defect of a service, for a checker to find. */
export interface Wrong {
	/** Every round trip to D1 passes here; `deliver` makes it. */
	trip?: (deliver: () => Promise<unknown>, sql: string) => Promise<unknown>;
	/** Every answer passes here, in the specification's words. */
	report?: (call: Call, reported: string) => string;
}

interface Recording {
	plan: Plan;
	wrong: Wrong;
	partner: Partner;
	/** The real code of each name. */
	codes: ReadonlyMap<string, string>;
	random: Random;
	history: Operation[];
	/** Logical time: counts calls, answers and deaths. */
	moment: () => number;
	/** Times in which a call may be cut off: objects die, or the partner moves and its writes are frozen. */
	deaths: Interval[];
	moves: Interval[];
	/** Time of the mover's clock beyond the clients'. */
	ahead: number;
	/** Runs before the mover freezes the partner's writes. */
	beforeFreeze: () => Promise<unknown>;
	/** Card serials that the registry was asked for. */
	asked: Set<string>;
}

type Interval = { from: number; to: number };

/** The clock must be stopped. */
export async function recordHistory(plan: Plan, random: Random, wrong: Wrong = {}): Promise<Operation[]> {
	const partner = await Partner.create({ mode: plan.mode, key_algorithm: "ec-p256" });
	const pCodes: string[] = (await partner.bulk(plan.codes.length)).body.data.pcodes;
	const counter = { moment: 0 };
	const recording: Recording = {
		plan,
		wrong,
		partner,
		codes: new Map(plan.codes.map((name, i) => [name, pCodes[i]!])),
		random,
		history: [],
		moment: () => ++counter.moment,
		deaths: [],
		moves: [],
		ahead: 0,
		beforeFreeze: async () => undefined,
		asked: new Set(),
	};
	const registry = slowRegistry(recording);
	try {
		await interceptDb(
			async (_, deliver, sql) => {
				if (FREEZE.test(sql)) await recording.beforeFreeze();
				await dawdle(recording);
				const result = await (wrong.trip ? wrong.trip(deliver, sql) : deliver());
				await dawdle(recording);
				return result;
			},
			async () => {
				for (const phase of plan.phases) await runPhase(recording, phase);
				await lookOnceMore(recording);
			},
		);
	} finally {
		registry.mockRestore();
	}
	return recording.history.map((operation) => ({
		...operation,
		contended: isContended(operation, recording),
	}));
}

const FREEZE = /SET state = 'frozen'/;

async function runPhase(recording: Recording, { clients, aborts, move, passing }: Phase): Promise<void> {
	const { plan, random } = recording;
	const moving = move === null ? null : await beginMove(recording);
	const running = clients.map(async (calls, i) => {
		for (const call of calls) {
			await sleep(below(random, plan.pause + 1));
			await perform(recording, `c${i + 1}`, call);
		}
	});
	const dying = aborts.map(async (after) => {
		await sleep(after);
		await during(recording, recording.deaths, abortAllDurableObjects());
	});
	if (moving) dying.push(sleep(move!).then(moving.goOn));
	await Promise.all([...running, ...dying, moving?.ended]);
	vi.setSystemTime(Date.now() + passing);
	note(recording, { client: "-", call: { verb: "pass", milliseconds: passing }, answer: "passed" });
}

/** Notes when it happened. */
async function during({ moment }: Recording, times: Interval[], act: Promise<unknown>): Promise<void> {
	const time = { from: moment(), to: Infinity };
	times.push(time);
	await act;
	time.to = moment();
}

/** Moves the partner until its rows are copied and compared; `goOn` lets the mover freeze, close, switch and open. */
async function beginMove(recording: Recording) {
	const { partner, moves, random } = recording;
	const copied = Promise.withResolvers<void>();
	const allowed = Promise.withResolvers<void>();
	recording.beforeFreeze = () => {
		copied.resolve();
		return allowed.promise;
	};
	const wish = moves.length > 0 ? "back" : { to: pick(random, [1, 2, 3]) };
	const move = moveToEnd(partner, wish, {
		platform: { clock: () => Date.now() + recording.ahead },
		// The mover waits for the end of what isolates have cached: the clients' clock stands still.
		pass: (milliseconds) => {
			recording.ahead += milliseconds;
			forgetHome(partner.id);
		},
	}).catch(() => undefined);
	const ended = during(recording, moves, move);
	await Promise.race([copied.promise, ended]);
	return { ended, goOn: allowed.resolve };
}

/** When nothing runs any more, everything that can be seen pins down what really happened. */
async function lookOnceMore(recording: Recording): Promise<void> {
	const { partner, codes, random } = recording;
	if (random() < 0.5)
		for (const pCode of codes.values())
			await runDurableObjectAlarm(env.PURCHASE_CODES.getByName(objectName(partner.id, pCode)));
	const lookAt = async (code: string) => {
		await perform(recording, code, { verb: "claim", code, rut: "11111111-1", pin: "1111", key: null });
		await perform(recording, code, { verb: "facts", code });
		await perform(recording, code, { verb: "status", code });
	};
	await Promise.all([...codes.keys()].map(lookAt));
	await perform(recording, "last", { verb: "list", status: null });
}

async function perform(recording: Recording, client: string, call: Call): Promise<void> {
	const invokedAt = recording.moment();
	const answer = await send(recording, call);
	const returnedAt = recording.moment();
	const isDuring = ({ from, to }: Interval) => from < returnedAt && to > invokedAt;
	const { deaths, moves } = recording;
	// A partner that moves is read all the time.
	const cuts = isReadCall(call) ? deaths : [...deaths, ...moves];
	const cutOff = answer.body?.error === "SERVICE_UNAVAILABLE" && cuts.some(isDuring);
	// A read that was cut off says nothing and changes nothing.
	if (cutOff && isReadCall(call)) return;
	const nameOf = (pCode: string) => [...recording.codes].find(([, real]) => real === pCode)?.[0] ?? pCode;
	const reported = describeAnswer(call, answer, nameOf);
	note(recording, {
		client,
		call,
		answer: cutOff ? null : (recording.wrong.report?.(call, reported) ?? reported),
		invokedAt,
		returnedAt: cutOff ? Infinity : returnedAt,
		...(cutOff && isRun(call) && { startedBy: returnedAt }),
		// What a frozen place refuses was told to nobody: its attempt may be spent or not, and the code is free again.
		...(cutOff && moves.some(isDuring) && { registryAsked: null, hasStarted: false, isRefused: true }),
	});
}

type Noted = Pick<Operation, "client" | "call" | "answer"> & Partial<Operation>;

function note({ history, moment, asked }: Recording, operation: Noted): void {
	const { call, answer } = operation;
	const says = answer === null && call.verb === "request" && call.registry === "denies" && call.key === null;
	history.push({
		id: history.length + 1,
		invokedAt: moment(),
		returnedAt: moment(),
		registryAsked: says ? asked.has(call.cardSerial) : null,
		hasStarted: says && asked.has(call.cardSerial),
		contended: false,
		isRefused: false,
		...operation,
	});
}

function send({ partner, codes }: Recording, call: Call): Promise<Answer> {
	const pCode = "code" in call ? codes.get(call.code)! : "";
	switch (call.verb) {
		case "request": {
			const { rut: dni, cardSerial: serialNumber, email, pin, reference: referenceId, key } = call;
			return partner.request({ pCode, referenceId, dni, email, pin, serialNumber }, keyHeader(key));
		}
		case "claim":
			return partner.claim(pCode, { dni: call.rut, pin: call.pin }, keyHeader(call.key));
		case "status":
			return partner.get(`/api/partners/v1/status?p_code=${pCode}`);
		case "list":
			return partner.list(call.status === null ? "" : `?status=${call.status}`);
		case "facts":
			return ops("GET", `/pcodes/${pCode}`);
		case "pass":
			throw new Error("time passes between calls");
		default:
			return ops("POST", `/pcodes/${pCode}/${call.verb}`, { reason: "test" });
	}
}

function keyHeader(key: string | null): Record<string, string> {
	return key === null ? {} : { "Idempotency-Key": key };
}

function slowRegistry(recording: Recording) {
	const answer = CivilRegistrySandbox.prototype.fetch;
	return vi.spyOn(CivilRegistrySandbox.prototype, "fetch").mockImplementation(async function (
		this: CivilRegistrySandbox,
		request,
	) {
		const { cardSerial } = await request.clone().json<{ cardSerial: string }>();
		recording.asked.add(cardSerial);
		await dawdle(recording);
		return answer.call(this, request);
	});
}

/** Waits, in half of the cases not at all, so that orders change. */
async function dawdle({ random, plan: { delay } }: Recording): Promise<void> {
	if (random() < 0.5) await sleep(below(random, delay + 1));
}

function sleep(milliseconds: number): Promise<void> {
	return new Promise((wake) => setTimeout(wake, milliseconds));
}

/** A verb of ops gives up after three concurrent changes. */
const TRIES = 3;

function isContended(operation: Operation, { history }: Recording): boolean {
	const { call } = operation;
	if (!("code" in call)) return false;
	const besides = history.filter(
		(other) =>
			other !== operation &&
			"code" in other.call &&
			other.call.code === call.code &&
			!isReadCall(other.call) &&
			other.invokedAt < operation.returnedAt &&
			operation.invokedAt < other.returnedAt,
	);
	return besides.length >= TRIES;
}
