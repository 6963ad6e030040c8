import { AsyncLocalStorage } from "node:async_hooks";
import { vi } from "vitest";
import worker, { PartnerObject, PurchaseCodeObject } from "../../src/dev.ts";

/*
 * Attributes the isolate's work to tests. It runs earlier tests' leftovers too: queued messages, alarms, work after an
 * answer. A call or an object's step that begins while a test looks on belongs to that test.
 */

/** Identity of a test's observation, from its beginning to its end. */
export type Look = object;

const owner = new AsyncLocalStorage<Look | null>();
const inObject = new AsyncLocalStorage<true>();
const looks: Look[] = [];
/** Work under way in the Worker, and in its objects. */
const calls = new Set<Promise<unknown>>();
const steps = new Set<Promise<unknown>>();

const newest = () => looks.at(-1) ?? null;

/** Runs `act`: the calls, steps and jobs that begin within it are this look's. */
export async function lookingOn<T>(look: Look, act: () => Promise<T>): Promise<T> {
	looks.push(look);
	try {
		return await owner.run(look, act);
	} finally {
		looks.splice(looks.indexOf(look), 1);
	}
}

/** Runs `act` as no test's work. */
export function asNobody<T>(act: () => T): T {
	return owner.run(null, act);
}

/** Finds the owner of this work; null if it began before the look. A stream's reading belongs to the newest. */
export function whoseWork(): Look | null {
	const known = owner.getStore();
	return known === undefined ? newest() : known;
}

/** Whether an object does this work, not the Worker or a job. */
export function isInObject(): boolean {
	return inObject.getStore() === true;
}

/** The runtime's own, whatever a test does to its clock. */
const { setTimeout: setTimer } = globalThis;
/** Time that an earlier test's calls may go on. A call held for ever by a mute upstream never ends. */
const LEFT_BEHIND_MS = 2_000;

/** Ends what objects do, by `endObjects`, and waits until nothing of an earlier call runs in this isolate. */
export async function endAllWork(endObjects: () => Promise<void>): Promise<void> {
	if (calls.size + steps.size === 0) return;
	await endObjects();
	// An ended object's work never ends; the call that waits for it does.
	steps.clear();
	const until = performance.now() + LEFT_BEHIND_MS;
	// Looked at again and again: a promise of another request is not to be waited for here.
	while (calls.size > 0 && performance.now() < until) await new Promise((looked) => setTimer(looked, 5));
	calls.clear();
}

/** Waits until no call runs in this isolate, nor what one left to be done after its answer. */
export function untilCallsEnd(): Promise<unknown> {
	return vi.waitUntil(() => calls.size === 0, { interval: 5 });
}

type Run = (this: object, ...args: unknown[]) => unknown;

function track<T>(running: Set<Promise<unknown>>, work: T): T {
	const ended = Promise.resolve(work).catch(() => undefined);
	running.add(ended);
	ended.finally(() => running.delete(ended));
	return work;
}

interface Context {
	waitUntil(work: Promise<unknown>): void;
}
const tracked = new WeakSet<Context>();

/** Tracks what a call or an object leaves to be done after its answer. */
function trackLater(running: Set<Promise<unknown>>, context: Context): void {
	if (tracked.has(context)) return;
	tracked.add(context);
	const original = context.waitUntil;
	context.waitUntil = (work) => original.call(context, track(running, work));
}

/** @param ownerOf - whose it is when it begins with nobody's name: whatever the runtime starts. */
function wrap(target: object, name: string, ownerOf: (args: unknown[]) => Look | null): void {
	const running = target === worker ? calls : steps;
	const original = (target as Record<string, Run>)[name]!;
	const wrapped: Run = function (...args) {
		const context = name === "fetch" ? args[2] : "ctx" in this && this.ctx;
		if (context) trackLater(running, context as Context);
		const known = owner.getStore();
		const run = () => original.apply(this, args);
		const act = target === worker ? run : () => inObject.run(true, run);
		return track(running, owner.run(known === undefined ? ownerOf(args) : known, act));
	};
	Object.defineProperty(target, name, { value: wrapped, configurable: true, writable: true });
}

wrap(worker, "fetch", newest);
// The queue and the cron come by themselves, unless the test calls them.
wrap(worker, "queue", () => null);
wrap(worker, "scheduled", () => null);

for (const { prototype } of [PurchaseCodeObject, PartnerObject, Object.getPrototypeOf(PartnerObject)])
	for (const name of Object.getOwnPropertyNames(prototype)) {
		const { value } = Object.getOwnPropertyDescriptor(prototype, name)!;
		if (name === "constructor" || typeof value !== "function") continue;
		// The runtime hands an alarm its circumstances, the test's own does not.
		wrap(prototype, name, (args) => (name === "alarm" && args.length > 0 ? null : newest()));
	}
