import type { OnboardingAnswers, OnboardingScreen } from "../domain/onboarding.ts";
import type { SignOnState } from "../domain/onboarding-session.ts";
import type { SignOnSecrets } from "../identity/ports.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { ringBy } from "./alarm.ts";
import { type Lease, requireLease } from "./lease.ts";

/*
 * Progress of a session's holder, sealed in the code's object until the session's time is over. D1 knows the session
 * and nothing of its holder.
 */

export interface Progress {
	answers: OnboardingAnswers;
	/** Screen that the holder sees; null: the first. */
	screen: OnboardingScreen | null;
	signOn: SignOn | null;
	/** PINs tried on the issued certificate since the last right one. */
	triedPins?: number;
	/** Times, by the real clock, of the latest submissions that were refused before the registry was asked. */
	refusedSubmits?: number[];
}

/** A single sign-on that was begun. */
export interface SignOn {
	state: Exclude<SignOnState, "none">;
	/** Values that the callback has to match, once; present while the sign-on is pending. */
	attempt?: { random: string; secrets: SignOnSecrets };
	/** Present once verified. */
	credential?: string;
	/** End of the credential, where the provider states one. */
	until?: number;
}

interface StoredProgress {
	sealed: Uint8Array;
	/** One more with every change. */
	version: number;
	/** Time of its erasure. */
	until: number;
}

export interface ProgressContext {
	storage: DurableObjectStorage;
	platform: { sealer: Sealer; clock: () => number };
}

const PREFIX = "onboarding:";
const EMPTY: Progress = { answers: {}, screen: null, signOn: null };

export async function readProgress(context: ProgressContext, session: string): Promise<Progress> {
	return open(context, session, context.storage.kv.get<StoredProgress>(PREFIX + session));
}

/**
 * Stores the progress of a session that is being made.
 * @param until - end of the session.
 * @throws {LeaseLost} when the run no longer has the code: nobody would erase the progress before its time.
 */
export async function beginProgress(
	context: ProgressContext & { lease: Lease },
	{ id, until }: { id: string; until: number },
	answers: OnboardingAnswers,
): Promise<void> {
	const { storage, lease, platform } = context;
	const sealed = await seal(context, id, { ...EMPTY, answers });
	const alarm = await storage.getAlarm();
	requireLease(storage, lease);
	storage.kv.put<StoredProgress>(PREFIX + id, { sealed, version: 1, until });
	ringBy(storage, until, { alarm, now: platform.clock() });
}

/**
 * Changes the present progress, and tries again when another call was faster. @param until - end of the session.
 * @returns null when it was erased: its session has ended, and no progress is written again.
 */
export async function changeProgress(
	context: ProgressContext,
	{ id, until }: { id: string; until: number },
	change: (progress: Progress) => Progress,
): Promise<Progress | null> {
	const { storage, platform } = context;
	for (;;) {
		const stored = storage.kv.get<StoredProgress>(PREFIX + id);
		if (!stored) return null;
		const progress = change(await open(context, id, stored));
		const sealed = await seal(context, id, progress);
		const alarm = await storage.getAlarm();
		if (storage.kv.get<StoredProgress>(PREFIX + id)?.version !== stored.version) continue;
		storage.kv.put<StoredProgress>(PREFIX + id, { sealed, version: stored.version + 1, until });
		ringBy(storage, until, { alarm, now: platform.clock() });
		return progress;
	}
}

/** Keeps the progress as long as its session. */
export function prolongProgress(
	storage: DurableObjectStorage,
	{ id, until }: { id: string; until: number },
): void {
	const stored = storage.kv.get<StoredProgress>(PREFIX + id);
	if (stored) storage.kv.put<StoredProgress>(PREFIX + id, { ...stored, until });
}

export function eraseProgress(storage: DurableObjectStorage, session: string): void {
	storage.kv.delete(PREFIX + session);
}

/** Erases other sessions' progress: a code has one session at a time. @param session - null: the code has none. */
export function eraseProgressBut(storage: DurableObjectStorage, session: string | null): void {
	for (const [key] of storage.kv.list({ prefix: PREFIX }))
		if (session === null || key !== PREFIX + session) storage.kv.delete(key);
}

/** Erases expired progress. @returns when the next one expires, or null. */
export function eraseOldProgress(storage: DurableObjectStorage, now: number): number | null {
	let next: number | null = null;
	for (const [key, { until }] of storage.kv.list<StoredProgress>({ prefix: PREFIX })) {
		if (until <= now) storage.kv.delete(key);
		else next = Math.min(next ?? Number.POSITIVE_INFINITY, until);
	}
	return next;
}

/** Opens the progress. If its sealing key is gone, the holder begins again; a credential that has ended is dropped. */
async function open(
	{ platform }: ProgressContext,
	session: string,
	stored: StoredProgress | undefined,
): Promise<Progress> {
	if (!stored) return EMPTY;
	const bytes = await platform.sealer.open(stored.sealed, placeOf(session)).catch(() => null);
	if (bytes === null) return EMPTY;
	const progress: Progress = JSON.parse(new TextDecoder().decode(bytes));
	const isOver = (progress.signOn?.until ?? Number.POSITIVE_INFINITY) <= platform.clock();
	return isOver ? { ...progress, signOn: null } : progress;
}

function seal(
	{ platform }: ProgressContext,
	session: string,
	progress: Progress,
): Promise<StoredProgress["sealed"]> {
	return platform.sealer.sealBytes(new TextEncoder().encode(JSON.stringify(progress)), placeOf(session));
}

function placeOf(session: string) {
	return { table: "onboarding", row: session, column: "progress" };
}
