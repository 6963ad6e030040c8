import type { Bindings } from "../config.ts";
import type { KeyOwner } from "../db/api-keys.ts";
import type { Platform } from "../platform.ts";
import type { Language } from "../texts/language.ts";
import type { ErrorCode } from "./error-codes.ts";

/** What Hono's context carries through a call. */
export interface AppEnv {
	Bindings: Bindings;
	Variables: {
		requestId: string;
		language: Language;
		platform: Platform;
		/** Whose key the call came with; set behind `authenticate`. */
		owner: KeyOwner;
		/** What the call was refused for, for the log: codes of ours, nothing of the caller's. */
		refusal: { error: ErrorCode; reason?: string };
	};
}
