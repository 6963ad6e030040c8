import { SECOND_MS } from "../../../src/domain/durations.ts";
import { type Apply, apply } from "./document/apply.ts";
import { lapse } from "./document/apply-clock.ts";
import type { Ledger } from "./document/ledger.ts";
import { RULES, type Rules } from "./document/rules.ts";
import {
	answer,
	blockWhole,
	type Change,
	endSessions,
	forgetAnswers,
	forgetClaimLocks,
	forgetEmails,
	forgetEmissions,
	forgetFailures,
	freezeAll,
	keep,
	keepEmails,
	keepFirstPin,
	keepOfPartners,
	locksToo,
	moveAllClocks,
	overwrites,
	report,
	reverse,
	unrevokeAll,
} from "./wrong-changes.ts";

/* Models that are wrong in one thing each, as a service could be: the service must not agree with any of them. */

export interface WrongModel {
	claims: string;
	model: Apply;
}

const ADVANCED = "advance 200";
const OPENED = "move opened";
const { products, ...numbers } = RULES;

export const WRONG_MODELS: readonly WrongModel[] = [
	rule("the window is 15 days", { window: numbers.window + 86_400 * SECOND_MS }),
	rule("the fourth failed validation locks", { validationAttempts: 4 }),
	rule("the fourth wrong claim locks", { claimAttempts: 4 }),
	rule("a lock is a second longer", { lock: numbers.lock + SECOND_MS }),
	rule("the fourth lock is for good", { locksUntilBlocked: 4 }),
	rule("eleven requests a minute", { emissions: 11 }),
	rule("the window of the rate is a second shorter", { emissionWindow: 59 * SECOND_MS }),
	rule("an answer is kept for an hour", { idempotency: 3_600 * SECOND_MS }),
	rule("a validation lives for 91 days", { validationLife: 91 * 86_400 * SECOND_MS }),
	early("a validation lapses by itself", (ledger, at, rules) => lapse(ledger, { at, rules })),
	wrong("a lapsed holder keeps the e-mail", "run job lapse-validations 200", keepEmails),
	rule("FV00 is 31 days", { products: { ...products, FV00: { days: 31 } } }),
	wrong("another RUT spends no attempt", "request 406 RUT_MISMATCH", keep("validationAttempts")),
	wrong("a success leaves the failures", "request VALIDATED 200", keep("validationAttempts")),
	wrong(
		"a lock of claims stops requests",
		"claim 406 CREDENTIALS_MISMATCH",
		locksToo("claimLockedUntil", "requestLockedUntil"),
	),
	wrong(
		"a lock of requests stops claims",
		"request 406 ID_CARD_MISMATCH",
		locksToo("requestLockedUntil", "claimLockedUntil"),
	),
	wrong(
		"a lock of requests ends that of claims",
		"request 406 ID_CARD_MISMATCH",
		overwrites("requestLockedUntil", "claimLockedUntil"),
	),
	wrong("the last lock of a validated code's requests blocks it", "request 406 ID_CARD_MISMATCH", blockWhole),
	wrong("a request leaves a lock of claims", "request VALIDATED 200", keep("claimLockedUntil")),
	wrong("an unblocking leaves requests closed", "unblock 200", keep("requestBlockedAt")),
	rule("a failure does not tell of the RUT's attempts", { tellsRutAttempts: false }),
	wrong("a request forgets the locks of claims", "request VALIDATED 200", forgetClaimLocks),
	rule("names alone prove who it is", {
		proofBySso: { 0: [], 1: ["ssoCredential"] },
	}),
	rule("nobody signs on", { proofBySso: { 0: ["serialNumber"], 1: ["serialNumber"] } }),
	rule("a credential is enough, whatever ops asked for beside it", { besideSso: { 0: [], 1: [] } }),
	rule("a serial beside single sign-on is compared though nobody asked", { unaskedSerialIsIgnored: false }),
	rule("a card's mismatch names a serial number that nobody asked for", { unaskedSerialIsBlamed: true }),
	rule("the seventh failure locks a RUT", { rutAttempts: 7 }),
	rule("failures of a RUT count for an hour", { rutWindow: 3_600 * SECOND_MS }),
	wrong("a success leaves a RUT's failures", "request VALIDATED 200", keepOfPartners("rutAttempts")),
	wrong("the first PIN stays", "request VALIDATED 200", keepFirstPin),
	wrong("an e-mail is anybody's", "request VALIDATED 200", forgetEmails),
	wrong("the first e-mail stays the holder's", "request VALIDATED 200", keepEmails),
	wrong("a cancelled code keeps its e-mail", "cancel 200", keepEmails),
	wrong("a cancellation revokes nothing", "cancel 200", keep("certificate")),
	wrong("an unblocking leaves the failures", "unblock 200", keep("validationAttempts")),
	wrong("a claim of an issued code is 200", "claim 201 ALREADY_ISSUED", answer({ status: 200 })),
	wrong("an expired certificate is EMITTED", "status EXPIRED 200", report({ status: "EMITTED" })),
	wrong("the oldest code is first", "list 200", reverse),
	rule("codes of 15 days fill the quota", { quotaWindow: numbers.window + 86_400 * SECOND_MS }),
	rule("an issued code keeps its place in the quota", { quotaLeavesOut: [] }),
	rule("a cancelled code gives its place back", { quotaLeavesOut: ["emitido", "anulado"] }),
	rule("codes are sold until the authority's end", { saleMargin: 0 }),
	rule("a certificate outlives its authority", { outlivesAuthority: true }),
	rule("a frozen service takes claims", { frozen: ["bulk", "request"] }),
	rule("a frozen service shows nothing", { frozen: [...numbers.frozen, "status", "list"] }),
	rule("a restore makes issued codes good for a claim", { objectsRemember: false }),
	rule("a restore takes a revocation back", { crlRemembers: false }),
	rule("OCSP takes the word of a database that was set back", { mendingHoldsBack: false }),
	wrong("a mended certificate is good again", "mend of codes 200", unrevokeAll),
	rule("a session may be opened for 25 hours", { sessionOpens: 25 * 3_600 * SECOND_MS }),
	rule("a session lives for 31 minutes", { sessionLives: 31 * 60 * SECOND_MS }),
	rule("a session that is made is in onboarding", { onboardingNeedsStart: false }),
	rule("a session says that a certificate is issued, whatever the PIN", { issuedTakesAnyPin: true }),
	rule("a code may have two sessions", { newSessionReplaces: false }),
	rule("a session outlives a validation by API", { apiEndsSessions: false }),
	rule("a submission is no emission", { submitsCount: false }),
	rule("a submission that is refused without the registry is an emission", { unaskedCount: true }),
	rule("the eleventh of these ends the session", { refusedSubmits: 11 }),
	rule("these count for half an hour", { refusedSubmitsWindow: 1_800 * SECOND_MS }),
	rule("a frozen service moves a partner's clock", {
		frozen: numbers.frozen.filter((kind) => kind !== "manage"),
	}),
	wrong("a moved clock stands still", ADVANCED, keepOfPartners("clockOffset")),
	wrong("an advance moves every partner's clock", ADVANCED, moveAllClocks),
	wrong("an advance lapses no validation", "advance to what is due 200", keep("blockedAt")),
	wrong("an advance frees the rate", ADVANCED, forgetEmissions),
	wrong("an advance ends kept answers", ADVANCED, forgetAnswers),
	rule("a certificate's dates go by its partner's clock", { certificatesAreReal: false }),
	rule("a partner that moves writes all the time", { movesFreeze: false }),
	wrong("a partner that moves stops every partner", "move frozen", freezeAll),
	wrong("a move that is given up leaves its partner frozen", "move given up", keepOfPartners("move")),
	wrong("a move forgets failed validations", OPENED, forgetFailures),
	wrong("a move forgets kept answers", OPENED, forgetAnswers),
	wrong("a move ends sessions", OPENED, endSessions),
	wrong("a move takes a revocation back", OPENED, unrevokeAll),
];

function rule(claims: string, change: Partial<Rules>): WrongModel {
	const rules = { ...RULES, ...change };
	return { claims, model: (ledger, call, now) => apply(ledger, call, now, rules) };
}

/** Makes a job's changes before every call. */
function early(claims: string, job: (ledger: Ledger, now: number, rules: Rules) => Ledger): WrongModel {
	return { claims, model: (ledger, call, now) => apply(job(ledger, now, RULES), call, now) };
}

function wrong(claims: string, outcome: string, change: Change): WrongModel {
	const model: Apply = (ledger, call, now) => {
		const right = apply(ledger, call, now);
		return right.expected.outcome === outcome ? change(right, ledger) : right;
	};
	return { claims, model };
}
