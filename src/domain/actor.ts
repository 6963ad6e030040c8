/**
 * Author of a change, as the audit records it: a partner's API key, an operator's token, a widget session, a holder, or
 * a job by its name.
 */
export type Actor = `${"partner" | "ops" | "widget" | "holder" | "job"}:${string}`;

export const SHOWN_ACTORS = ["partner", "ops", "widget", "holder", "service"] as const;

/** Author of a change, as the partner sees it: its own key by its id, everybody else without a name. */
export interface ShownActor {
	actor: (typeof SHOWN_ACTORS)[number];
	keyId: string | null;
}

/** @param recorded - an {@link Actor} */
export function showActor(recorded: string): ShownActor {
	const [kind, ...rest] = recorded.split(":");
	if (kind === "partner") return { actor: "partner", keyId: rest.join(":") };
	if (kind === "ops" || kind === "widget" || kind === "holder") return { actor: kind, keyId: null };
	return { actor: "service", keyId: null };
}
