import type { Answer, Call, Journal } from "./journal.ts";
import type { CodeRow, Snapshot } from "./snapshot.ts";

type Answered = Call & { answer: Answer };

/** Invariant 3: what an answer said has happened is in the register, and stays there. */
export function checkAcknowledged(journal: Journal, { codes, audit }: Snapshot): string[] {
	const rowOf = (call: Call) => codes.get(call.code ?? "");
	const holds = (calls: Answered[], what: string, test: (row: CodeRow, call: Answered) => boolean) =>
		calls
			.filter((call) => {
				const row = rowOf(call);
				return !row || !test(row, call);
			})
			.map(({ code }) => `3: ${code} was answered ${what}, and the register does not say so`);
	const requests = journal.answered("request", 200);
	return [
		...journal.answered("bulk", 201).flatMap((call) => missingCodes(call, codes)),
		...holds(
			requests,
			"VALIDATED",
			(row, { code }) => row.validated_at !== null && row.external_reference_id === `order-${code}`,
		),
		...holds(
			requests.filter(({ answer }) => answer.body.data.status === "EMITTED"),
			"EMITTED",
			(row, { answer }) => row.certificate_serial === answer.body.data.certificate.serialNumber,
		),
		...holds(
			journal.answered("claim", 200),
			"with its certificate",
			(row, { answer }) => row.issued_at !== null && row.certificate_serial === answer.body.data.serialNumber,
		),
		...holds(journal.answered("claim", 201), "ALREADY_ISSUED", (row) => row.issued_at !== null),
		...holds(journal.answered("cancel", 200), "cancelled", (row) => row.cancelled_at !== null),
		...tooFewFailures(journal, audit),
	];
}

function missingCodes({ answer, partner }: Answered, codes: Snapshot["codes"]): string[] {
	const { batchId, pcodes } = answer.body.data as { batchId: string; pcodes: string[] };
	return pcodes
		.filter((code) => {
			const row = codes.get(code);
			return row?.batch_id !== batchId || row.partner_id !== partner.id;
		})
		.map((code) => `3: ${code} of the acknowledged ${batchId} is missing`);
}

/** A refused claim that was told is counted: replays of a kept answer are no new ones. */
function tooFewFailures(journal: Journal, audit: Snapshot["audit"]): string[] {
	const told = new Map<string, number>();
	for (const { code, answer } of journal.answered("wrong-claim", 406))
		if (!answer.replayed) told.set(code!, (told.get(code!) ?? 0) + 1);
	return [...told]
		.filter(([code, n]) => (audit.get(code)?.get("claim_failed credentials_mismatch") ?? 0) < n)
		.map(([code, n]) => `3: ${n} refused claims of ${code} were told, fewer are counted`);
}

/** The same Idempotency-Key and body have one final answer, to the byte. */
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
