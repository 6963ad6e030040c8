import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/domain/durations.ts";

/*
 * The numbers of the interface document (§8) and of the decisions, apart from what is done with them: a wrong model
 * is these with one of them changed. Times in milliseconds.
 */

/** Field that proves, besides the names, that the caller is the holder. */
export type Proof = "serialNumber" | "ssoCredential";

export const RULES = {
	/** §8: window to start using a code, from `created_at`. */
	window: 14 * DAY_MS,
	/** §8: certificate_requests of a partner in any 60 s. */
	emissions: 10,
	emissionWindow: MINUTE_MS,
	/** Decisions: failures in a row that open a security lock. */
	validationAttempts: 3,
	claimAttempts: 5,
	lock: 30 * MINUTE_MS,
	/** Decisions: failures of a RUT over all codes of a partner, and from the first of them how long they count. */
	rutAttempts: 6,
	rutWindow: DAY_MS,
	/** Decisions, "ID-validation attempts": a request tells the smaller of the code's and the RUT's. */
	tellsRutAttempts: true as boolean,
	/** Decisions: "the third such lock of a code is permanent". */
	locksUntilBlocked: 3,
	/** Decisions, "full flow": the proofs by `require_sso`. */
	proofBySso: { 0: ["serialNumber"], 1: ["ssoCredential"] } as Record<0 | 1, readonly Proof[]>,
	/** Proofs that `require_serial_with_sso` adds where single sign-on is one, by its value. */
	besideSso: { 0: [], 1: ["serialNumber"] } as Record<0 | 1, readonly Proof[]>,
	unaskedSerialIsIgnored: true as boolean,
	unaskedSerialIsBlamed: false as boolean,
	idempotency: DAY_MS,
	/** Decisions: "life of a validation". */
	validationLife: 90 * DAY_MS,
	/** retention.md: a holder whose code was closed before it issued. */
	closedHolder: 30 * DAY_MS,
	/** Decisions, "partner's clock": at most four years in all. */
	clockMaximum: (4 * 365 + 1) * DAY_MS,
	certificatesAreReal: true as boolean,
	/** A record of a widget's session, after its end. */
	endedSession: DAY_MS,
	/** Decision 7 of issue 10: a code is sold only if its certificate can still be issued this long after. */
	saleMargin: 44 * DAY_MS,
	outlivesAuthority: false as boolean,
	/** Calls that a frozen service refuses. */
	frozen: [
		"bulk",
		"request",
		"claim",
		"make session",
		"end session",
		"frame step",
		"manage",
	] as readonly string[],
	/** A partner that moves to another database writes nothing for a while. */
	movesFreeze: true as boolean,
	/** A restored register is told again what was issued, by the objects. */
	objectsRemember: true as boolean,
	/** Decisions, "Revocation addresses": a CRL has every entry of the one before it, whatever became of the database. */
	crlRemembers: true as boolean,
	/** While frozen or mending OCSP says good of nothing. */
	mendingHoldsBack: true as boolean,
	/** Decisions, "Widget": until it is started, and from each of its steps. */
	sessionOpens: DAY_MS,
	sessionLives: 30 * MINUTE_MS,
	/** 0001: of an issued certificate, in a session. */
	pinTries: 5,
	issuedTakesAnyPin: false as boolean,
	/** IN_ONBOARDING from when the frame first presents the token. */
	onboardingNeedsStart: true as boolean,
	newSessionReplaces: true as boolean,
	apiEndsSessions: true as boolean,
	submitsCount: true as boolean,
	/** Submissions refused before the registry is asked: whether they count, and how many of them in how long end a session. */
	unaskedCount: false as boolean,
	refusedSubmits: 10,
	refusedSubmitsWindow: HOUR_MS,
	bulkMaximum: 500,
	/** Decisions, "bulk rejections": codes of this time count, but those of these statuses. */
	quotaWindow: 14 * DAY_MS,
	quotaLeavesOut: ["emitido"] as readonly string[],
	/** Certificate profile: valid from this long before issuing. */
	clockSkew: 5 * MINUTE_MS,
	/** Decisions, "product". */
	products: { FV00: { days: 30 }, FV01: { years: 1 }, FV02: { years: 2 }, FV03: { years: 3 } } as Record<
		string,
		{ days: number } | { years: number }
	>,
};

export type Rules = typeof RULES;

/** When a certificate issued at `now` ends: whole seconds; calendar years in UTC, 29 February ends on the 28th. */
export function endOfValidity(rules: Rules, product: string, now: number): number {
	const issued = Math.floor(now / SECOND_MS) * SECOND_MS;
	const validity = rules.products[product]!;
	if ("days" in validity) return issued + validity.days * DAY_MS;
	const date = new Date(issued);
	const end = new Date(issued);
	end.setUTCFullYear(date.getUTCFullYear() + validity.years);
	if (end.getUTCMonth() !== date.getUTCMonth()) end.setUTCDate(0);
	return end.getTime();
}
