/*
 * Databases that are some way off, and one that is gone: what every question to D1 meets, of the Worker and of its objects alike.
 */

export const MANNERS = ["throws", "hangs", "answers late"] as const;
export type Manner = (typeof MANNERS)[number];

/** Later than the deadline of an operation in a call. */
const LATE_MS = 8_000;

const METHOD = "_sendOrThrow";
type Send = (this: unknown, ...asked: unknown[]) => Promise<unknown>;

const state: { manner: Manner | null; awayMs: number; gone: object | null } = {
	manner: null,
	awayMs: 0,
	gone: null,
};

/** @param manner - of `DB_2`; null: it answers again */
export function goAway(db: D1Database, manner: Manner | null): void {
	install(db);
	state.manner = manner;
}

/** Places all databases that far away. Without a distance a call that asks D1 again and again keeps workerd from reading its sockets. */
export function placeDatabases(db: D1Database, awayMs: number): void {
	install(db);
	state.awayMs = awayMs;
}

function install(db: D1Database): void {
	if (state.gone) return;
	const { dbSession } = db.prepare("SELECT 1") as unknown as { dbSession: object };
	state.gone = dbSession;
	const prototype = Object.getPrototypeOf(dbSession) as Record<typeof METHOD, Send>;
	const send = prototype[METHOD];
	if (typeof send !== "function") throw new Error("this workerd sends to D1 by another way");
	prototype[METHOD] = async function (...asked) {
		const { manner, awayMs, gone } = state;
		if (awayMs > 0) await wait(awayMs);
		if (this !== gone || manner === null) return send.apply(this, asked);
		if (manner === "throws") throw lost();
		const answer = manner === "hangs" ? null : send.apply(this, asked);
		await wait(manner === "hangs" ? 10 * LATE_MS : LATE_MS);
		return answer ?? Promise.reject(lost());
	};
}

function wait(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function lost(): Error {
	return new Error("D1_ERROR: Network connection lost.");
}
