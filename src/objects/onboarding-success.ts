import { noteSuccess } from "../db/onboarding-sessions.ts";
import type { Statement } from "../db/query.ts";
import { createEventDelivery } from "../delivery/outbox.ts";
import { enqueue } from "../delivery/queue.ts";
import { SESSION_STEP_MS } from "../domain/limits.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import { subscribes } from "../domain/webhook-events.ts";
import { prolongProgress } from "./onboarding-progress.ts";
import type { Onboarding } from "./rpc.ts";
import type { Step } from "./step.ts";

/**
 * What the success of a session's own step adds to the code's commit: the session knows of it, and `onboarding.completed`
 * when nothing is left to do.
 * @param emitted - the commit issues the certificate.
 */
export async function noteOnboarding(
	{ call, platform, storage, later }: Step,
	onboarding: Onboarding | undefined,
	{ settings, emitted, now }: { settings: PartnerSettings; emitted: boolean; now: number },
): Promise<{ alongside: Statement[]; announce: () => void }> {
	if (!onboarding) return { alongside: [], announce: () => undefined };
	const { partnerId, code } = call;
	const { session, reference } = onboarding;
	const completes = emitted || !(onboarding.claim && settings.mode === "B2C");
	const noted = noteSuccess(platform.db, { session, partnerId }, { completes, now });
	prolongProgress(storage, { id: session, until: now + SESSION_STEP_MS });
	if (!completes) return { alongside: [noted], announce: () => undefined };
	const data = { session_id: session, status: emitted ? "EMITTED" : "VALIDATED" };
	const of = { partnerId, code, reference, data, now };
	const { id, statement } = await createEventDelivery(platform, "onboarding.completed", of);
	return {
		alongside: [noted, statement],
		announce: () => {
			if (settings.webhookUrl !== null && subscribes(settings.webhookEvents, "onboarding.completed"))
				later(enqueue(platform, [{ id, at: now }]));
		},
	};
}
