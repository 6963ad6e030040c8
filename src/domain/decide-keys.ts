import type { KeyScope } from "./key-scopes.ts";
import { KEYS_MAX } from "./limits.ts";

/** Times in epoch milliseconds, null for never. */
interface KeyFacts {
	id: string;
	scopes: readonly KeyScope[];
	expiresAt: number | null;
	revokedAt: number | null;
}

export type KeysProblem = "too_many_keys" | "last_manage_key";

/** A key ends by its revocation, at the end of a rotation's overlap, or when it expires. */
export function hasEnded({ expiresAt, revokedAt }: Omit<KeyFacts, "id" | "scopes">, now: number): boolean {
	return (expiresAt !== null && expiresAt <= now) || (revokedAt !== null && revokedAt <= now);
}

/**
 * Refuses a change of a partner's keys. Only the partner itself must keep a key of `manage` without an end: without one
 * it could not come back to its own settings, but ops could.
 */
export function keysProblem(
	before: readonly KeyFacts[],
	after: readonly KeyFacts[],
	{ byPartner, now }: { byPartner: boolean; now: number },
): KeysProblem | null {
	const isMore = after.length > before.length;
	if (isMore && after.filter((key) => !hasEnded(key, now)).length > KEYS_MAX) return "too_many_keys";
	return byPartner && before.some(managesForGood) && !after.some(managesForGood) ? "last_manage_key" : null;
}

function managesForGood({ scopes, expiresAt, revokedAt }: KeyFacts): boolean {
	return scopes.includes("manage") && expiresAt === null && revokedAt === null;
}
