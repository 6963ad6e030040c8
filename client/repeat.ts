/* Decides when a call is made again. */

export interface Attempt {
	status: number;
	body: unknown;
	retryAfter: number | null;
}

const FIRST_PAUSE_S = 1;

/**
 * Calls again after Retry-After for as long as the answer is to come (202, 409) or the partner calls too often (429
 * RATE_LIMIT_EXCEEDED). A locked code or RUT (ATTEMPT_LIMIT_REACHED) is an outcome: asking again would help nobody. Where
 * it is safe it also calls again when the service cannot (503), since what was asked may have happened, and without
 * any answer, after 1 s, 2 s, 4 s and so on.
 * @param patienceMs - in all: an answer whose Retry-After would go beyond it is the outcome.
 * @throws what `attempt` threw last
 */
export async function repeat<Of extends Attempt>(
	attempt: () => Promise<Of>,
	{ patienceMs, safe, signal }: { patienceMs: number; safe: boolean; signal?: AbortSignal | undefined },
): Promise<Of> {
	const end = Date.now() + patienceMs;
	for (let pause = FIRST_PAUSE_S; ; pause *= 2) {
		const result = await attempt().then(
			(answer) => ({ answer, again: isToCome(answer, safe) ? answer.retryAfter : null }),
			(error: unknown) => ({ error, again: safe && error instanceof TypeError ? pause : null }),
		);
		const waits = result.again !== null && Date.now() + result.again * 1000 <= end;
		if (waits) await wait(result.again! * 1000, signal);
		else if ("answer" in result) return result.answer;
		else throw result.error;
	}
}

function isToCome({ status, body }: Attempt, safe: boolean): boolean {
	if (status === 429) return (body as { error?: string } | null)?.error === "RATE_LIMIT_EXCEEDED";
	return status === 202 || status === 409 || (status === 503 && safe);
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		const stop = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", stop);
			resolve();
		}, ms);
		if (signal?.aborted) stop();
		else signal?.addEventListener("abort", stop, { once: true });
	});
}
