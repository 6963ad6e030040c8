import type { SubmitAnswer, SubmitCall } from "./onboarding-rpc.ts";
import type { Replayable, RequestAnswer, RequestCall } from "./rpc.ts";

/* Types of the calls to a partner's object, as in rpc.ts. */

/** The calls that a partner's object takes. */
export interface PartnerCalls {
	/**
	 * Counts a certificate_request, or a submission of the widget. An admitted one goes on to its code's object; with
	 * neither it was malformed.
	 */
	admitEmission(request?: RequestCall, submission?: SubmitCall): Promise<EmissionAnswer>;
}

export interface EmissionAnswer {
	admitted: boolean;
	remaining: number;
	/** Milliseconds until one more is admitted than now. */
	resetMs: number;
	/** Answer to an admitted request. */
	reply?: HandedOn<RequestAnswer>;
	/** Answer to an admitted submission. */
	submitted?: HandedOn<SubmitAnswer>;
}

/** Answer of the code's object; `bug` when it threw. */
export type HandedOn<Answer> = Replayable<Answer> | "bug";
