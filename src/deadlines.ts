import { AsyncLocalStorage } from "node:async_hooks";
import type { Bindings } from "./bindings.ts";
import { SECOND_MS } from "./domain/durations.ts";
import { noteDatabaseSize } from "./telemetry/database-size.ts";
import { Unavailable } from "./unavailable.ts";

/*
 * Deadlines of the service's own for D1, R2, the queue, the signer and the objects, one of which may stay mute and never fail. This
 * file alone takes them from the environment, so that nothing waits for them without a deadline. What the service
 * stops waiting for may still happen.
 */

/** An operation in a call, and a call to an object that runs no step. */
const OPERATION_MS = 5 * SECOND_MS;
/** An operation of a job or of a CRL. */
const BACKGROUND_MS = 30 * SECOND_MS;
/** A call that runs a step in its object, at each of its hops: a lease, and what the step does after losing it. */
const STEP_MS = 65 * SECOND_MS;

const operationMs = new AsyncLocalStorage<number>();

/** Runs a job, or the build of a CRL: its operations have a longer deadline. */
export function inBackground<T>(run: () => T): T {
	return operationMs.run(BACKGROUND_MS, run);
}

/** Ends a wait of a call that takes several operations; in the background each of them has its own deadline. */
export function withinCall<T>(wait: Promise<T>): Promise<T> {
	return operationMs.getStore() === undefined ? within(OPERATION_MS, wait) : wait;
}

/** Asks somebody outside, and reads the answer, as one operation. @param ask - stops at the signal */
export async function withinOperation<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const stop = new AbortController();
	try {
		return await asOperation(ask(stop.signal));
	} finally {
		stop.abort();
	}
}

/** Everything bound to the Worker that may stay mute, with deadlines. A bucket fails with {@link Unavailable} alone. */
export function connect(env: Bindings) {
	return {
		bound: boundDatabases(env),
		evidence: limitOperations(env.EVIDENCE, asBucket),
		pki: limitOperations(env.PKI, asBucket),
		auditLog: limitOperations(env.AUDIT, asBucket),
		deliveries: limitOperations(env.DELIVERIES),
		codes: limitCalls(env.PURCHASE_CODES),
		partners: limitCalls(env.PARTNERS),
	};
}

type Operation = <T>(wait: PromiseLike<T>) => Promise<T>;

const asOperation: Operation = (wait) => within(operationMs.getStore() ?? OPERATION_MS, wait);

/** A partner lives in one of them: `DB`, `DB_2` … `DB_32`, as far as they are bound. */
const BINDINGS = ["DB", ...Array.from({ length: 31 }, (_, i) => `DB_${i + 2}`)];

function boundDatabases(env: Bindings) {
	return BINDINGS.flatMap((binding, i) => {
		const database = (env as unknown as Record<string, D1Database | undefined>)[binding];
		const number = i + 1;
		return database ? [{ number, binding, database: limitOperations(database, asDatabase(number)) }] : [];
	});
}

function asDatabase(number: number): Operation {
	return async (wait) => {
		const answer = await asOperation(wait);
		noteDatabaseSize(number, answer);
		return answer;
	};
}

/** Limits the reading of an object's content too. */
const asBucket: Operation = async (wait) => {
	const result = await asOperation(wait).catch((error: unknown) => {
		throw new Unavailable("bucket", String(error));
	});
	return isObject(result) && "body" in result ? limitOperations(result, asBucket) : result;
};

/** Limits each wait for what the target's methods return, and for what the methods of that return. */
function limitOperations<Target extends object>(target: Target, limit = asOperation): Target {
	return new Proxy(target, {
		get(_, name) {
			const value: unknown = Reflect.get(target, name);
			if (typeof value !== "function") return value;
			return (...args: unknown[]) => {
				const made: unknown = Reflect.apply(value, target, args);
				if (!isObject(made)) return made;
				return "then" in made ? limit(made as PromiseLike<unknown>) : limitOperations(made, limit);
			};
		},
	});
}

/** Namespace of objects, as far as it is used. */
export type ObjectNamespace = Pick<DurableObjectNamespace, "getByName">;

type Call = (...args: unknown[]) => Promise<unknown>;

function limitCalls(namespace: ObjectNamespace): ObjectNamespace {
	return {
		getByName(...named) {
			const stub = namespace.getByName(...named) as unknown as Record<string, Call>;
			return new Proxy(stub as unknown as DurableObjectStub, {
				get:
					(_, method: string) =>
					(...args: unknown[]) =>
						within(runsStep(method, args) ? STEP_MS : OPERATION_MS, stub[method]!(...args)),
			});
		},
	};
}

/** A frame's look at its session only reads; without a call to hand on, the partner's object only counts. */
function runsStep(method: string, calls: readonly unknown[]): boolean {
	return method !== "showOnboarding" && calls.some((call) => call !== undefined);
}

function isObject(value: unknown): value is object {
	return typeof value === "object" && value !== null;
}

/** Waits that long at most; afterwards no timer keeps the isolate or the object awake. */
async function within<T>(milliseconds: number, wait: PromiseLike<T>): Promise<T> {
	const { promise: late, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(giveUp, milliseconds, reject, milliseconds);
	try {
		return await Promise.race([wait, late]);
	} finally {
		clearTimeout(timer);
	}
}

/** Ends a wait at its deadline. Tests tell the deadlines' timers from others by it. */
export function giveUp(reject: (reason: Error) => void, milliseconds: number): void {
	reject(new Error(`no answer within ${milliseconds} ms`));
}
