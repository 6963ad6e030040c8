import type { ForwardedAnswer, ForwardedPost } from "../delivery/listener.ts";
import { callPartner } from "../objects/stubs.ts";
import type { Platform } from "../platform.ts";

/** Further calls to the partner's object in local and dev; types cross the call as in `objects/rpc.ts`. */
export interface ListenerCalls {
	listen(partnerId: string, waitMs: number): Promise<ForwardedPost | null>;
	answerPost(id: string, answer: ForwardedAnswer): Promise<boolean>;
	forwardPost(
		partnerId: string,
		post: ForwardedPost,
		timeoutMs: number,
	): Promise<ForwardedAnswer | "nobody" | "timeout">;
	stopListening(partnerId: string): Promise<void>;
}

/** Calls the partner's object as local and dev have it. @throws {Unavailable} */
export function callListener<Answer>(
	platform: Platform,
	partnerId: string,
	call: (object: ListenerCalls) => Promise<Answer>,
): Promise<Answer> {
	return callPartner(platform, partnerId, (object) => call(object as unknown as ListenerCalls));
}
