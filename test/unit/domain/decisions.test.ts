import { describe, expect, test } from "vitest";
import { admitRequest, type RequestedValidation } from "../../../src/domain/admit-request.ts";
import type { CodeFacts } from "../../../src/domain/code-facts.ts";
import { decideClaim } from "../../../src/domain/decide-claim.ts";
import { decideOps, type OpsVerb } from "../../../src/domain/decide-ops.ts";
import type { DeliveryAddresses } from "../../../src/domain/delivery-address.ts";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { CODE_WINDOW_MS } from "../../../src/domain/limits.ts";
import { DEFAULT_SETTINGS, type PartnerSettings } from "../../../src/domain/partner-settings.ts";
import { isFinal, type Refusal, type Rejection } from "../../../src/domain/rejection.ts";
import { codeWith, HOLDER, NOW, OTHER_HOLDER, STATES, type State } from "./code-in-state.ts";

type Configured = PartnerSettings & DeliveryAddresses;

const REDUCED: Configured = {
	...DEFAULT_SETTINGS,
	name: "Partner under test",
	webhookOffAt: null,
	webhookOffBy: null,
};
const FULL: Configured = { ...REDUCED, requireCardSerial: false, requireSso: true };
const FULL_BY_SERIAL: Configured = { ...FULL, requireSso: false };
const FULL_BY_BOTH: Configured = { ...FULL, requireSerialWithSso: true };

const ASKED: RequestedValidation = {
	rutIndex: HOLDER,
	cardSerial: "111111111",
	cardExpiry: undefined,
	names: undefined,
	fatherSurname: undefined,
	phone: undefined,
	ssoCredential: undefined,
};
const FULL_ASKED: RequestedValidation = {
	...ASKED,
	cardSerial: undefined,
	names: "Juana",
	fatherSurname: "Pérez",
	phone: "+56912345678",
	ssoCredential: "token",
};

/** Circumstances of a request that nothing stands against. */
const CALM = {
	busy: false,
	emailOwner: null,
	renewable: true,
	rutLockedUntil: null,
	issuable: true,
	now: NOW,
};

type Event =
	| "request"
	| "request by another RUT"
	| "request with another's e-mail"
	| "right claim"
	| "wrong claim"
	| OpsVerb;

const EVENTS: Record<Event, (state: { busy: boolean; facts: CodeFacts | null }) => string> = {
	request: ({ busy, facts }) => tellRequest(facts, { busy }),
	"request by another RUT": ({ busy, facts }) =>
		tellRequest(facts, { busy, asked: { rutIndex: OTHER_HOLDER } }),
	"request with another's e-mail": ({ busy, facts }) =>
		tellRequest(facts, { busy, emailOwner: OTHER_HOLDER }),
	"right claim": ({ busy, facts }) => tellClaim(facts, busy, true),
	"wrong claim": ({ busy, facts }) => tellClaim(facts, busy, false),
	cancel: ({ facts }) => tellOps("cancel", facts),
	block: ({ facts }) => tellOps("block", facts),
	unblock: ({ facts }) => tellOps("unblock", facts),
};

const EVENT_NAMES = Object.keys(EVENTS) as Event[];

/** Outcomes of the events in each state, in the order of {@link EVENTS}. `!` marks a spent attempt, `× 3` three alike. */
const OUTCOMES: Record<State, string> = {
	"unused, fresh": "ask × 2, email_in_use, not_found × 2, cancel, block, –",
	"unused, past its window": "code_expired × 3, not_found × 2, cancel, block, –",
	onboarding: "ask × 2, email_in_use, not_found × 2, cancel, block, –",
	"validating for the first time":
		"other_validation_in_progress × 3, validation_in_progress × 2, cancel, block, –",
	validated: "ask, rut_mismatch!, email_in_use, issue, credentials_mismatch!, cancel, block, –",
	"validated, past the window":
		"ask, rut_mismatch!, email_in_use, issue, credentials_mismatch!, cancel, block, –",
	"validated, busy": "other_validation_in_progress × 3, validation_in_progress × 2, cancel, block, –",
	"locked, unused": "security_lock 600 s × 3, not_found × 2, cancel, block, clear",
	"locked, validated": "security_lock 600 s × 3, issue, credentials_mismatch!, cancel, block, clear",
	"locked by failed claims":
		"ask, rut_mismatch!, email_in_use, security_lock 600 s × 2, cancel, block, clear",
	"locked by both": "security_lock 1200 s × 3, security_lock 600 s × 2, cancel, block, clear",
	"validated, closed to certificate_request":
		"request_blocked × 3, issue, credentials_mismatch!, cancel, block, clear",
	"lock run out, unused": "ask × 2, email_in_use, not_found × 2, cancel, block, clear",
	"lock run out, validated":
		"ask, rut_mismatch!, email_in_use, issue, credentials_mismatch!, cancel, block, clear",
	"blocked, unused": "blocked × 3, not_found × 2, cancel, –, clear",
	"blocked, validated": "blocked × 5, cancel, –, clear",
	"blocked, holder erased": "blocked × 5, cancel, –, holder_erased",
	emitted: "code_already_used × 3, already_issued × 2, cancel+revoke, code_already_used, –",
	"emitted, certificate expired":
		"code_already_used × 3, already_issued × 2, cancel+revoke, code_already_used, –",
	"cancelled, unused": "cancelled × 3, not_found × 2, –, cancelled × 2",
	"cancelled, validated": "cancelled × 5, –, cancelled × 2",
	"cancelled, emitted": "cancelled × 5, –, cancelled × 2",
	"no such code": "not_found × 8",
};

/** Reads a row of {@link OUTCOMES}. */
function outcomesOf(row: string): string[] {
	return row.split(", ").flatMap((cell) => {
		const [outcome, times = "1"] = cell.split(" × ");
		return Array<string>(Number(times)).fill(outcome!);
	});
}

describe("§3.3 and decisions: every event in every state", {
	tags: ["code-transitions", "attempt-no-other", "code-window-unvalidated-only", "request-cancelled"],
}, () => {
	const cells = Object.entries(OUTCOMES).flatMap(([state, row]) =>
		outcomesOf(row).map((outcome, i) => ({ state: state as State, event: EVENT_NAMES[i]!, outcome })),
	);

	test("the table has a row for every state and a cell for every event", () => {
		expect(Object.keys(OUTCOMES)).toEqual(Object.keys(STATES));
		expect(cells).toHaveLength(Object.keys(STATES).length * EVENT_NAMES.length);
	});

	test.each(cells)("$state · $event → $outcome", ({ state, event, outcome }) => {
		expect(EVENTS[event](STATES[state])).toBe(outcome);
	});
});

describe('decision "Order of checks": each refusal of a certificate_request outranks all later ones', {
	tags: [
		"order-among-rules",
		"order-code-before-rules",
		"order-blocked-before-lock",
		"order-lock-before-rules",
		"order-rut-lock",
	],
}, () => {
	const longAgo = NOW - CODE_WINDOW_MS;
	/** Faults of a request for each reason, in the order in which they are found. */
	const faults: [Rejection["reason"], Partial<Scene>][] = [
		["conditional_fields", { asked: { names: "Juana" } }],
		["not_found", { facts: null }],
		["cancelled", { set: { cancelledAt: NOW } }],
		["blocked", { set: { blockedAt: NOW } }],
		["request_blocked", { set: { validationBlockedAt: NOW } }],
		["security_lock", { set: { validationLockedUntil: NOW + MINUTE_MS } }],
		["rut_locked", { rutLockedUntil: NOW + MINUTE_MS }],
		["code_expired", { set: { createdAt: longAgo } }],
		["other_validation_in_progress", { busy: true }],
		["serial_number_required", { asked: { cardSerial: undefined } }],
		["expiration_date_required", { settings: { ...REDUCED, validateCardExpiry: true } }],
		["rut_mismatch", { set: { boundRut: OTHER_HOLDER } }],
		["email_in_use", { emailOwner: OTHER_HOLDER }],
	];

	interface Scene extends Circumstances {
		facts: CodeFacts | null;
		set: Partial<CodeFacts>;
	}

	function play(scenes: readonly Partial<Scene>[]): string {
		const set = Object.assign({}, ...scenes.map((scene) => scene.set));
		const asked = Object.assign({}, ...scenes.map((scene) => scene.asked));
		const { facts, ...circumstances }: Partial<Scene> = Object.assign({}, ...scenes);
		return tellRequest(facts === null ? null : codeWith(set), { ...circumstances, asked });
	}

	test.each(faults)("%s alone is found", (reason, scene) => {
		expect(play([scene]).split(/[ !]/)[0]).toBe(reason);
	});

	test.each(faults.map(([reason], rank) => [reason, rank] as const))(
		"%s outranks every later one",
		(reason, rank) => {
			for (const [, later] of faults.slice(rank + 1))
				expect(play([later, faults[rank]![1]]).split(/[ !]/)[0]).toBe(reason);
			expect(play(faults.slice(rank).map(([, scene]) => scene)).split(/[ !]/)[0]).toBe(reason);
		},
	);

	test("decision \"e-mail\": the holder's own e-mail is nobody else's", () => {
		expect(play([{ emailOwner: HOLDER }])).toBe("ask");
	});

	test.each([{ blockedAt: NOW }, { validationBlockedAt: NOW }, { validationLockedUntil: NOW + MINUTE_MS }])(
		"§3.1 rank 3 before 4: an issued code is used, not locked, whatever %j says",
		(set) => {
			expect(play([{ set: { issuedAt: NOW, ...set } }])).toBe("code_already_used");
		},
	);
});

describe("§2.7 which fields a request needs follows the partner's configuration", () => {
	const problems = (settings: Configured, asked: RequestedValidation) => {
		const admission = admitRequest(codeWith(), settings, asked, CALM);
		if (admission.kind === "admitted") return "admitted";
		const { rejection } = admission;
		return rejection.reason === "conditional_fields"
			? rejection.problems.map(({ field, problem }) => `${field} ${problem}`)
			: rejection.reason;
	};

	test("reduced flow: names, fLastname, phone must not be sent, each named", () => {
		expect(problems(REDUCED, { ...FULL_ASKED, cardSerial: "111111111" })).toEqual([
			"names not_allowed",
			"fatherSurname not_allowed",
			"phone not_allowed",
		]);
	});

	test("full flow: names, fLastname, phone and the credential are required, each named", () => {
		const names = ["names required", "fatherSurname required", "phone required"];
		expect(problems(FULL, ASKED)).toEqual([...names, "ssoCredential required"]);
		expect(problems(FULL_BY_SERIAL, ASKED)).toEqual(names);
		expect(problems(FULL, { ...FULL_ASKED, phone: undefined })).toEqual(["phone required"]);
	});

	test('decision "full flow, what is checked": a credential, the card\'s serial with require_sso=0, or both', () => {
		const byName = { ...FULL_ASKED, ssoCredential: undefined };
		expect(problems(FULL, FULL_ASKED)).toBe("admitted");
		expect(problems(FULL, byName)).toEqual(["ssoCredential required"]);
		expect(problems(FULL_BY_SERIAL, FULL_ASKED)).toBe("serial_number_required");
		expect(problems(FULL_BY_SERIAL, byName)).toBe("serial_number_required");
		expect(problems(FULL_BY_SERIAL, { ...byName, cardSerial: "111111111" })).toBe("admitted");
		expect(problems(FULL_BY_BOTH, { ...byName, cardSerial: "111111111" })).toEqual([
			"ssoCredential required",
		]);
		expect(problems(FULL_BY_BOTH, FULL_ASKED)).toBe("serial_number_required");
		expect(problems(FULL_BY_BOTH, { ...FULL_ASKED, cardSerial: "111111111" })).toBe("admitted");
	});

	test("validate_vencimiento=1 asks for fechaVencimiento in both flows, =0 in none", () => {
		expect(problems({ ...REDUCED, validateCardExpiry: true }, ASKED)).toBe("expiration_date_required");
		expect(problems({ ...FULL, validateCardExpiry: true }, FULL_ASKED)).toBe("expiration_date_required");
		expect(problems({ ...FULL, validateCardExpiry: true }, { ...FULL_ASKED, cardExpiry: "2031-05-20" })).toBe(
			"admitted",
		);
		expect(problems(FULL, FULL_ASKED)).toBe("admitted");
	});
});

describe("time edges of the decisions", () => {
	test('decision "Order of checks": the lock of a RUT (429) outranks that a code was used (406)', {
		tags: ["order-rut-lock"],
	}, () => {
		const rutLockedUntil = NOW + MINUTE_MS;
		expect(tellRequest(codeWith({ issuedAt: NOW }), { rutLockedUntil })).toBe("rut_locked 60 s");
	});

	test('decision "14-day window": a request a millisecond before its end is admitted, at its end it is not', () => {
		expect(tellRequest(codeWith({ createdAt: NOW - CODE_WINDOW_MS + 1 }))).toBe("ask");
		expect(tellRequest(codeWith({ createdAt: NOW - CODE_WINDOW_MS }))).toBe("code_expired");
	});

	test("a security lock holds to its last millisecond and says how long", () => {
		expect(tellRequest(codeWith({ validationLockedUntil: NOW + 1 }))).toBe("security_lock 0.001 s");
		expect(tellRequest(codeWith({ validationLockedUntil: NOW }))).toBe("ask");
		expect(tellRequest(codeWith(), { rutLockedUntil: NOW + 1 })).toBe("rut_locked 0.001 s");
		expect(tellRequest(codeWith(), { rutLockedUntil: NOW })).toBe("ask");
	});
});

describe("changes by ops", () => {
	test("cancel sets its time and nothing else", () => {
		expect(decideOps("cancel", STATES.validated.facts, NOW)).toEqual({
			kind: "change",
			set: { cancelledAt: NOW },
			revokes: null,
		});
	});

	test('decision "who sets CANCELLED": cancelling an issued code revokes its certificate', () => {
		expect(decideOps("cancel", STATES.emitted.facts, NOW)).toMatchObject({
			revokes: STATES.emitted.facts.certificateSerial,
		});
	});

	test("unblock lifts block and lock and forgets every count", { tags: ["ops-unblock"] }, () => {
		const locked = codeWith({
			blockedAt: NOW,
			validationLockedUntil: NOW + MINUTE_MS,
			validationBlockedAt: NOW,
			claimLockedUntil: NOW + MINUTE_MS,
			validationFailures: 2,
			validationLocks: 3,
			claimFailures: 4,
			claimLocks: 1,
		});
		expect(decideOps("unblock", locked, NOW)).toEqual({
			kind: "change",
			set: {
				blockedAt: null,
				validationLockedUntil: null,
				validationBlockedAt: null,
				claimLockedUntil: null,
				validationFailures: 0,
				validationLocks: 0,
				claimFailures: 0,
				claimLocks: 0,
			},
			revokes: null,
		});
	});

	test.each(["validationLockedUntil", "validationBlockedAt", "claimLockedUntil"] as const)(
		"unblock lifts %s where it is all there is",
		(lock) => {
			expect(tellOps("unblock", codeWith({ [lock]: NOW + MINUTE_MS }))).toBe("clear");
		},
	);

	test.each(["validationFailures", "validationLocks", "claimFailures", "claimLocks"] as const)(
		"unblock forgets %s of a code that is not locked yet",
		(count) => {
			expect(tellOps("unblock", codeWith({ [count]: 1 }))).toBe("clear");
		},
	);
});

test('decision "Idempotency": kept are 406 but for a running validation and 201; never 202, 423, 429, 5xx', {
	tags: [
		"idempotency-kept-answers",
		"idempotency-not-202",
		"idempotency-not-lock",
		"idempotency-not-423",
		"idempotency-not-other-validation",
	],
}, () => {
	const kept =
		"already_issued code_already_used code_expired serial_number_required expiration_date_required email_in_use id_card_mismatch no_card_in_force expiration_date_mismatch name_mismatch sso_rejected rut_mismatch credentials_mismatch";
	const never =
		"other_validation_in_progress validation_in_progress unauthorized not_found cancelled blocked request_blocked holder_erased product_not_enabled idempotency_in_progress idempotency_mismatch registry_unavailable single_sign_on_unavailable service_unavailable";
	for (const [reasons, final] of [
		[kept, true],
		[never, false],
	] as const)
		for (const reason of reasons.split(" "))
			expect([reason, isFinal({ reason } as Rejection)]).toEqual([reason, final]);
	expect(isFinal({ reason: "security_lock", retryAfterMs: 1 })).toBe(false);
	expect(isFinal({ reason: "rut_locked", retryAfterMs: 1 })).toBe(false);
	expect(isFinal({ reason: "conditional_fields", problems: [] })).toBe(false);
});

test("while the authority cannot issue, what would go on or spend an attempt is refused; all else is as ever", () => {
	const validated = codeWith({ validatedAt: NOW - 1, boundRut: ASKED.rutIndex });
	for (const credentialsMatch of [true, false])
		expect(tellClaim(validated, false, credentialsMatch, false)).toBe("service_unavailable");
	expect(tellClaim({ ...validated, issuedAt: NOW }, false, true, false)).toBe("already_issued");
	expect(tellClaim(null, false, true, false)).toBe("not_found");
	expect(tellRequest(validated, { issuable: false })).toBe("service_unavailable");
	expect(tellRequest({ ...validated, boundRut: "other" }, { issuable: false })).toBe("service_unavailable");
	expect(tellRequest({ ...validated, issuedAt: NOW }, { issuable: false })).toBe("code_already_used");
});

interface Circumstances {
	busy?: boolean;
	emailOwner?: string | null;
	renewable?: boolean;
	rutLockedUntil?: number | null;
	issuable?: boolean;
	asked?: Partial<RequestedValidation>;
	settings?: Configured;
}

function tellRequest(
	facts: CodeFacts | null,
	{ asked = {}, settings = REDUCED, ...circumstances }: Circumstances = {},
): string {
	const admission = admitRequest(facts, settings, { ...ASKED, ...asked }, { ...CALM, ...circumstances });
	return admission.kind === "admitted" ? "ask" : tellRejection(admission);
}

function tellClaim(
	facts: CodeFacts | null,
	busy: boolean,
	credentialsMatch: boolean,
	issuable = true,
): string {
	const decision = decideClaim(facts, { busy, issuable, credentialsMatch, now: NOW });
	return decision.kind === "issue" ? "issue" : tellRejection(decision);
}

function tellRejection({ kind, rejection, spendsAttempt }: Refusal): string {
	expect(kind).toBe("rejected");
	const wait = "retryAfterMs" in rejection ? ` ${rejection.retryAfterMs / 1000} s` : "";
	return `${rejection.reason}${wait}${spendsAttempt ? "!" : ""}`;
}

function tellOps(verb: OpsVerb, facts: CodeFacts | null): string {
	const decision = decideOps(verb, facts, NOW);
	if (decision.kind === "rejected") return decision.rejection.reason;
	if (decision.kind === "unchanged") return "–";
	const { kind, set, revokes } = decision;
	expect(kind).toBe("change");
	const change = "cancelledAt" in set ? "cancel" : set.blockedAt === NOW ? "block" : "clear";
	return revokes === null ? change : `${change}+revoke`;
}
