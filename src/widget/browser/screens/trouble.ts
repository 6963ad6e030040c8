import { CLAIM_ATTEMPTS, VALIDATION_ATTEMPTS } from "../../../domain/limits.ts";
import type { Context } from "../context.ts";
import { type Child, h } from "../dom.ts";

/** The refusal that led to a screen, and from the first failed attempt on, after a reload too, how many are left. */
export function trouble(context: Context, why?: string): Child {
	const left = attemptsLeft(context);
	if (why) return h("p", { class: "refusal", role: "alert" }, why, left && ` ${left}`);
	return left && h("p", { class: "notice" }, left);
}

function attemptsLeft({ words, state: { status, attempts } }: Context): string | null {
	const { most, several, last } = ATTEMPTS[status];
	if (attempts.left >= most) return null;
	return words.text(attempts.left > 1 ? several : last, { left: attempts.left });
}

const ATTEMPTS = {
	open: { most: VALIDATION_ATTEMPTS, several: "attemptsLeft", last: "lastAttempt" },
	validated: { most: CLAIM_ATTEMPTS, several: "pinsLeft", last: "lastPin" },
	emitted: { most: CLAIM_ATTEMPTS, several: "pinsLeft", last: "lastDownload" },
} as const;
