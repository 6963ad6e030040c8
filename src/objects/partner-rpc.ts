import type { OnboardingAnswer, SubmitCall } from "./onboarding-rpc.ts";
import type { Replayable, RequestAnswer, RequestCall } from "./rpc.ts";

/* What crosses the call to a partner's object; as in rpc.ts. */

/** The calls that a partner's object takes. */
export interface PartnerCalls {
	/**
	 * Counts a certificate_request, or a submission of the widget. One that is admitted goes on to its code's object; without
	 * either it was badly shaped.
	 */
	admitEmission(request?: RequestCall, submission?: SubmitCall): Promise<EmissionAnswer>;
}

export interface EmissionAnswer {
	admitted: boolean;
	remaining: number;
	/** Until one more is admitted than now. */
	resetMs: number;
	/** To the request, where one was admitted. */
	reply?: HandedOn<RequestAnswer>;
	/** To the submission, where one was admitted. */
	submitted?: HandedOn<OnboardingAnswer>;
}

/** What the code's object answered; `bug` when it threw. */
export type HandedOn<Answer> = Replayable<Answer> | "bug";
