import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { MINUTE_MS } from "../../src/domain/durations.ts";
import { BOUND } from "./db.ts";
import { type Look, lookingOn, whoseWork } from "./whose-work.ts";

/*
 * Every round trip to D1, of the Worker and of its objects alike, passes here: the runtime's own classes are
 * wrapped, so that what a test sees is the whole service and not a step taken out of it. An interception has the trips
 * of what began within it, and of nothing that an earlier call left behind.
 */

type Deliver = () => Promise<unknown>;
type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>;

/** One statement of a round trip, as D1's client has it. */
interface BoundStatement {
	statement: string;
	params: readonly unknown[];
}
/** The statements of one round trip. */
type Trip = readonly BoundStatement[];
/**
 * @param nth - 1 for the first round trip since the interception began.
 * @param sql - every statement of it.
 * @param database - the one that it goes to.
 */
type Interceptor = (
	nth: number,
	deliver: Deliver,
	sql: string,
	trip: Trip,
	database: D1Database,
) => Promise<unknown>;

class Interception {
	count = 0;
	intercept: Interceptor | null;

	constructor(intercept: Interceptor) {
		this.intercept = intercept;
	}
}

let watchAll: ((trip: Trip, look: Look | null) => void) | null = null;

wrap(Object.getPrototypeOf(env.DB_2), ["batch"]);
wrap(Object.getPrototypeOf(env.DB_2.prepare("SELECT 1")), ["all", "raw", "run", "first"]);

function wrap(prototype: Record<string, Method>, names: readonly string[]): void {
	for (const name of names) {
		const original = prototype[name]!;
		prototype[name] = function (...args) {
			const deliver = () => original.apply(this, args);
			const trip = (name === "batch" ? args[0] : [this]) as Trip;
			const look = whoseWork();
			watchAll?.(trip, look);
			if (!(look instanceof Interception) || !look.intercept) return deliver();
			const sql = trip.map(({ statement }) => statement).join(";\n");
			const isIn = (one: D1Database) => sessionOf(one) === sessionOf(this);
			const database = BOUND.find(isIn)!;
			return look.intercept(++look.count, deliver, sql, trip, database);
		};
	}
}

/** The session of a database's client, which its statements have too: the Worker and its objects share the clients. */
function sessionOf(of: unknown): unknown {
	const { alwaysPrimarySession, dbSession } = of as Record<string, unknown>;
	return alwaysPrimarySession ?? dbSession;
}

/** Shows `watch` every round trip of the isolate, whoever makes it, until it is null again. No count may be made so. */
export function watchEveryTrip(watch: typeof watchAll): void {
	watchAll = watch;
}

/** Runs `act` with every round trip that it causes handed to `intercept`. */
export async function interceptDb<T>(intercept: Interceptor, act: () => Promise<T>): Promise<T> {
	const interception = new Interception(intercept);
	try {
		return await lookingOn(interception, act);
	} finally {
		interception.intercept = null;
	}
}

/** Runs `act`. @returns what it returned, and the round trips that it made. */
export async function tripsDuring<T>(act: () => Promise<T>): Promise<[answer: T, trips: Trip[]]> {
	const trips: Trip[] = [];
	const answer = await interceptDb((_nth, deliver, _sql, trip) => {
		trips.push(trip.map(({ statement, params }) => ({ statement, params })));
		return deliver();
	}, act);
	return [answer, trips];
}

/** Runs `act`. @returns what it returned, and how many rows D1 read for it. */
export async function rowsReadDuring<T>(act: () => Promise<T>): Promise<{ result: T; rows: number }> {
	let rows = 0;
	const result = await interceptDb(async (_, deliver) => {
		const results = await deliver();
		for (const { meta } of [results].flat() as D1Result[]) rows += meta?.rows_read ?? 0;
		return results;
	}, act);
	return { result, rows };
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
			return neverEnds();
		},
		() => dieWhen(() => flight.out, act),
	);
}

/** Waits for longer than a test lasts, by a timer: the runtime cancels a call that waits for nothing, which is no death. */
export async function neverEnds(): Promise<never> {
	await scheduler.wait(10 * MINUTE_MS);
	throw new Error("nobody ended what was to die");
}

/**
 * Every object dies once `moment` has come. Watched from the test's own turn: an object that aborts itself from
 * within a round trip takes workerd along.
 * @returns what the caller was answered.
 */
export async function dieWhen<T>(moment: () => boolean, act: () => Promise<T>): Promise<T> {
	const answer = act();
	await vi.waitUntil(moment, { interval: 1 });
	await abortAllDurableObjects();
	return answer;
}

export function lostConnection(): Error {
	return new Error("D1_ERROR: Network connection lost.");
}
