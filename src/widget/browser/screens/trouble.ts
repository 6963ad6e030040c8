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
	const { left } = attempts;
	if (left >= (status === "open" ? VALIDATION_ATTEMPTS : CLAIM_ATTEMPTS)) return null;
	if (left > 1) return words.text("attemptsLeft", { left });
	return words.text(status === "emitted" ? "lastDownload" : "lastAttempt");
}
