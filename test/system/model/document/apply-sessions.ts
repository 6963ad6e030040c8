import { isIssuable } from "./apply-claim.ts";
import { closedToValidation } from "./apply-request.ts";
import { authenticate, type Moment, momentOf, unauthorized } from "./authenticate.ts";
import type { MakeSessionCall, SessionCall, Values } from "./calls.ts";
import {
	badShape,
	businessRejection,
	error,
	made,
	type Outcome,
	type Shape,
	success,
	time,
	unavailable,
} from "./expected.ts";
import type { SessionState } from "./facts.ts";
import { post } from "./idempotency.ts";
import { changeCode, changeSession, type Ledger, nextName, ownerOf } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/** When and why a session ended, by itself when its time was over; null while it lives. */
export function endOf({ end, until, completedAt }: SessionState, now: number): SessionState["end"] {
	if (end !== null || until > now) return end;
	return { at: until, reason: completedAt === null ? "expired" : "completed" };
}

/** Ends the session of a code that lives. */
function endSessions(ledger: Ledger, code: string, end: NonNullable<SessionState["end"]>): Ledger {
	return Object.entries(ledger.sessions)
		.filter(([, session]) => session.code === code && endOf(session, end.at) === null)
		.reduce((changed, [name]) => changeSession(changed, name, { end }), ledger);
}

/** A code that was closed, or validated or claimed by API, has no session any more. */
export function endByChange(
	before: Ledger,
	after: Ledger,
	{ at, rules }: Pick<Moment, "at" | "rules">,
	own: string | null,
): Ledger {
	return Object.entries(after.codes).reduce((changed, [name, code]) => {
		const { now } = momentOf(after, code.partner, at, rules);
		const was = before.codes[name] ?? code;
		const isClosed = code.cancelledAt !== was.cancelledAt || code.blockedAt !== was.blockedAt;
		if (isClosed && (code.cancelledAt ?? code.blockedAt) !== null)
			return endSessions(changed, name, { at: now, reason: "code_closed" });
		const isValidated = code.validation !== null && code.validation.at !== was.validation?.at;
		const isIssued = code.certificate !== null && was.certificate === null;
		const isOwn = own !== null && after.sessions[own]?.code === name;
		return (isValidated || isIssued) && !isOwn
			? endSessions(changed, name, { at: now, reason: "superseded" })
			: changed;
	}, after);
}

/* Decisions, "Widget": sessions as their partner makes, sees and ends them. */

const KIND = "make session";

export function applyMakeSession(ledger: Ledger, call: MakeSessionCall, now: number, rules: Rules): Outcome {
	return post(ledger, call, { now, rules }, (known, { id }, moment) =>
		make(known, id, call, call.fields as Values, moment),
	);
}

/** All that certificate_request would refuse and is known before the holder has come. */
function make(
	ledger: Ledger,
	partner: string,
	{ code: { code: name }, fields }: MakeSessionCall,
	{ referenceId, dni, email }: Values,
	{ now, at, rules }: Moment,
): Outcome {
	const { settings } = ledger.partners[partner]!;
	if (settings.mode === "B2B" && fields.claim !== undefined)
		return { ledger, expected: badShape(KIND, ["claim"]) };
	const closed = closedToValidation(KIND, ledger, { partner, name, rut: dni }, now, rules);
	if (closed) return { ledger, expected: closed };
	if (!isIssuable(ledger, ledger.codes[name]!.product, at, rules))
		return { ledger, expected: unavailable(KIND, "beyond the authority") };
	const owner = email === undefined ? null : ownerOf(ledger, partner, email.toLowerCase());
	if (dni !== undefined && owner !== null && owner !== dni)
		return { ledger, expected: businessRejection(KIND, "EMAIL_IN_USE") };
	const replaced = rules.newSessionReplaces
		? endSessions(ledger, name, { at: now, reason: "replaced" })
		: ledger;
	const session = nextName("s", replaced, "sessions");
	const state: SessionState = {
		code: name,
		reference: referenceId!,
		claim: settings.mode === "B2C" && fields.claim !== false,
		answers: { ...(dni !== undefined && { dni }), ...(email !== undefined && { email }) },
		step: null,
		createdAt: now,
		startedAt: null,
		until: now + rules.sessionOpens,
		triedPins: 0,
		refusedSubmits: [],
		validatedAt: null,
		completedAt: null,
		end: null,
		forgotten: false,
	};
	const changed = changeCode(replaced, name, { updatedAt: now });
	const data = {
		session_id: made("session", session),
		token: made("token", session),
		url: { $: "containing", text: "/onboarding/" } as const,
		expires_at: time(state.until),
	};
	return {
		ledger: { ...changed, sessions: { ...changed.sessions, [session]: state } },
		expected: success(KIND, 201, data),
	};
}

export function applyShowSession(ledger: Ledger, call: SessionCall, at: number, rules: Rules): Outcome {
	const { kind, session: name } = call;
	const caller = authenticate(ledger, call.key);
	if (!caller) return unauthorized(ledger, kind);
	const session = ledger.sessions[name];
	if (!session || session.forgotten || ledger.codes[session.code]!.partner !== caller.id)
		return { ledger, expected: error(kind, "NOT_FOUND") };
	const { now } = momentOf(ledger, caller.id, at, rules);
	const end = endOf(session, now);
	const shown = success(kind, 200, sessionFacts(name, { ...session, end }));
	// A session whose time is over reads as ended; that is noted when something ends it.
	if (kind === "show session") return { ledger, expected: shown };
	if (end) return { ledger: changeSession(ledger, name, { end }), expected: shown };
	if (ledger.codes[session.code]!.running)
		return { ledger, expected: businessRejection(kind, "OTHER_VALIDATION_IN_PROGRESS") };
	const ended = { at: now, reason: "cancelled" } as const;
	return {
		ledger: changeSession(ledger, name, { end: ended }),
		expected: success(`${kind} that lives`, 200, sessionFacts(name, { ...session, end: ended })),
	};
}

function sessionFacts(name: string, session: SessionState): Shape {
	const { code, reference, createdAt, startedAt, validatedAt, completedAt, until, end } = session;
	const going = completedAt !== null ? "completed" : validatedAt !== null ? "validated" : "open";
	return {
		session_id: made("session", name),
		p_code: made("code", code),
		referenceId: reference,
		status: end ? "ended" : startedAt === null ? "created" : going,
		end_reason: end?.reason ?? null,
		created_at: time(createdAt),
		started_at: time(startedAt),
		validated_at: time(validatedAt),
		ended_at: time(end?.at ?? null),
		expires_at: time(until),
	};
}
