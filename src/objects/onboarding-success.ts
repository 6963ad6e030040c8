import { noteSuccess } from "../db/onboarding-sessions.ts";
import type { Statement } from "../db/query.ts";
import { SESSION_IDLE_MS } from "../domain/limits.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import type { PartnerEvent } from "./commit.ts";
import { prolongProgress } from "./onboarding-progress.ts";
import type { Onboarding } from "./rpc.ts";
import type { Step } from "./use-case.ts";

/**
 * Adds the success of a session's own step to the code's commit: the session's row, and `onboarding.completed` when
 * nothing is left to do.
 * @param emitted - the commit issues the certificate.
 */
export function noteOnboarding(
	{ call, db, storage }: Step,
	onboarding: Onboarding | undefined,
	{ settings, emitted, now }: { settings: PartnerSettings; emitted: boolean; now: number },
): { alongside: Statement[]; events: PartnerEvent[] } {
	if (!onboarding) return { alongside: [], events: [] };
	const { partnerId } = call;
	const { session, reference } = onboarding;
	const completes = emitted || !(onboarding.claim && settings.mode === "B2C");
	const noted = noteSuccess(db, { session, partnerId }, { completes, now });
	prolongProgress(storage, { id: session, until: now + SESSION_IDLE_MS });
	if (!completes) return { alongside: [noted], events: [] };
	const data = { session_id: session, status: emitted ? "EMITTED" : "VALIDATED" };
	return { alongside: [noted], events: [{ type: "onboarding.completed", data, reference }] };
}
