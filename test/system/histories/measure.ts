import type { Operation } from "./calls.ts";

/* Figures of a run of histories: whether anything happened, and how much of it at once. */

/** @returns how many others an operation overlapped, on average over all of the histories. */
export function measureHistories(histories: readonly (readonly Operation[])[]) {
	const all = histories.flat().filter(({ call }) => call.verb !== "pass");
	let concurrent = 0;
	for (const history of histories)
		for (const operation of history)
			if (operation.call.verb !== "pass")
				concurrent += history.filter((other) => other !== operation && overlap(operation, other)).length;
	const reported = (pattern: RegExp) => all.filter(({ answer }) => pattern.test(answer ?? "")).length;
	return {
		histories: histories.length,
		operations: all.length,
		meanOverlap: (concurrent / all.length).toFixed(2),
		cutOffByCrash: all.filter(({ answer }) => answer === null).length,
		answeredTaken: reported(/^(202|409) |OTHER_VALIDATION/),
		certificates: reported(/^200 (issued|EMITTED order).*[0-9A-F]{32}$/),
		validations: reported(/^200 VALIDATED order/),
		attemptsSpent: reported(/ID_CARD_MISMATCH$|RUT_MISMATCH$|CREDENTIALS_MISMATCH$/),
		replayed: reported(/replayed/),
		givenUp: reported(/^503 SERVICE/),
	};
}

function overlap(one: Operation, other: Operation): boolean {
	return other.invokedAt < endOf(one) && one.invokedAt < endOf(other);
}

/** When its caller had its answer, or knew that there would be none. */
function endOf({ returnedAt, startedBy, invokedAt }: Operation): number {
	return returnedAt === Infinity ? (startedBy ?? invokedAt + 1) : returnedAt;
}
