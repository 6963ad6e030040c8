import { CODE_WINDOW_MS } from "./limits.ts";
import type { ProductCode } from "./products.ts";

/** Stored facts of a purchase code: times and values, never a status. Times in epoch milliseconds. */
export interface CodeFacts {
	partnerId: string;
	code: string;
	/** Compare-and-set counter: one more with every change. */
	version: number;
	product: ProductCode;
	createdAt: number;
	updatedAt: number;
	externalReferenceId: string | null;
	validatedAt: number | null;
	/** Keyed index of the RUT the first successful validation bound the code to. */
	boundRut: string | null;
	issuedAt: number | null;
	certificateSerial: string | null;
	certificateNotAfter: number | null;
	cancelledAt: number | null;
	/** Blocked permanently: by ops, by a lapse, by the third lock of claims, or by that of validations before the first success. */
	blockedAt: number | null;
	/** End of the latest security lock of certificate_request, which stops validations alone. */
	validationLockedUntil: number | null;
	/** Time of a validated code's third such lock: certificate_request is closed permanently, the claim is not. */
	validationBlockedAt: number | null;
	/** End of the latest security lock of certificate_claim, which stops claims alone. */
	claimLockedUntil: number | null;
	/** End of the widget session that is open for the code. */
	onboardingUntil: number | null;
	/** End of the lease of the validation or emission that runs. */
	processingUntil: number | null;
	validationFailures: number;
	validationLocks: number;
	claimFailures: number;
	claimLocks: number;
}

/** Attempts that a holder can fail. */
export type AttemptKind = "validation" | "claim";

/** The facts that are times, as the status tables name them. */
export type TimeFact =
	| "validatedAt"
	| "issuedAt"
	| "certificateNotAfter"
	| "cancelledAt"
	| "blockedAt"
	| "validationLockedUntil"
	| "claimLockedUntil"
	| "onboardingUntil"
	| "processingUntil"
	| "expiresAt";

/** A time fact of the code; `expiresAt` follows from `createdAt` (§8, the 14-day window). */
export function timeFact(facts: TimedFacts, fact: TimeFact): number | null {
	return fact === "expiresAt" ? expiresAt(facts.createdAt) : facts[fact];
}

export type TimedFacts = Pick<CodeFacts, Exclude<TimeFact, "expiresAt"> | "createdAt">;

export function expiresAt(createdAt: number): number {
	return createdAt + CODE_WINDOW_MS;
}
