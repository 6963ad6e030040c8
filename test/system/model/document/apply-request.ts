import { isIssuable } from "./apply-claim.ts";
import { barrier, rutAttemptsOf, rutBarrier } from "./attempts.ts";
import { authenticate, type Moment, momentOf, unauthorized } from "./authenticate.ts";
import { type BeginCall, type FinishCall, malformed, type RequestCall, type Values } from "./calls.ts";
import { type Admitted, concludeRequest, failRequest } from "./conclude-request.ts";
import {
	badShape,
	businessRejection,
	type Expected,
	error,
	type Outcome,
	unanswered,
	unavailable,
} from "./expected.ts";
import { fingerprintOf, keep, once } from "./idempotency.ts";
import { changeCode, changePartner, type Ledger, ownerOf } from "./ledger.ts";
import { mendCode } from "./mend.ts";
import { isFrozen } from "./moves.ts";
import type { Rules } from "./rules.ts";
import { proofsOf, type Settings } from "./settings.ts";
import { isExpired } from "./statuses.ts";

/* A certificate_request in two parts: until the registry is asked, and from its answer on. */

interface Held {
	call: RequestCall;
	admitted: Admitted;
	/** Place of its answer, if it has an Idempotency-Key. */
	place: string | null;
}

/** The request's answer, if it has one without the registry; otherwise it is held, with no answer yet. */
export function applyBegin(ledger: Ledger, { request }: BeginCall, now: number, rules: Rules): Outcome {
	return applyRequest(ledger, request, now, rules, (admittedTo, admitted) => {
		const { partner, values } = admitted;
		const { idempotency: header } = request;
		const place = header === undefined ? null : `${partner}/${/^"(.*)"$/.exec(header)?.[1] ?? header}`;
		const held: Held = { call: request, admitted, place };
		const running = { since: now, rut: values.dni!, call: held };
		const marked = changeCode(admittedTo, admitted.code, { running });
		const kept = place && {
			[place]: { fingerprint: fingerprintOf(request), answer: null, until: Number.MAX_SAFE_INTEGER },
		};
		return {
			ledger: { ...marked, kept: { ...marked.kept, ...kept } },
			expected: unanswered("request held"),
		};
	});
}

/** The held request's own answer. Its settings are those of when it began. */
export function applyFinish(ledger: Ledger, { code }: FinishCall, now: number, rules: Rules): Outcome {
	const { call, admitted, place } = ledger.codes[code]!.running!.call as Held;
	const outcome = concludeRequest(
		changeCode(ledger, code, { running: null }),
		admitted,
		momentOf(ledger, admitted.partner, now, rules),
	);
	return place ? keep(outcome, place, fingerprintOf(call), { now, rules }) : outcome;
}

/* POST /certificate_request (§4.1), in the order of decisions, "Order of checks". */

const KIND = "request";

/** Continues a call against which nothing stands but the registry's answer. */
type Conclude = (ledger: Ledger, admitted: Admitted) => Outcome;

export function applyRequest(
	ledger: Ledger,
	call: RequestCall,
	now: number,
	rules: Rules,
	conclude: Conclude = (admittedTo, admitted) =>
		concludeRequest(admittedTo, admitted, momentOf(admittedTo, admitted.partner, now, rules)),
): Outcome {
	const caller = authenticate(ledger, call.key);
	if (!caller) return unauthorized(ledger, KIND);
	const recent = caller.partner.emissions.filter((at) => at > now - rules.emissionWindow);
	if (recent.length >= rules.emissions) {
		const seconds = Math.max(1, Math.ceil((recent[0]! + rules.emissionWindow - now) / 1000));
		return { ledger, expected: error(KIND, "RATE_LIMIT_EXCEEDED", { "Retry-After": String(seconds) }) };
	}
	const counted = changePartner(ledger, caller.id, { emissions: [...recent, now] });
	const left = rules.emissions - recent.length - 1;
	const problems = malformed(call.fields);
	const sent = { partner: caller.id, settings: caller.partner.settings, values: call.fields as Values };
	const repeatable = { ...call, ...sent, header: call.idempotency, fingerprint: fingerprintOf(call) };
	const outcome =
		problems.length > 0
			? { ledger: counted, expected: badShape(KIND, problems) }
			: once(counted, repeatable, now, rules, (known) =>
					admit(known, call.code.code, sent, momentOf(known, caller.id, now, rules), conclude),
				);
	const { expected } = outcome;
	const headers = { ...expected.headers, RateLimit: { $: "containing", text: `;r=${left};` } as const };
	return { ...outcome, expected: { ...expected, headers } };
}

/** Refusals once its form is right. */
export function admit(
	before: Ledger,
	name: string,
	{ partner, settings, values }: Omit<Admitted, "code" | "rut">,
	{ now, at, rules }: Moment,
	conclude: Conclude,
): Outcome {
	const ledger = before.codes[name]?.partner === partner ? mendCode(before, name, now) : before;
	const refuse = (code: string) => ({ ledger, expected: businessRejection(KIND, code) });
	// The 400s that only the settings ask for: still shape, so before the code is looked at.
	const problems = conditionalProblems(settings, values, rules);
	if (problems.length > 0) return { ledger, expected: badShape(KIND, problems) };
	const closed = closedToValidation(KIND, ledger, { partner, name, rut: values.dni }, now, rules);
	if (closed) return { ledger, expected: closed };
	const code = ledger.codes[name]!;
	if (proofsOf(settings, rules).includes("serialNumber") && values.serialNumber === undefined)
		return refuse("SERIAL_NUMBER_REQUIRED");
	if (settings.validate_vencimiento && values.fechaVencimiento === undefined)
		return refuse("EXPIRATION_DATE_REQUIRED");
	if (!isIssuable(ledger, code.product, at, rules))
		return { ledger, expected: unavailable(KIND, "beyond the authority") };
	if (code.validation && code.validation.rut !== values.dni) {
		const rut = rutAttemptsOf(ledger, partner, values.dni);
		return failRequest(ledger, { code: name, partner, settings, values, rut }, "RUT_MISMATCH", now, rules);
	}
	const owner = ownerOf(ledger, partner, values.email!.toLowerCase());
	if (owner !== null && owner !== values.dni) return refuse("EMAIL_IN_USE");
	const others = Object.values(ledger.codes).filter((other) => other.partner === partner && other.running);
	if (others.some(({ running }) => running!.rut === values.dni))
		return refuse("OTHER_VALIDATION_IN_PROGRESS");
	// The code is marked before the registry is asked.
	if (isFrozen(ledger.partners[partner], rules)) return { ledger, expected: unavailable(KIND, "moving") };
	return conclude(ledger, {
		code: name,
		partner,
		settings,
		values,
		rut: rutAttemptsOf(ledger, partner, values.dni),
	});
}

/** Why a code takes no validation now, whatever is sent. */
export function closedToValidation(
	kind: string,
	ledger: Ledger,
	{ partner, name, rut }: { partner: string; name: string; rut: string | undefined },
	now: number,
	rules: Rules,
): Expected | null {
	const code = ledger.codes[name];
	if (code?.partner !== partner) return { ...error(kind, "NOT_FOUND"), bytes: `404 ${kind}` };
	const barred = barrier("request", code, now);
	if (barred?.error === "LOCKED") return error(kind, "LOCKED");
	if (barred) return error(kind, barred.error, { "Retry-After": barred.retryAfter });
	const retryAfter = rut === undefined ? null : rutBarrier(ledger, partner, rut, now);
	if (retryAfter !== null) return error(kind, "ATTEMPT_LIMIT_REACHED", { "Retry-After": retryAfter });
	// Business rules. The documents name no order among them: facts of the code, then §7's own order.
	if (code.certificate) return businessRejection(kind, "CODE_ALREADY_USED");
	if (isExpired(rules, code, now)) return businessRejection(kind, "CODE_EXPIRED");
	return code.running ? businessRejection(kind, "OTHER_VALIDATION_IN_PROGRESS") : null;
}

/** §2.7: what the flow of the partner asks for or does not take. */
function conditionalProblems(settings: Settings, values: Values, rules: Rules): string[] {
	const names = ["names", "fLastname", "phone"];
	if (settings.require_cedula_serie) return names.filter((field) => values[field] !== undefined);
	const required = proofsOf(settings, rules).includes("ssoCredential") ? [...names, "ssoCredential"] : names;
	return required.filter((field) => values[field] === undefined);
}
