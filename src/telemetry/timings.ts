import { AsyncLocalStorage } from "node:async_hooks";

/*
 * Where the time of a call goes. On Cloudflare the clock stands still while a Worker computes, so these are
 * times of waiting: for D1, an object, an upstream. Locally they take in computing too.
 */

/** `object`: from the Worker's side, all of the call to it; the others also within the object. */
export type Part = "d1" | "object" | "registry" | "sso" | "issue";

/** Milliseconds waited for each part; parallel waits add up. Plain data: it crosses the call to an object. */
export type Timings = Partial<Record<Part, number>>;

const current = new AsyncLocalStorage<Timings>();

/** Runs a call whose waits are collected into `timings`. */
export function collectTimings<T>(timings: Timings, run: () => T): T {
	return current.run(timings, run);
}

/** Awaits one wait of the running call, whichever it is; outside of any call it only awaits. */
export async function timed<T>(part: Part, wait: () => PromiseLike<T>): Promise<T> {
	const start = performance.now();
	try {
		return await wait();
	} finally {
		addTimings({ [part]: performance.now() - start });
	}
}

/** Takes in what an object waited for on this call's behalf. */
export function addTimings(waited: Timings | undefined): void {
	const timings = current.getStore();
	if (!timings || !waited) return;
	for (const [part, milliseconds] of Object.entries(waited) as [Part, number][])
		timings[part] = (timings[part] ?? 0) + milliseconds;
}
