import { AsyncLocalStorage } from "node:async_hooks";

/*
 * Durations of the parts of a call. On Cloudflare the clock stands still while a Worker computes, so these are waiting
 * times: for D1, an object, an upstream. Locally they include computing.
 */

/** `object`: the whole call to it, as the Worker sees it; the others also inside the object. */
export type Part = "d1" | "object" | "registry" | "sso" | "issue";

/** Milliseconds waited for each part; parallel waits add up. Plain data, so that an object can return it. */
export type Timings = Partial<Record<Part, number>>;

const current = new AsyncLocalStorage<Timings>();

/** Runs a call whose waits are collected into `timings`. */
export function collectTimings<T>(timings: Timings, run: () => T): T {
	return current.run(timings, run);
}

/** Awaits, and adds the time to the running call's timings, if any. */
export async function timed<T>(part: Part, wait: () => PromiseLike<T>): Promise<T> {
	const start = performance.now();
	try {
		return await wait();
	} finally {
		addTimings({ [part]: performance.now() - start });
	}
}

/** Adds what an object waited for during this call. */
export function addTimings(waited: Timings | undefined): void {
	const timings = current.getStore();
	if (!timings || !waited) return;
	for (const [part, milliseconds] of Object.entries(waited) as [Part, number][])
		timings[part] = (timings[part] ?? 0) + milliseconds;
}
