import { type Apply, apply } from "./document/apply.ts";
import { lapse } from "./document/apply-upkeep.ts";
import type { Ledger } from "./document/ledger.ts";
import { RULES, type Rules } from "./document/rules.ts";
import type { Profile } from "./sequences/generate-sequences.ts";
import {
	answer,
	type Change,
	forgetChanges,
	forgetClaimLocks,
	forgetEmails,
	keep,
	keepAudit,
	keepDeliveries,
	keepEmails,
	keepFirstPin,
	keepOfPartners,
	keepSuspension,
	lockedBy,
	report,
	reverse,
	unrevoke,
} from "./wrong-changes.ts";

/* Models that are wrong in one thing each, as a service could be: the service must not agree with any of them. */

export interface WrongModel {
	claims: string;
	model: Apply;
	/** Sequences that are about it. */
	profile: Profile;
	/** Of sequences that soon show it; with others it takes up to a hundred. */
	seed: number;
}

const SECOND = 1_000;
const { products, ...numbers } = RULES;

export const WRONG_MODELS: readonly WrongModel[] = [
	rule("the window is 15 days", "lives", 1, { window: numbers.window + 86_400 * SECOND }),
	rule("the fourth failed validation locks", "wrong identities", 1, { validationAttempts: 4 }),
	rule("the fourth wrong claim locks", "wrong claims", 6, { claimAttempts: 4 }),
	rule("a lock is a second longer", "wrong identities", 2, { lock: numbers.lock + SECOND }),
	rule("the fourth lock is for good", "wrong identities", 1, { locksUntilBlocked: 4 }),
	rule("eleven requests a minute", "requests", 1, { emissions: 11 }),
	rule("the window of the rate is a second shorter", "requests", 1, { emissionWindow: 59 * SECOND }),
	rule("an answer is kept for an hour", "repeats", 38, { idempotency: 3_600 * SECOND }),
	rule("a validation lives for 91 days", "lapses", 8, { validationLife: 91 * 86_400 * SECOND }),
	early("a validation lapses by itself", "lapses", 1, lapse),
	wrong("a lapsed holder keeps the e-mail", "lapses", 38, "run job lapse-validations 200", keepEmails),
	wrong("a lapsed holder's pictures stay", "lapses", 36, "run job lapse-validations 200", keep("pictures")),
	rule("FV00 is 31 days", "lives", 1, { products: { ...products, FV00: { days: 31 } } }),
	wrong(
		"another RUT spends no attempt",
		"requests",
		4,
		"request 406 RUT_MISMATCH",
		keep("validationAttempts"),
	),
	wrong(
		"a success leaves the failures",
		"wrong identities",
		8,
		"request VALIDATED 200",
		keep("validationAttempts"),
	),
	wrong(
		"a lock of claims stops requests",
		"wrong claims",
		11,
		"claim 406 CREDENTIALS_MISMATCH",
		lockedBy("validation"),
	),
	wrong("a request leaves a lock of claims", "wrong claims", 14, "request VALIDATED 200", keep("lock")),
	wrong(
		"a request forgets the locks of claims",
		"wrong claims",
		14,
		"request VALIDATED 200",
		forgetClaimLocks,
	),
	rule("a field of null is malformed", "requests", 11, { empty: [""] }),
	rule("an empty field is malformed", "requests", 3, { empty: [null] }),
	rule("names alone prove who it is", "requests", 6, {
		proofBySso: { 0: null, 1: "ssoCredential" },
	}),
	rule("nobody signs on", "requests", 1, { proofBySso: { 0: "serialNumber", 1: "serialNumber" } }),
	rule("a B2B partner may be without an address", "keys and looks", 11, { b2bNeedsAddress: false }),
	rule("the full flow does without signing on", "keys and looks", 1, { ssoInFullFlow: 0 }),
	rule("the seventh failure locks a RUT", "guesses", 21, { rutAttempts: 7 }),
	rule("failures of a RUT count for an hour", "guesses", 4, { rutWindow: 3_600 * SECOND }),
	wrong(
		"a success leaves a RUT's failures",
		"guesses",
		2,
		"request VALIDATED 200",
		keepOfPartners("rutAttempts"),
	),
	wrong("the first PIN stays", "lives", 8, "request VALIDATED 200", keepFirstPin),
	wrong("an e-mail is anybody's", "e-mails", 1, "request VALIDATED 200", forgetEmails),
	wrong("the first e-mail stays the holder's", "e-mails", 1, "request VALIDATED 200", keepEmails),
	wrong("a cancelled code keeps its e-mail", "e-mails", 11, "cancel 200", keepEmails),
	wrong("a replaced code can still be used", "operations", 1, "replace 200", keep("cancelledAt")),
	wrong("a cancellation revokes nothing", "operations", 32, "cancel 200", keep("certificate")),
	wrong("an unblocking leaves the failures", "operations", 11, "unblock 200", keep("validationAttempts")),
	wrong("a claim of an issued code is 200", "lives", 1, "claim 201 ALREADY_ISSUED", answer({ status: 200 })),
	wrong(
		"an expired certificate is EMITTED",
		"lives",
		18,
		"status EXPIRED 200",
		report({ status: "EMITTED" }),
	),
	wrong("a resumed partner stays away", "keys", 27, "change partner 200", keepSuspension),
	wrong("the oldest code is first", "lists", 1, "list 200", reverse),
	wrong("a revoked key is shown as a good one", "keys and looks", 8, "show partner 200", unrevoke),
	wrong("the list forgets changes of partners", "keys and looks", 8, "list partners 200", forgetChanges),
	wrong("a validation's pictures are lost", "looks", 11, "request VALIDATED 200", keep("pictures")),
	wrong("a cancelled certificate is still due", "operations", 29, "cancel 200", keepDeliveries),
	wrong("a wrong identity is not in the audit", "requests", 1, "request 406 ID_CARD_MISMATCH", keepAudit),
];

function rule(claims: string, profile: Profile, seed: number, change: Partial<Rules>): WrongModel {
	const rules = { ...RULES, ...change };
	const model: Apply = (ledger, call, now, reading) =>
		apply(ledger, call, now, { lingering: reading?.lingering ?? false, rules });
	return { claims, profile, seed, model };
}

/** What a job does has happened before every call. */
function early(
	claims: string,
	profile: Profile,
	seed: number,
	job: (ledger: Ledger, now: number, rules: Rules) => Ledger,
): WrongModel {
	const model: Apply = (ledger, call, now, reading) => apply(job(ledger, now, RULES), call, now, reading);
	return { claims, profile, seed, model };
}

function wrong(claims: string, profile: Profile, seed: number, outcome: string, change: Change): WrongModel {
	const model: Apply = (ledger, call, now, reading) => {
		const right = apply(ledger, call, now, reading);
		return right.expected.outcome === outcome ? change(right, ledger) : right;
	};
	return { claims, profile, seed, model };
}
