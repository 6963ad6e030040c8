import { claim } from "./apply-claim.ts";
import { admit } from "./apply-request.ts";
import { endOf } from "./apply-sessions.ts";
import { attemptsLeft, barrier, rutAttemptsOf } from "./attempts.ts";
import { type Moment, momentOf } from "./authenticate.ts";
import { type FrameCall, malformed, type Values } from "./calls.ts";
import { concludeRequest } from "./conclude-request.ts";
import {
	type AttemptsLeft,
	badShape,
	type Expected,
	error,
	failure,
	made,
	type Outcome,
	type Shape,
	success,
	time,
} from "./expected.ts";
import type { SessionState } from "./facts.ts";
import { once } from "./idempotency.ts";
import { type CodeState, changePartner, changeSession, type Ledger } from "./ledger.ts";
import type { Rules } from "./rules.ts";
import { proofsOf, type Settings } from "./settings.ts";

/* Decisions, "Widget": the frame's calls. Single sign-on, which needs a window of its own, is never done here. */

const UNAUTHORIZED = { "WWW-Authenticate": "Bearer" };

interface Context extends Moment {
	name: string;
	partner: string;
	settings: Settings;
}

export function applyFrame(ledger: Ledger, call: FrameCall, at: number, rules: Rules): Outcome {
	const kind = `frame ${call.step}`;
	const session = ledger.sessions[call.session];
	if (!session || session.forgotten || call.token === "wrong")
		return { ledger, expected: error("frame", "UNAUTHORIZED", UNAUTHORIZED) };
	const { partner } = ledger.codes[session.code]!;
	const moment = momentOf(ledger, partner, at, rules);
	const { now } = moment;
	const end = endOf(session, now);
	if (end) return { ledger, expected: sessionEnded(end.reason) };
	const values = call.fields as Values;
	const problems = malformed(call.fields);
	if (problems.length > 0) return { ledger, expected: badShape(kind, problems) };
	const { settings, emissions } = ledger.partners[partner]!;
	const context: Context = { ...moment, name: call.session, partner, settings };
	let counted = ledger;
	if (call.step === "submit" && session.validatedAt === null && rules.submitsCount) {
		const recent = emissions.filter((one) => one > at - rules.emissionWindow);
		const seconds = Math.max(1, Math.ceil(((recent[0] ?? 0) + rules.emissionWindow - at) / 1000));
		if (recent.length >= rules.emissions)
			return { ledger, expected: error(kind, "RATE_LIMIT_EXCEEDED", { "Retry-After": String(seconds) }) };
		counted = changePartner(ledger, partner, { emissions: [...recent, at] });
	}
	if (call.step === "show") return { ledger, expected: success(kind, 200, stateOf(ledger, context)) };
	const startedAt = session.startedAt ?? now;
	const stepped = changeSession(counted, call.session, { startedAt, until: now + rules.sessionLives });
	switch (call.step) {
		case "open":
			return { ledger: stepped, expected: success(kind, 200, stateOf(stepped, context)) };
		case "answers":
			return answer(stepped, values, context);
		case "submit": {
			const { asked, ...outcome } = submit(stepped, values, context);
			if (asked || outcome.expected.status === 200) return outcome;
			const freed = rules.unaskedCount
				? outcome.ledger
				: changePartner(outcome.ledger, partner, { emissions });
			return refuseSubmit({ ...outcome, ledger: freed }, context);
		}
		case "claim":
			return claimInFrame(stepped, values, context);
	}
}

/** Decisions, "emission rate": the tenth in an hour ends the session, unless the code is being validated. */
function refuseSubmit({ ledger, expected }: Outcome, context: Context): Outcome {
	const { name, now, at, rules } = context;
	const { refusedSubmits, code } = ledger.sessions[name]!;
	const recent = [...refusedSubmits.filter((one) => one > at - rules.refusedSubmitsWindow), at];
	const noted = changeSession(ledger, name, { refusedSubmits: recent });
	if (recent.length < rules.refusedSubmits || ledger.codes[code]!.running) return { ledger: noted, expected };
	const reason = "too_many_submits";
	return { ledger: changeSession(noted, name, { end: { at: now, reason } }), expected: sessionEnded(reason) };
}

/** A browser counts down to the end of a lock. */
function wireAttempts({ left, lockedUntil, closed }: AttemptsLeft, ahead: number) {
	return { left, locked_until: time(lockedUntil && lockedUntil - ahead), closed: closed !== null };
}

function downloadsLeft(triedPins: number, rules: Rules): AttemptsLeft {
	const left = Math.max(0, rules.pinTries - triedPins);
	return { left, lockedUntil: null, closed: left === 0 ? "download" : null };
}

function sessionEnded(reason: string): Expected {
	const code = reason === "too_many_submits" ? "TOO_MANY_SUBMITS" : `SESSION_${reason.toUpperCase()}`;
	const body = { success: false, error: "UNAUTHORIZED", message: { $: "text" } as const };
	const details = [{ code, message: { $: "text" } as const }];
	return { outcome: `frame 401 ${code}`, status: 401, body: { ...body, details }, headers: {} };
}

/** Validated answers cannot be replaced. */
function answer(ledger: Ledger, { step, ...typed }: Values, context: Context): Outcome {
	const session = ledger.sessions[context.name]!;
	const answers = { ...session.answers, ...typed } as Record<string, string>;
	const changed = changeSession(ledger, context.name, {
		...(session.validatedAt === null && { answers }),
		step: step ?? session.step,
	});
	return { ledger: changed, expected: success("frame answers", 200, stateOf(changed, context)) };
}

function submit(ledger: Ledger, { pin }: Values, context: Context): Outcome & { asked: boolean } {
	let isAsked = false;
	const { name, partner, settings, now, rules } = context;
	const session = ledger.sessions[name]!;
	const kind = "frame submit";
	if (session.validatedAt !== null)
		return {
			ledger,
			expected: { ...success(kind, 200, stateOf(ledger, context)), outcome: `${kind} again` },
			asked: isAsked,
		};
	const asked = stepsOf(settings, rules).flatMap((step) => ANSWERS_OF[step] ?? []);
	const answers = Object.fromEntries(
		Object.entries(session.answers).filter(([field]) => asked.includes(field)),
	);
	const missing = ["dni", "email"].filter((field) => answers[field] === undefined);
	if (missing.length > 0) return { ledger, expected: badShape(kind, missing), asked: isAsked };
	const values = { ...answers, pin, referenceId: session.reference };
	const sent = { partner, settings, values };
	const outcome = admit(ledger, session.code, sent, context, (to, admitted) => {
		isAsked = true;
		return concludeRequest(to, admitted, context);
	});
	if (outcome.expected.status !== 200) return { ...outcome, asked: isAsked };
	const isIssued = outcome.ledger.codes[session.code]!.certificate !== null;
	const completes = isIssued || !session.claim || settings.mode === "B2B";
	const validated = changeSession(outcome.ledger, name, {
		validatedAt: now,
		completedAt: completes ? now : null,
	});
	const expected = success(kind, 200, stateOf(validated, context));
	return {
		ledger: validated,
		expected: { ...expected, outcome: `${kind} ${isIssued ? "EMITTED" : "VALIDATED"}` },
		asked: isAsked,
	};
}

/** The PIN of what is issued: whoever has the token may not try them all (0001). The right one clears the count. */
function claimInFrame(ledger: Ledger, values: Values, context: Context): Outcome {
	const { name, rules } = context;
	const { code, claim: mayClaim, triedPins } = ledger.sessions[name]!;
	const isIssued = ledger.codes[code]!.certificate !== null;
	if (!isIssued || !mayClaim || rules.issuedTakesAnyPin) return claimOnce(ledger, values, context);
	const tried = changeSession(ledger, name, { triedPins: triedPins + 1 });
	if (triedPins === rules.pinTries) return { ledger, expected: error("frame claim", "ALREADY_ISSUED") };
	const outcome = claimOnce(tried, values, context);
	if (outcome.expected.status === 200)
		return { ...outcome, ledger: changeSession(outcome.ledger, name, { triedPins: 0 }) };
	if (![201, 406].includes(outcome.expected.status)) return outcome;
	const after = downloadsLeft(triedPins + 1, rules);
	return { ...outcome, expected: failure("claim", "CREDENTIALS_MISMATCH", after, context.now) };
}

/** Once for each PIN: the download can be repeated until the session ends. */
function claimOnce(ledger: Ledger, { pin }: Values, context: Context): Outcome {
	const { name, partner, settings, now, at, rules } = context;
	const kind = "frame claim";
	const { code, claim: mayClaim, validatedAt, answers } = ledger.sessions[name]!;
	if (!mayClaim || settings.mode === "B2B" || validatedAt === null)
		return { ledger, expected: error(kind, "NOT_FOUND") };
	const repeatable = { kind, partner: `frame ${name}`, header: `pin-${pin}`, fingerprint: "" };
	const { ledger: after, expected } = once(ledger, repeatable, at, rules, (known) => {
		const outcome = claim(known, { partner, code }, { dni: answers.dni, pin }, context);
		if (outcome.expected.status !== 200) return outcome;
		const { data } = outcome.expected.body as unknown as { data: Record<string, Shape> };
		const { p_code: _, ...certificate } = data;
		const file = { ...certificate, file_name: `certificado-${answers.dni}.pfx` };
		const completed = changeSession(outcome.ledger, name, { completedAt: now });
		return { ledger: completed, expected: { ...outcome.expected, ...success(kind, 200, file) } };
	});
	const { "Idempotency-Replayed": replayed, ...headers } = expected.headers;
	if (replayed && expected.after)
		return { ledger: after, expected: repeatWrongPin(after.codes[code]!, context) };
	return { ledger: after, expected: { ...expected, headers } };
}

/** Answers the same wrong PIN again, which spends nothing, by what is left now. */
function repeatWrongPin(code: CodeState, { now, rules }: Context): Expected {
	const barred = barrier("claim", code, now);
	if (barred?.error === "ATTEMPT_LIMIT_REACHED")
		return error("claim", barred.error, { "Retry-After": barred.retryAfter });
	const left = attemptsLeft(code, "claimAttempts", null, now, rules);
	const expected = failure("claim", "CREDENTIALS_MISMATCH", left, now);
	return { ...expected, outcome: "frame claim replay of 406" };
}

const ANSWERS_OF: Record<string, readonly string[]> = {
	rut: ["dni"],
	card: ["serialNumber"],
	expiry: ["fechaVencimiento"],
	name: ["names", "fLastname", "mLastname", "phone"],
	email: ["email"],
};

/** Steps by the partner's present settings. */
function stepsOf(settings: Settings, rules: Rules): string[] {
	const proofs = proofsOf(settings, rules);
	return [
		"rut",
		...(proofs.includes("serialNumber") ? ["card"] : []),
		...(settings.validate_vencimiento ? ["expiry"] : []),
		...(settings.require_cedula_serie ? [] : ["name"]),
		...(proofs.includes("ssoCredential") ? ["sign_on"] : []),
		...["email", "pin", "review"],
	];
}

function stateOf(ledger: Ledger, { name, partner, settings, now, at, rules }: Context): Shape {
	const { sessions, codes } = ledger;
	const { code, answers, step, claim, until, validatedAt, triedPins }: SessionState = sessions[name]!;
	const { certificate } = codes[code]!;
	const steps = stepsOf(settings, rules);
	const rut = rutAttemptsOf(ledger, partner, answers.dni);
	const left = certificate
		? downloadsLeft(triedPins, rules)
		: validatedAt === null
			? attemptsLeft(codes[code]!, "validationAttempts", rut, now, rules)
			: attemptsLeft(codes[code]!, "claimAttempts", null, now, rules);
	const state: Record<string, Shape> = {
		session_id: made("session", name),
		p_code: made("code", code),
		status: certificate ? "emitted" : validatedAt === null ? "open" : "validated",
		steps,
		step: step !== null && steps.includes(step) ? step : steps[0]!,
		answers,
		sign_on: "none",
		attempts: wireAttempts(left, now - at),
		claim: claim && settings.mode === "B2C",
		mode: settings.mode,
		partner: { name: settings.name, accent: null, logo: null },
		// A browser counts down to it.
		expires_at: time(until - (now - at)),
		...(certificate && {
			certificate: {
				serialNumber: made("serial", code),
				validFrom: time(certificate.notBefore),
				validTo: time(certificate.notAfter),
			},
		}),
	};
	return { $: "with", fields: state };
}
