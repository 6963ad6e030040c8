import type { CodeRow } from "../db/code-changes.ts";
import type { PartnerClock } from "../domain/partner-clock.ts";
import type { Rejection } from "../domain/rejection.ts";
import type { Change, CommitContext } from "./commit.ts";
import type { Lease } from "./lease.ts";
import type { Call, Rejected } from "./rpc.ts";

/* Contract between a use case of a code and the protocol around it (`step.ts`). */

export interface StepContext<C extends Call = Call> extends CommitContext {
	call: C;
	/** The partner's database is being restored. */
	isFrozen: boolean;
	/** The partner's number, which ids of its widget sessions carry. */
	partnerNumber: number;
	/** Called when the registry is about to be asked, for a caller to whom that makes a difference. */
	noteAsked?: () => void;
}

/** The context of a call once D1 was read. */
export interface ReadContext<C extends Call = Call> extends StepContext<C> {
	/** The time by the partner's clock; `platform.clock` is the real one. */
	now: () => number;
}

/** The context of the call that holds the lease. */
export interface Step<C extends Call = Call> extends ReadContext<C> {
	lease: Lease;
}

/** Outcome of a run: a change to commit, or none. */
export type Ending<Success> = CommitEnding<Success> | NoChange;

export interface CommitEnding<Success> {
	change: Pick<Change, "row" | "set" | "action" | "outcome" | "now" | "alongside" | "events">;
	answer: Success | Rejected;
	/** Runs once the change is durable, before the answer. */
	committed?: () => Promise<void> | void;
}

export interface NoChange {
	change: null;
	answer: Rejected;
	/** Time until which D1 shows the code as processing; null when it does not. */
	marked: number | null;
}

/** Rows that every use case reads: the code and its partner. */
export interface FirstRead {
	code: readonly CodeRow[];
	partner: readonly PartnerClock[];
}

export interface UseCase<C extends Call, Read extends FirstRead, Success> {
	/**
	 * The first round trip to D1, with the facts to decide on. With a lease it also opens the call's Idempotency-Key
	 * and marks the start; without one it writes nothing.
	 */
	read(context: StepContext<C>, lease: Lease | null): Promise<Read>;
	/** Decides, acts outside, and returns the commit and the answer. */
	run(step: Step<C>, read: Read): Promise<Ending<Success>>;
	/**
	 * The rejection of a call that may only read: another run holds the code (`busy`), or this run was rolled back, since
	 * ops changed the code during it, or its RUT was locked.
	 */
	explain(context: ReadContext<C>, read: Read, busy: boolean): Promise<Rejection> | Rejection;
}
