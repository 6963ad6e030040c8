import { DAY_MS } from "../domain/durations.ts";
import type { Platform } from "../platform.ts";

/*
 * Heads of the signer's log, one of each day, beside the digests of the audit: a signer that forgets an entry, or a register
 * that forgets a certificate, is found by the other's word. Objects are added and never replaced.
 */

const HEADS = "signer-heads/";
/** Days that are looked back for the last head. */
const LOOK_BACK_DAYS = 30;

/**
 * Keeps the last head of the day before, as the day's first run finds it that the signer answers.
 * @returns whether one was kept now. @throws {Unavailable} when the bucket does not answer
 */
export async function keepSignerHead(
	{ auditLog, signer, authority }: Pick<Platform, "auditLog" | "signer" | "authority">,
	now: number,
): Promise<boolean> {
	const key = keyOf(now);
	if (signer === null || (await auditLog.head(key)) !== null) return false;
	const health = await signer.askHealth().catch(() => null);
	if (health === null) return false;
	const { entries, head, headSignature } = health;
	const kept = JSON.stringify({ keyId: authority.keyId, entry: entries, head, headSignature, takenAt: now });
	const onlyIf = { etagDoesNotMatch: "*" };
	return (await auditLog.put(key, kept, { onlyIf, customMetadata: { takenAt: String(now) } })) !== null;
}

/** Finds when the last head was kept, epoch milliseconds; null: none for a month. @throws {Unavailable} */
export async function findLastHead(
	{ auditLog }: Pick<Platform, "auditLog">,
	now: number,
): Promise<number | null> {
	const startAfter = keyOf(now - LOOK_BACK_DAYS * DAY_MS);
	const { objects } = await auditLog.list({ prefix: HEADS, startAfter, include: ["customMetadata"] });
	const last = objects.at(-1);
	return last ? Number(last.customMetadata?.takenAt) : null;
}

/** Key of the day, UTC: keys sort by time. */
function keyOf(now: number): string {
	return HEADS + new Date(now).toISOString().slice(0, 10);
}
