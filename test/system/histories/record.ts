import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { objectName } from "../../../src/objects/stubs.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { type Answer, ops, Partner } from "../../support/service.ts";
import { type Call, isReadCall, isRun, type Operation } from "./calls.ts";
import { describeAnswer } from "./describe-answer.ts";
import { below, type Phase, type Plan, type Random } from "./plan.ts";

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
	deaths: number[];
	/** Card serials that the registry was asked for. */
	asked: Set<string>;
}

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
		asked: new Set(),
	};
	const registry = slowRegistry(recording);
	try {
		await interceptDb(
			async (_, deliver, sql) => {
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

async function runPhase(recording: Recording, { clients, aborts, passing }: Phase): Promise<void> {
	const { plan, random } = recording;
	const running = clients.map(async (calls, i) => {
		for (const call of calls) {
			await sleep(below(random, plan.pause + 1));
			await perform(recording, `c${i + 1}`, call);
		}
	});
	const dying = aborts.map(async (after) => {
		await sleep(after);
		recording.deaths.push(recording.moment());
		await abortAllDurableObjects();
		recording.deaths.push(recording.moment());
	});
	await Promise.all([...running, ...dying]);
	vi.setSystemTime(Date.now() + passing);
	note(recording, { client: "-", call: { verb: "pass", milliseconds: passing }, answer: "passed" });
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
	const cutOff =
		answer.body?.error === "SERVICE_UNAVAILABLE" &&
		recording.deaths.some((death) => death > invokedAt && death < returnedAt);
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
