import type { Arming } from "./steps.ts";

/** A defect that the instrument builds in on purpose, to show that it would find one of its kind. */
export type Breakage =
	/** A serial is signed that is not on the lease. */
	| "serial-not-written"
	/** A session ends and its code stays in onboarding. */
	| "onboarding-left"
	/** The registry is asked without an attempt on the lease. */
	| "attempt-not-reserved"
	/** The commit is sent after its answer. */
	| "answer-before-commit"
	/** The commit goes without what it has to deliver to partners. */
	| "outbox-dropped"
	/** The log has the bodies of calls. */
	| "pin-logged"
	/** The log has what calls are let in by. */
	| "token-logged"
	/** A step that ends without a change leaves its mark on the code. */
	| "mark-left"
	/** A list is given to whichever partner asks next. */
	| "list-shared"
	/** A place that a partner leaves takes what is written there while it moves. */
	| "old-place-open";

/** Settings that a life of the service starts with. */
export interface ProofSettings {
	/** Milliseconds that the service's clock runs ahead of the machine's. */
	clockOffset: number;
	/** The alarm of a lease comes early, and again, until the lease is over; else at its own time. */
	earlyAlarms: boolean;
	breakage: Breakage | null;
	/** Armed from the start; a life can be armed later, too. */
	arming: Arming | null;
	/** Port of the receiver on loopback: it takes e-mails and the log of Miniflare's own Workers. */
	hostPort: number;
	/** Time in epoch milliseconds at which the service's clock stands, to which the offset is added; absent: it runs. */
	clockAt?: number;
	/** Value of FROZEN; absent: nothing is frozen. */
	frozen?: string;
}

/** A life in which nothing is done to the service. */
export const LEFT_ALONE: ProofSettings = {
	clockOffset: 0,
	earlyAlarms: false,
	breakage: null,
	arming: null,
	hostPort: 0,
};

const LENGTH = 256;

/** JSON of always the same length: it is exchanged in place, in a binary configuration. */
export function writeSettings(settings: ProofSettings): string {
	return JSON.stringify(settings).padEnd(LENGTH);
}

export function readSettings(text: string): ProofSettings {
	return JSON.parse(text) as ProofSettings;
}
