import { includesScope, type KeyScope } from "./key-scopes.ts";
import { KEYS_MAX } from "./limits.ts";

/** Times in epoch milliseconds, null for never. */
interface KeyFacts {
	id: string;
	scopes: readonly KeyScope[];
	/** Ranges in their canonical form; null: any address. */
	allowedCidrs: readonly string[] | null;
	expiresAt: number | null;
	revokedAt: number | null;
}

export type KeysProblem = "too_many_keys" | "wider_key" | "last_manage_key";

/** A key ends by its revocation, at the end of a rotation's overlap, or when it expires. */
export function hasEnded(key: Pick<KeyFacts, "expiresAt" | "revokedAt">, now: number): boolean {
	return endOfKey(key) <= now;
}

/** When a key ends or ended; infinity where nothing ends it. */
export function endOfKey({ expiresAt, revokedAt }: Pick<KeyFacts, "expiresAt" | "revokedAt">): number {
	return Math.min(expiresAt ?? Number.POSITIVE_INFINITY, revokedAt ?? Number.POSITIVE_INFINITY);
}

interface Asked {
	/** Id of the partner's key that makes the change; null for ops. */
	by: string | null;
	now: number;
	/** Whether a range of addresses lies within one of others. */
	isWithinOneOf: (range: string, ranges: readonly string[]) => boolean;
}

/**
 * Refuses a change of a partner's keys. A key makes no key that may do more than it. Only the partner itself must keep a
 * key of `manage` without an end: without one it could not come back to its own settings, but ops could.
 */
export function keysProblem(
	before: readonly KeyFacts[],
	after: readonly KeyFacts[],
	{ by, now, isWithinOneOf }: Asked,
): KeysProblem | null {
	const made = after.filter(({ id }) => !before.some((known) => known.id === id));
	if (made.length > 0 && after.filter((key) => !hasEnded(key, now)).length > KEYS_MAX) return "too_many_keys";
	if (by === null) return null;
	const maker = before.find(({ id }) => id === by);
	if (made.some((key) => !maker || isWider(key, maker, isWithinOneOf))) return "wider_key";
	return before.some(managesForGood) && !after.some(managesForGood) ? "last_manage_key" : null;
}

function isWider(
	key: KeyFacts,
	{ scopes, allowedCidrs, ...maker }: KeyFacts,
	isWithinOneOf: Asked["isWithinOneOf"],
): boolean {
	return (
		!key.scopes.every((scope) => includesScope(scopes, scope)) ||
		endOfKey(key) > endOfKey(maker) ||
		(allowedCidrs !== null && !key.allowedCidrs?.every((range) => isWithinOneOf(range, allowedCidrs)))
	);
}

function managesForGood({ scopes, expiresAt, revokedAt }: KeyFacts): boolean {
	return scopes.includes("manage") && expiresAt === null && revokedAt === null;
}
