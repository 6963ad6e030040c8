/*
 * Times what a call waits for, by replacing methods of this isolate's own objects. One call at a time: waits of calls
 * side by side would be counted together. Local workerd's clock runs on during a call, production's does not.
 */

export type Waits = Record<string, { calls: number; ms: number }>;

let waits: Waits = {};
const watched = new WeakSet<Method>();

/** Takes the waiting times since the last taking. */
export function takeWaits(): Waits {
	const taken = waits;
	waits = {};
	return taken;
}

export function watchCrypto(): void {
	watch(crypto.subtle, "crypto", ["generateKey", "exportKey", "importKey", "deriveKey", "deriveBits"]);
	watch(crypto.subtle, "crypto", ["encrypt", "decrypt", "sign", "verify", "digest"]);
}

export function watchDb(db: D1Database): void {
	watch(Object.getPrototypeOf(db), "D1", ["batch"]);
	watch(Object.getPrototypeOf(db.prepare("SELECT 1")), "D1", ["all", "raw", "run", "first"]);
}

export function watchStorage(storage: DurableObjectStorage): void {
	watch(Object.getPrototypeOf(storage), "storage", ["sync", "setAlarm", "deleteAll"]);
	watch(Object.getPrototypeOf(storage.kv), "storage.kv", ["get", "put", "delete", "list"]);
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

function watch(target: object, owner: string, methods: readonly string[]): void {
	for (const name of methods) {
		const original = Reflect.get(target, name) as Method;
		if (watched.has(original)) continue;
		const timed: Method = function (...args) {
			const started = performance.now();
			const result = original.apply(this, args);
			if (!(result instanceof Promise)) {
				note(`${owner}.${name}`, started);
				return result;
			}
			return result.finally(() => note(`${owner}.${name}`, started));
		};
		watched.add(timed);
		Object.defineProperty(target, name, { value: timed, configurable: true, writable: true });
	}
}

function note(what: string, started: number): void {
	const { calls, ms } = waits[what] ?? { calls: 0, ms: 0 };
	waits[what] = { calls: calls + 1, ms: ms + performance.now() - started };
}
