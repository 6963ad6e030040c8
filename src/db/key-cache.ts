import type { KeyOwner } from "./api-keys.ts";

/* What this isolate found out lately about presented keys, by the key's hash. `http/authenticate.ts` says for how long. */

/** Apart from {@link unknownKeys}, so that keys that a stranger invents push out none that somebody holds. */
export const knownKeys = new Map<string, { owner: KeyOwner; until: number }>();
/** Until when a key counts as unknown, epoch milliseconds. */
export const unknownKeys = new Map<string, number>();

/** Forgets every key. `changePartner` calls it, so that a change is in force in its isolate at once. */
export function forgetKeys(): void {
	knownKeys.clear();
	unknownKeys.clear();
}
