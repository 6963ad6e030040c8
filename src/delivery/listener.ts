import { isListening, LISTENER_URL } from "../domain/partner-settings.ts";
import type { Platform } from "../platform.ts";
import { failed, type Outcome } from "./outcome.ts";
import { openSecrets, type SignedPost, sendWebhook } from "./webhook.ts";

/*
 * A partner's `npm run listen` takes its webhooks in local and dev (decision 18). The Worker of local and dev says how
 * it is reached; that of prod does not, and nobody listens there.
 */

/** A webhook as sent, and the answer of the partner's own server. */
export interface ForwardedPost {
	id: string;
	headers: Record<string, string>;
	body: string;
}

export interface ForwardedAnswer {
	/** Null: the partner's server could not be reached. */
	status: number | null;
	retryAfter: string | null;
}

/** @returns the answer; `nobody` when nobody listens, in less than the attempt's time; `timeout` when no answer came. */
type Forward = (
	platform: Platform,
	partnerId: string,
	post: ForwardedPost,
	timeoutMs: number,
) => Promise<ForwardedAnswer | "nobody" | "timeout">;

let forward: Forward | null = null;

/** Sets the way to reach listeners; the Worker of local and dev calls it once. */
export function reachListenersBy(how: Forward): void {
	forward = how;
}

/** @returns how it went; null when nobody listens, as if there never had been anybody. */
export async function postToListener(
	platform: Platform,
	partner: { id: string; listeningUntil: number | null },
	{ id, body, secrets, timeoutMs }: SignedPost,
): Promise<Outcome | null> {
	if (forward === null || !isListening(partner, platform.clock())) return null;
	const ask = forward;
	let answer = null as ForwardedAnswer | "nobody" | "timeout" | null;
	const outcome = await sendWebhook({
		id,
		body,
		timeoutMs,
		url: new URL(LISTENER_URL),
		at: platform.clock(),
		secrets: await openSecrets(platform, secrets),
		post: async (headers) => {
			answer = await ask(platform, partner.id, { id, headers, body }, timeoutMs);
			if (typeof answer === "string" || answer.status === null) throw new Error(String(answer));
			const { status, retryAfter } = answer;
			return new Response(null, {
				status,
				headers: retryAfter === null ? {} : { "retry-after": retryAfter },
			});
		},
	});
	if (answer === "nobody") return null;
	// The listener's own wait may end before the attempt's.
	return answer === "timeout" ? failed("timeout") : outcome;
}
