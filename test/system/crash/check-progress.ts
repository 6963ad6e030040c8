import type { Call, Journal } from "./journal.ts";
import type { Snapshot } from "./snapshot.ts";

/** Invariant 4: a lease after a crash, no code is stuck. Called when every call that died was made again. */
export function checkNothingStuck(journal: Journal, { codes }: Snapshot): string[] {
	return [...journal.unsettled.keys()]
		.filter((code) => (codes.get(code)?.processing_until ?? null) !== null)
		.map((code) => `4: ${code} still shows a step as running`);
}

/** Invariant 4: no free guess. What the registry told about a RUT's card is spent on the RUT's code. */
export function checkNoFreeGuess({ holders, wrongVerdicts }: Journal, { audit }: Snapshot): string[] {
	const broken: string[] = [];
	for (const [code, { rut }] of holders) {
		const verdicts = wrongVerdicts.get(rut) ?? 0;
		let spent = audit.get(code)?.get("step_abandoned attempt_spent") ?? 0;
		for (const [what, n] of audit.get(code) ?? []) if (what.startsWith("validation_failed ")) spent += n;
		if (spent < verdicts) broken.push(`4: ${verdicts} wrong cards of ${code}, ${spent} attempts spent`);
	}
	return broken;
}

/** What a call may be answered that is made again a lease after the crash. Neither busy nor unavailable is among it. */
export function checkCarriedOn(call: Call, row: { locked: boolean; cancelled: boolean }): string[] {
	const { kind, code, answer } = call;
	if (answer === null) return [];
	const { status, body } = answer;
	const detail = body?.details?.[0]?.code ?? body?.error ?? "";
	const told = `${status} ${status >= 400 || body?.error ? detail : ""}`.trim();
	if (told === "423 LOCKED" && (row.cancelled || row.locked)) return [];
	if (told === "429 ATTEMPT_LIMIT_REACHED" && row.locked) return [];
	if (call.idempotencyKey !== null && LOST_TO_CALLER.includes(told))
		return [`3: ${kind} of ${code} was answered ${told} instead of the answer that its key keeps`];
	if (ALLOWED[kind].includes(told)) return [];
	return [`4: after a lease, ${kind} of ${code} was answered ${told}`];
}

const ALLOWED: Record<Call["kind"], readonly string[]> = {
	bulk: ["201"],
	list: ["200"],
	status: ["200"],
	request: ["200", "406 CODE_ALREADY_USED"],
	guess: ["406 ID_CARD_MISMATCH", "406 NAME_MISMATCH", "406 CODE_ALREADY_USED"],
	claim: ["200", "201 ALREADY_ISSUED"],
	"wrong-claim": ["406 CREDENTIALS_MISMATCH", "201 ALREADY_ISSUED"],
	cancel: ["200"],
};

/** Right without an Idempotency-Key only: what happened happened in the call that died. */
const LOST_TO_CALLER = ["201 ALREADY_ISSUED", "406 CODE_ALREADY_USED"];

/** No answer of the whole world is a failure of the service: nothing failed but the process. */
export function checkNoFailures({ calls }: Journal): string[] {
	return calls
		.filter(({ answer }) => answer !== null && answer.status >= 500)
		.map(({ kind, code, answer }) => `4: ${kind} of ${code} was answered ${answer?.status} ${answer?.text}`);
}

const LIMIT = 10;
const WINDOW_MS = 60_000;

/** Never more than ten certificate_requests of a partner in any 60 s of the service's clock, crash or not (§8). */
export function checkEmissionRate({ calls }: Journal): string[] {
	const admitted = new Map<string, { from: number; to: number }[]>();
	for (const { kind, partner, answer, sentAt, clockOffset } of calls) {
		if ((kind !== "request" && kind !== "guess") || !answer) continue;
		if (answer.body?.error === "RATE_LIMIT_EXCEEDED") continue;
		const times = { from: sentAt + clockOffset, to: answer.at + clockOffset };
		admitted.set(partner.kind, [...(admitted.get(partner.kind) ?? []), times]);
	}
	return [...admitted].flatMap(([kind, times]) => {
		const most = Math.max(
			...times.map(
				({ from }) => times.filter((other) => other.from >= from && other.to < from + WINDOW_MS).length,
			),
		);
		return most > LIMIT ? [`§8: ${most} certificate_requests of ${kind} within 60 s`] : [];
	});
}
