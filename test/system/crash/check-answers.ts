import { copyAddress } from "./calls.ts";
import type { Answer, Call, Journal } from "./journal.ts";
import type { Snapshot } from "./snapshot.ts";

/* Checks of answers, beyond the invariants that all runs share: counts, repeats, rates, and whose data was shown. */

type Answered = Call & { answer: Answer };

/** Invariant 3: an acknowledged request has its reference, its pictures and, where it was refused, its failure. */
export function checkRecorded(journal: Journal, { codes, audit, evidence }: Snapshot): string[] {
	const withPicture = new Set(evidence.map(({ code }) => code));
	const requests = [...journal.answered("request", 200), ...journal.answered("submit", 200)];
	return [
		...requests
			.filter(({ code }) => codes.get(code ?? "")?.external_reference_id !== `order-${code}`)
			.map(({ code }) => `3: the reference of ${code} is acknowledged and not stored`),
		...requests
			.filter(({ body, code }) => body?.includes('"dniFront"') && !withPicture.has(code ?? ""))
			.map(({ code }) => `3: the pictures of ${code} are acknowledged and not stored`),
		...tooFewFailures(journal, audit),
	];
}

/** A refused claim is counted: replays of a kept answer are no new ones. */
function tooFewFailures(journal: Journal, audit: Snapshot["audit"]): string[] {
	const reported = new Map<string, number>();
	for (const { code, answer } of journal.answered("wrong-claim", 406))
		if (!answer.replayed) reported.set(code!, (reported.get(code!) ?? 0) + 1);
	return [...reported]
		.filter(([code, n]) => (audit.get(code)?.get("claim_failed credentials_mismatch") ?? 0) < n)
		.map(([code, n]) => `3: ${n} refused claims of ${code} were answered, fewer are counted`);
}

/** Checks that one Idempotency-Key and body have one final answer, to the byte. */
export function checkRepeats({ calls }: Journal): string[] {
	const first = new Map<string, Answered>();
	const broken: string[] = [];
	for (const call of calls) {
		const { idempotencyKey, answer } = call;
		if (idempotencyKey === null || !answer || !isFinal(answer)) continue;
		const earlier = first.get(idempotencyKey);
		if (!earlier) first.set(idempotencyKey, { ...call, answer });
		else if (earlier.answer.text !== answer.text || earlier.answer.status !== answer.status)
			broken.push(`3: the repeat of ${call.kind} on ${call.code} had another answer than the first`);
	}
	return broken;
}

/** Which answers are kept (decisions, "Idempotency"). */
function isFinal({ status, body }: Answer): boolean {
	if (status === 406) return body.details[0].code !== "OTHER_VALIDATION_IN_PROGRESS";
	return status === 200 || status === 201;
}

/** Invariant 4: a lease after a crash, no code is stuck. Called when every call that died was made again. */
export function checkNothingStuck(journal: Journal, { codes }: Snapshot): string[] {
	return [...journal.unrecovered.keys()]
		.filter((code) => (codes.get(code)?.processing_until ?? null) !== null)
		.map((code) => `4: ${code} still shows a step as running`);
}

/** Invariant 4: no free guess. What the registry answered about a RUT's card is spent on the RUT's code. */
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

/**
 * Allowed answers to a call that is made again a lease after the crash. Neither busy nor unavailable is among them.
 * @param row.over - the session whose frame called has ended.
 */
export function checkCarriedOn(
	call: Call,
	row: { locked: boolean; cancelled: boolean; over: boolean },
): string[] {
	const { kind, code, answer } = call;
	if (answer === null) return [];
	const { status, body } = answer;
	const detail = body?.details?.[0]?.code ?? body?.error ?? "";
	const said = `${status} ${status >= 400 || body?.error ? detail : ""}`.trim();
	if (said === "423 LOCKED" && (row.cancelled || row.locked)) return [];
	if (said === "429 ATTEMPT_LIMIT_REACHED" && row.locked) return [];
	if (row.over && /^401 SESSION_/.test(said)) return [];
	if (call.idempotencyKey !== null && LOST_TO_CALLER.includes(said))
		return [`3: ${kind} of ${code} was answered ${said} instead of the answer that its key keeps`];
	if (ALLOWED[kind].includes(said)) return [];
	return [`4: after a lease, ${kind} of ${code} was answered ${said}`];
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
	session: ["201"],
	"end-session": ["200"],
	open: ["200"],
	answers: ["200"],
	"sign-on": ["200"],
	// One state has one try.
	callback: ["200", "403"],
	submit: ["200"],
	"wrong-submit": ["406 ID_CARD_MISMATCH"],
	download: ["200"],
};

/** Right without an Idempotency-Key only: what happened happened in the call that died. */
const LOST_TO_CALLER = ["201 ALREADY_ISSUED", "406 CODE_ALREADY_USED"];

/** No answer is a failure of the service: nothing failed but the process, or its signer; and a partner that moves writes nothing. */
export function checkNoFailures(journal: Journal, mayBeUnavailable: boolean): string[] {
	return journal.calls
		.filter((call) => call.answer !== null && call.answer.status >= 500 && !journal.isRefused(call))
		.filter(({ answer }) => !mayBeUnavailable || answer?.status !== 503)
		.map(({ kind, code, answer }) => `4: ${kind} of ${code} was answered ${answer?.status} ${answer?.text}`);
}

const LIMIT = 10;
const WINDOW_MS = 60_000;

/** Never more than ten certificate_requests and submissions of a partner in any 60 s of the service's clock, crash or not (§8). */
export function checkEmissionRate({ calls }: Journal): string[] {
	const admitted = new Map<string, { from: number; to: number }[]>();
	const mayBeValidated = new Set<string>();
	for (const { kind, partner, answer, sentAt, clockOffset, session } of calls) {
		if (kind === "submit" || kind === "wrong-submit") {
			// A session that was validated is not validated again, and nothing is counted.
			if (!session || mayBeValidated.has(session.id)) continue;
			if (!answer || answer.status === 200) mayBeValidated.add(session.id);
			if (answer?.status === 400 || answer?.status === 401) continue;
		} else if (kind !== "request" && kind !== "guess") continue;
		if (!answer || answer.status === 503 || answer.body?.error === "RATE_LIMIT_EXCEEDED") continue;
		const times = { from: sentAt + clockOffset, to: answer.at + clockOffset };
		admitted.set(partner.kind, [...(admitted.get(partner.kind) ?? []), times]);
	}
	return [...admitted].flatMap(([kind, times]) => {
		const most = Math.max(
			...times.map(
				({ from }) => times.filter((other) => other.from >= from && other.to < from + WINDOW_MS).length,
			),
		);
		return most > LIMIT ? [`§8: ${most} requests and submissions of ${kind} within 60 s`] : [];
	});
}

/** Invariant 6: no answer, webhook or e-mail shows a partner another's codes; each is about what was asked. */
export function checkTenancy(journal: Journal, { codes }: Snapshot): string[] {
	const broken: string[] = [];
	const partnerIds = new Map(journal.calls.map(({ partner }) => [partner.kind, partner.id]));
	const ownerOf = (code: string) => codes.get(code)?.partner_id;
	for (const { kind, partner, code, answer } of journal.calls) {
		if (!answer?.body?.success) continue;
		const { data } = answer.body;
		if (kind === "list")
			for (const { pcode } of data.pcodes)
				if (ownerOf(pcode) !== partner.id) broken.push(`6: ${partner.kind} was shown ${pcode}`);
		if (kind === "request" || kind === "claim") {
			const holder = journal.holders.get(code ?? "");
			const isOurs = data.p_code === code && (!data.titular || data.titular.rut === holder?.rut);
			if (!isOurs) broken.push(`6: the answer about ${code} names ${data.p_code}`);
		}
	}
	for (const { partnerKind, body } of journal.webhooks) {
		const { p_code, titular } = JSON.parse(body).data as { p_code: string; titular?: { rut: string } };
		const isHolders = !titular || titular.rut === journal.holders.get(p_code)?.rut;
		if (ownerOf(p_code) !== partnerIds.get(partnerKind) || !isHolders)
			broken.push(`6: ${partnerKind} got a webhook of ${p_code}`);
	}
	for (const { to, code } of journal.mails) {
		if (code === null) continue;
		const holder = journal.holders.get(code);
		const isPartners = [...partnerIds].some(
			([kind, id]) => to === `${kind}@partners.example` && id === ownerOf(code),
		);
		if (!isPartners && (!holder || to !== copyAddress(holder))) broken.push(`6: ${to} got a mail of ${code}`);
	}
	return broken;
}
