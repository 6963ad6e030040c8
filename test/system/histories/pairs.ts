import type { Call, ClaimCall, Operation, RequestCall } from "./calls.ts";

/*
 * Histories that a right service can give, and of each a pair in one line different that none can. Moments are whole
 * numbers; `null` is a call that was cut off.
 */

type Line = [from: number, to: number, call: Call, answer: string | null];

export interface Pairs {
	/** Defect of the bad one. */
	what: string;
	good: Line[];
	/** Line that replaces the good one's at this index. */
	bad: [index: number, line: Line];
}

const JUANA = "11111111-1";
const PEDRO = "22222222-2";
const S1 = "1".repeat(32);
const S2 = "2".repeat(32);
const NEVER = Infinity;

const request = (fields: Partial<RequestCall> = {}): RequestCall => ({
	verb: "request",
	code: "A",
	rut: JUANA,
	cardSerial: "111111111",
	email: "e",
	pin: "1111",
	reference: "r",
	registry: "confirms",
	key: null,
	...fields,
});
const claim = (fields: Partial<ClaimCall> = {}): ClaimCall => {
	return { verb: "claim", code: "A", rut: JUANA, pin: "1111", key: null, ...fields };
};
const guess = request({ registry: "denies", cardSerial: "900000001" });
const status: Call = { verb: "status", code: "A" };
const facts: Call = { verb: "facts", code: "A" };
const list: Call = { verb: "list", status: null };
const cancel: Call = { verb: "cancel", code: "A" };
const minute: Call = { verb: "pass", milliseconds: 61_000 };

const VALIDATED = `200 VALIDATED r ${JUANA} e`;
const ISSUED = `200 issued ${S1}`;
const AGAIN = `200 issued ${S2}`;
const MISMATCH = "406 ID_CARD_MISMATCH";
const WRONG = "406 CREDENTIALS_MISMATCH";
const OTHER = "406 OTHER_VALIDATION_IN_PROGRESS";
const TAKEN = "202 VALIDATION_IN_PROGRESS";
const CANCELLED = "200 CANCELLED anulado 0 - validation 0/0 claim 0/0";
const CANCELLED_LATER = "200 CANCELLED anulado 0 r validation 0/0 claim 0/0";
const EMITTED = `EMITTED emitido 0 r validation 0/0 claim 0/0 serial ${S1}`;
const LOCKED = "429 ATTEMPT_LIMIT_REACHED 1800";
const counted = (attempts: number) => `ACTIVE sin_utilizar 0 - validation ${attempts}/0 claim 0/0`;

const validated: Line = [1, 2, request(), VALIDATED];
const otherPin: Line = [3, 4, request({ pin: "2222" }), VALIDATED];
const listed = (a: string, b: string) => `2 listed: A ${a}, B ${b}`;
const guessed = Array.from({ length: 5 }, (_, i): Line => [3 + 2 * i, 4 + 2 * i, claim({ pin: "0" }), WRONG]);

export const PAIRS: Pairs[] = [
	{
		what: "a lost update: of two failures one is counted",
		good: [
			[1, 2, guess, MISMATCH],
			[3, 4, guess, MISMATCH],
			[5, 6, facts, counted(2)],
		],
		bad: [2, [5, 6, facts, counted(1)]],
	},
	{
		what: "an attempt counted twice",
		good: [
			[1, 2, guess, MISMATCH],
			[3, 4, facts, counted(1)],
		],
		bad: [1, [3, 4, facts, counted(2)]],
	},
	{
		what: "a stale read",
		good: [validated, [3, 4, status, "VALIDATED"]],
		bad: [1, [3, 4, status, "ACTIVE"]],
	},
	{
		what: "a status that goes back",
		good: [
			[1, 8, request(), VALIDATED],
			[2, 3, status, "VALIDATED"],
			[4, 5, status, "VALIDATED"],
		],
		bad: [2, [4, 5, status, "ACTIVE"]],
	},
	{
		what: "two certificates handed out",
		good: [validated, [3, 6, claim(), ISSUED], [4, 5, claim(), TAKEN]],
		bad: [2, [4, 5, claim(), AGAIN]],
	},
	{
		what: "a claim answered before the code was validated",
		good: [
			[3, 6, request(), VALIDATED],
			[1, 5, claim(), ISSUED],
		],
		bad: [1, [1, 2, claim(), ISSUED]],
	},
	{
		what: "the PIN of a validation that another has replaced",
		good: [validated, otherPin, [5, 6, claim(), WRONG]],
		bad: [2, [5, 6, claim(), ISSUED]],
	},
	{
		what: "a change seen before it was asked for",
		good: [
			[1, 4, cancel, CANCELLED],
			[2, 3, status, "CANCELLED"],
		],
		bad: [0, [4, 5, cancel, CANCELLED]],
	},
	{
		what: "a certificate of a code that was cancelled before",
		good: [validated, [3, 4, cancel, CANCELLED_LATER], [5, 6, claim(), "423 LOCKED"]],
		bad: [2, [5, 6, claim(), ISSUED]],
	},
	{
		what: "a sixth PIN compared",
		good: [validated, ...guessed, [20, 21, claim({ pin: "0" }), LOCKED]],
		bad: [6, [20, 21, claim({ pin: "0" }), WRONG]],
	},
	{
		what: "a lock of claims that stops the request that ends it",
		good: [validated, ...guessed, [20, 21, otherPin[2], VALIDATED], [22, 23, claim({ pin: "2222" }), ISSUED]],
		bad: [6, [20, 21, otherPin[2], LOCKED]],
	},
	{
		what: "a lock of claims that a request has ended",
		good: [validated, ...guessed, [20, 23, request(), VALIDATED], [21, 22, claim(), LOCKED]],
		bad: [7, [24, 25, claim(), LOCKED]],
	},
	{
		what: "taken, when nobody else is there",
		good: [
			[1, 4, request(), VALIDATED],
			[2, 3, request(), OTHER],
		],
		bad: [0, [1, 4, status, "ACTIVE"]],
	},
	{
		what: "taken, when the call inside has been answered",
		good: [
			[1, 4, request(), VALIDATED],
			[3, 5, claim(), TAKEN],
		],
		bad: [0, validated],
	},
	{
		what: "processing, and nothing runs",
		good: [
			[1, 4, request(), VALIDATED],
			[2, 3, list, "1 listed: A en_proceso 1 -"],
		],
		bad: [0, [4, 5, request(), VALIDATED]],
	},
	{
		what: "a repeated call that issues again",
		good: [
			validated,
			[3, 4, claim({ key: "k" }), ISSUED],
			[5, 6, claim({ key: "k" }), `${ISSUED} (replayed)`],
		],
		bad: [2, [5, 6, claim({ key: "k" }), AGAIN]],
	},
	{
		what: "an Idempotency-Key in progress when it is not",
		good: [
			[1, 4, request({ key: "k" }), VALIDATED],
			[2, 3, request({ key: "k" }), "409 IDEMPOTENCY_IN_PROGRESS"],
		],
		bad: [0, [1, 4, request(), VALIDATED]],
	},
	{
		what: "an answer that was final, and then is not",
		good: [
			[1, 2, guess, MISMATCH],
			[3, 4, request({ key: "k" }), VALIDATED],
			[5, 6, cancel, CANCELLED_LATER],
			[7, 8, request({ key: "k" }), `${VALIDATED} (replayed)`],
		],
		bad: [3, [7, 8, request({ key: "k" }), "423 LOCKED"]],
	},
	{
		what: "two validations of one RUT concurrently",
		good: [
			[1, 6, request(), VALIDATED],
			[2, 5, request({ code: "B" }), VALIDATED],
			[3, 4, list, listed("en_proceso 1 -", "sin_utilizar 0 -")],
		],
		bad: [2, [3, 4, list, listed("en_proceso 1 -", "en_proceso 1 -")]],
	},
	{
		what: "one e-mail of two holders",
		good: [
			[1, 4, request(), VALIDATED],
			[2, 3, request({ code: "B", rut: PEDRO }), "406 EMAIL_IN_USE"],
		],
		bad: [1, [2, 3, request({ code: "B", rut: PEDRO }), `200 VALIDATED r ${PEDRO} e`]],
	},
	{
		what: "an e-mail kept after its holder took another",
		good: [
			validated,
			[3, 4, request({ email: "f" }), `200 VALIDATED r ${JUANA} f`],
			[5, 6, request({ code: "B", rut: PEDRO }), `200 VALIDATED r ${PEDRO} e`],
		],
		bad: [2, [5, 6, request({ code: "B", rut: PEDRO }), "406 EMAIL_IN_USE"]],
	},
	{
		what: "a list of two moments",
		good: [
			[2, 3, request({ code: "B" }), VALIDATED],
			[4, 5, request(), VALIDATED],
			[1, 6, list, listed("sin_utilizar 0 -", "validado 0 r")],
		],
		bad: [2, [1, 6, list, listed("validado 0 r", "sin_utilizar 0 -")]],
	},
	{
		what: "a free guess: a crash after the registry was asked",
		good: [
			[1, NEVER, guess, null],
			[3, 4, minute, "passed"],
			[5, 6, claim(), "404 NOT_FOUND"],
			[7, 8, facts, counted(1)],
		],
		bad: [3, [7, 8, facts, counted(0)]],
	},
	{
		what: "a code still taken when the lease of a crash is over",
		good: [
			[1, NEVER, claim(), null],
			[3, 4, request(), OTHER],
			[5, 6, minute, "passed"],
			[7, 8, request(), VALIDATED],
		],
		bad: [3, [7, 8, request(), OTHER]],
	},
	{
		what: "another certificate than that of a claim that was cut off",
		good: [
			validated,
			[3, NEVER, claim(), null],
			[5, 6, minute, "passed"],
			[7, 8, facts, EMITTED],
			[9, 10, claim(), "201 ALREADY_ISSUED"],
		],
		bad: [4, [9, 10, claim(), AGAIN]],
	},
];

export function readLines(lines: readonly Line[]): Operation[] {
	return lines.map(([invokedAt, returnedAt, call, answer], i) => {
		const asked = answer === null && call === guess;
		const operation = { id: i + 1, client: "", call, answer, invokedAt, returnedAt, contended: false };
		const cutOff = answer === null && { startedBy: invokedAt + 1 };
		return { ...operation, ...cutOff, registryAsked: asked ? true : null, hasStarted: asked };
	});
}
