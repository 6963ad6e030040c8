import { applyRequest } from "./apply-request.ts";
import type { Reading } from "./authenticate.ts";
import type { BeginCall, FinishCall, RequestCall } from "./calls.ts";
import { type Admitted, concludeRequest } from "./conclude-request.ts";
import { type Outcome, unanswered } from "./expected.ts";
import { fingerprintOf, keep } from "./idempotency.ts";
import { changeCode, type Ledger } from "./ledger.ts";
import { momentOf } from "./moment.ts";

/* A certificate_request in two parts: until the registry is asked, and from its answer on. */

interface Held {
	call: RequestCall;
	admitted: Admitted;
	/** Place of its answer, if it has an Idempotency-Key. */
	place: string | null;
}

/** The request's answer, if it has one without the registry; otherwise it is held, with no answer yet. */
export function applyBegin(ledger: Ledger, { request }: BeginCall, now: number, reading: Reading): Outcome {
	return applyRequest(ledger, request, now, reading, (admittedTo, admitted) => {
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
export function applyFinish(ledger: Ledger, { code }: FinishCall, now: number, { rules }: Reading): Outcome {
	const { call, admitted, place } = ledger.codes[code]!.running!.call as Held;
	const outcome = concludeRequest(
		changeCode(ledger, code, { running: null }),
		admitted,
		momentOf(ledger, admitted.partner, now, rules),
	);
	return place ? keep(outcome, place, fingerprintOf(call), { now, rules }) : outcome;
}
