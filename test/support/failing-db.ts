import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";

/*
 * Every round trip to D1, of the Worker and of its objects alike, passes here: the runtime's own classes are
 * wrapped, so that what a test sees is the whole service and not a step taken out of it.
 */

type Deliver = () => Promise<unknown>;
/**
 * @param nth - 1 for the first round trip since the interception began.
 * @param sql - every statement of it.
 */
type Interceptor = (nth: number, deliver: Deliver, sql: string) => Promise<unknown>;
type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>;

/** One statement of a round trip, as D1's client has it. */
interface BoundStatement {
	statement: string;
	params: readonly unknown[];
}

interface Current {
	intercept: Interceptor | null;
	count: number;
	watch: ((statements: readonly BoundStatement[]) => void) | null;
}
const current: Current = { intercept: null, count: 0, watch: null };

wrap(Object.getPrototypeOf(env.DB), ["batch"]);
wrap(Object.getPrototypeOf(env.DB.prepare("SELECT 1")), ["all", "raw", "run", "first"]);

function wrap(prototype: Record<string, Method>, names: readonly string[]): void {
	for (const name of names) {
		const original = prototype[name]!;
		prototype[name] = function (...args) {
			const deliver = () => original.apply(this, args);
			const statements = (name === "batch" ? args[0] : [this]) as BoundStatement[];
			current.watch?.(statements);
			const sql = statements.map(({ statement }) => statement).join(";\n");
			return current.intercept ? current.intercept(++current.count, deliver, sql) : deliver();
		};
	}
}

/** Shows `watch` every round trip, faulted or not, until it is null again. */
export function spyOnDb(watch: Current["watch"]): void {
	current.watch = watch;
}

/** Runs `act` with every round trip handed to `intercept`. */
export async function interceptDb<T>(intercept: Interceptor, act: () => Promise<T>): Promise<T> {
	Object.assign(current, { intercept, count: 0 });
	try {
		return await act();
	} finally {
		current.intercept = null;
	}
}

export type Arrival = "arrives" | "is lost";

/** Round trip `nth` throws; what it carried arrives all the same, or is lost. */
export function failingAt<T>(nth: number, arrival: Arrival, act: () => Promise<T>): Promise<T> {
	return failing((n) => n === nth, arrival, act);
}

/** D1 is away from round trip `nth` on. */
export function failingFrom<T>(nth: number, arrival: Arrival, act: () => Promise<T>): Promise<T> {
	return failing(
		(n) => n >= nth,
		(n) => (n === nth ? arrival : "is lost"),
		act,
	);
}

function failing<T>(
	chosen: (nth: number) => boolean,
	arrival: Arrival | ((nth: number) => Arrival),
	act: () => Promise<T>,
): Promise<T> {
	return interceptDb(async (nth, deliver) => {
		if (!chosen(nth)) return deliver();
		const fate = typeof arrival === "string" ? arrival : arrival(nth);
		if (fate === "arrives") await deliver();
		throw lostConnection();
	}, act);
}

/** Round trip `nth` throws; what it carried arrives only when the test says so. */
export async function delayingAt<T>(nth: number, act: () => Promise<T>) {
	let late: Deliver = () => Promise.reject(new Error(`round trip ${nth} was never made`));
	const answer = await interceptDb((n, deliver) => {
		if (n !== nth) return deliver();
		late = deliver;
		return Promise.reject(lostConnection());
	}, act);
	return { answer, arriveLate: () => late() };
}

/** Every object dies while round trip `nth` is out: before what it carried arrived, or after. */
export function dyingAt<T>(nth: number, arrival: Arrival, act: () => Promise<T>): Promise<T> {
	const flight = { out: false };
	return interceptDb(
		async (n, deliver) => {
			if (n !== nth) return deliver();
			if (arrival === "arrives") await deliver();
			flight.out = true;
			return new Promise(() => undefined);
		},
		() => dieWhen(() => flight.out, act),
	);
}

/**
 * Every object dies once `moment` has come. Watched from the test's own turn: an object that aborts itself from
 * within a round trip takes workerd along.
 * @returns what the caller was answered.
 */
export async function dieWhen<T>(moment: () => boolean, act: () => Promise<T>): Promise<T> {
	const answer = act();
	await vi.waitUntil(moment, { interval: 1, timeout: 10_000 });
	await abortAllDurableObjects();
	return answer;
}

function lostConnection(): Error {
	return new Error("D1_ERROR: Network connection lost.");
}
