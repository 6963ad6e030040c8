import type { Bindings } from "../bindings.ts";
import type { KeyOwner } from "../db/api-keys.ts";
import type { PartnerDb } from "../db/query.ts";
import type { Platform } from "../platform.ts";
import type { Language } from "../texts/language.ts";

/** The owner of a key, and the database in which it lives. */
export interface CallingPartner extends KeyOwner {
	db: PartnerDb;
	/** Its database is being restored: it writes nothing. */
	isFrozen: boolean;
}

/** Variables of Hono's context during a call; the widget adds its session (`widget/require-session.ts`). */
export interface AppEnv {
	Bindings: Bindings;
	Variables: {
		requestId: string;
		language: Language;
		platform: Platform;
		/** The answer is a repetition of the first call's. */
		isReplayed: boolean;
		/** Owner of the call's key with its database; set by `authenticate`. */
		owner: CallingPartner;
		/** Recipient of the call's page (a browser by its cookie, an operator, '' for nobody), and the token of its forms. */
		shownTo: readonly [pages: string, who: string];
		csrf: string;
		/** Seed of the form that is being done, from which its secrets follow. */
		seed: string;
		/** The session of a partner's console, as it is stored. */
		sessionHash: string;
		/** A certificate_request that the partner's object was asked to count. */
		isCounted: boolean;
		/** Operator who calls; set by `authorizeOps`. */
		operator: { name: string; roles: ReadonlySet<string> };
		/** Nonce of the page's Content-Security-Policy; set by `hono/secure-headers`. */
		secureHeadersNonce: string;
		/** Logged for an answer that is no success: `error` and the rule's code, nothing that the caller sent. */
		refusal: { error: string; reason?: string };
	};
}
