import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../../../src/domain/durations.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { SingleSignOnSandbox } from "../../../src/sandbox/single-sign-on-sandbox.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { passTime } from "../../support/look-inside.ts";
import { D1_ERRORS, d1Error } from "./db-faults.ts";
import type { Fixture } from "./fixture.ts";
import { TRANSPORT } from "./upstream-answers.ts";

/* Faults of every kind, each at its own rate, at the next remote step. */

export type Injected = Record<string, number>;

/** Out of a thousand steps of a kind, how many meet the fault. */
const RATES = {
	"D1 fails before": 40,
	"D1 fails after it committed": 40,
	"D1 arrives late": 15,
	"D1 is slow": 60,
	"D1 is away for some trips": 15,
	"the objects die": 25,
	"the clock goes back": 8,
	"the registry misbehaves": 120,
	"the single sign-on misbehaves": 250,
	"the bucket fails": 100,
	"the queue fails": 150,
	"the receiver fails": 250,
	"the e-mail binding fails": 250,
} as const;

/** Misbehaviours of an upstream that take no time. */
const QUICK_UPSTREAM = Object.entries(TRANSPORT).filter(([kind]) => !/never|without end|100 MB/.test(kind));

export class RandomFaults {
	readonly injected: Injected = {};
	readonly #random: () => number;
	readonly #fixture: Fixture;
	readonly #late: (() => Promise<unknown>)[] = [];
	#awayFor = 0;
	/** Failures of D1 in the running call, and how many of them leave nothing open. */
	#failures = { all: 0, arrived: 0, max: 0 };
	#isOn = false;

	constructor(fixture: Fixture, random: () => number) {
		this.#fixture = fixture;
		this.#random = random;
		const misbehave = (request: unknown, good: () => unknown) => {
			const [, kind] = QUICK_UPSTREAM[Math.floor(random() * QUICK_UPSTREAM.length)]!;
			return kind(request as Request, good as () => Promise<Response>, 1);
		};
		this.#spoil(CivilRegistrySandbox.prototype, "fetch", "the registry misbehaves", misbehave);
		this.#spoil(SingleSignOnSandbox.prototype, "fetch", "the single sign-on misbehaves", misbehave);
		const broken = () => Promise.reject(new Error("internal error"));
		this.#spoil(Object.getPrototypeOf(env.EVIDENCE), "put", "the bucket fails", broken);
		this.#spoil(Object.getPrototypeOf(env.DELIVERIES), "sendBatch", "the queue fails", broken);
		this.#spoil(Object.getPrototypeOf(env.EMAIL), "send", "the e-mail binding fails", broken);
		fixture.receiver.answer = () => {
			if (!this.#strikes("the receiver fails")) return new Response(null, { status: 204 });
			return random() < 0.5 ? new Response(null, { status: 503 }) : Promise.reject(new TypeError("refused"));
		};
	}

	/**
	 * Makes one call, or some, with faults around it. A 503 is in doubt only after a fault that may leave one so.
	 * @param asks - whose commit is asked for when D1 leaves it open: it takes two failures to keep that open.
	 */
	async around(act: () => Promise<unknown>, asks: boolean): Promise<void> {
		this.#isOn = true;
		this.#failures = { all: 0, arrived: 0, max: asks ? 1 : 0 };
		const flight = { out: false, over: false, dead: Promise.withResolvers<void>() };
		const reported = interceptDb((_, deliver) => this.#trip(deliver, flight), act).finally(() => {
			flight.over = true;
		});
		await vi.waitUntil(() => flight.out || flight.over, { interval: 1, timeout: 30_000 });
		if (flight.out) {
			await abortAllDurableObjects();
			this.#fixture.ringing.clear();
		}
		flight.dead.resolve();
		await reported;
		this.#isOn = false;
		this.#fixture.inDoubt = false;
		this.#awayFor = 0;
		for (const deliver of this.#late.splice(0)) await deliver().catch(() => undefined);
	}

	async #trip(
		deliver: () => Promise<unknown>,
		flight: { out: boolean; dead: PromiseWithResolvers<void> },
	): Promise<unknown> {
		if (flight.out) return deliver();
		if (this.#awayFor > 0) {
			this.#awayFor -= 1;
			throw this.#error(false);
		}
		if (this.#fixture.isObjectBusy() && this.#strikes("the objects die")) {
			if (this.#random() < 0.5) await deliver();
			this.#fixture.inDoubt = true;
			flight.out = true;
			// The trip of one of two calls at once may be no object's: it must not wait for ever.
			await flight.dead.promise;
			throw d1Error();
		}
		if (this.#strikes("the clock goes back")) passTime(-Math.floor(this.#random() * 5 * MINUTE_MS));
		if (this.#strikes("D1 is slow")) passTime(Math.floor(this.#random() * 40 * SECOND_MS));
		if (this.#strikes("D1 is away for some trips")) {
			this.#awayFor = 1 + Math.floor(this.#random() * 6);
			const arrives = this.#random() < 0.5;
			if (arrives) await deliver();
			throw this.#error(arrives);
		}
		if (this.#strikes("D1 fails before")) throw this.#error(false);
		if (this.#strikes("D1 arrives late")) {
			this.#late.push(deliver);
			throw this.#error(true);
		}
		const result = await deliver();
		if (this.#strikes("D1 fails after it committed")) throw this.#error(true);
		return result;
	}

	/** @param arrived - what the trip carried got there, or will. */
	#error(arrived: boolean): Error {
		const failures = this.#failures;
		failures.all += 1;
		if (arrived) failures.arrived += 1;
		if (failures.arrived > 0 && failures.all > failures.max) this.#fixture.inDoubt = true;
		return d1Error(D1_ERRORS[Math.floor(this.#random() * D1_ERRORS.length)]);
	}

	#strikes(kind: keyof typeof RATES): boolean {
		if (!this.#isOn || this.#random() * 1_000 >= RATES[kind]) return false;
		this.injected[kind] = (this.injected[kind] ?? 0) + 1;
		return true;
	}

	#spoil(
		target: object,
		method: string,
		kind: keyof typeof RATES,
		fault: (first: unknown, good: () => unknown) => unknown,
	): void {
		type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>;
		const found = (target as Record<string, Method>)[method]!;
		const original = vi.isMockFunction(found) ? (found.getMockImplementation() as Method) : found;
		const strikes = () => this.#strikes(kind);
		vi.spyOn(target as Record<string, Method>, method).mockImplementation(async function (
			this: unknown,
			...args
		) {
			const good = () => original.apply(this, args);
			return strikes() ? fault(args[0], good) : good();
		});
	}
}
