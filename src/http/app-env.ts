import type { Bindings } from "../bindings.ts";
import type { KeyOwner } from "../db/api-keys.ts";
import type { Platform } from "../platform.ts";
import type { Language } from "../texts/language.ts";

/** What Hono's context carries through a call; the widget adds its session (`widget/require-session.ts`). */
export interface AppEnv {
	Bindings: Bindings;
	Variables: {
		requestId: string;
		language: Language;
		platform: Platform;
		/** Whose key the call came with; set behind `authenticate`. */
		owner: KeyOwner;
		/** What every form of the pages of the caller's session carries; set behind a console's session. */
		csrf: string;
		/** The session of a partner's console, as it is stored. */
		sessionHash: string;
		/** A certificate_request that the partner's object was asked to count. */
		isCounted: boolean;
		/** Who of ops calls; set behind `authorizeOps`. */
		operator: { name: string; roles: ReadonlySet<string> };
		/** Of the Content-Security-Policy of a page's answer; `hono/secure-headers` sets it. */
		secureHeadersNonce: string;
		/** For the log: `error` and the rule's code of an answer that is no success, nothing of the caller's. */
		refusal: { error: string; reason?: string };
	};
}
