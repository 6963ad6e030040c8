import type { Context } from "../context.ts";
import type { Outcome } from "../outcome.ts";
import type { State } from "../state.ts";
import { obtain } from "./claim.ts";
import { LOOK_AGAIN_MS, pause, workingScreen } from "./working.ts";

/** Sends the request with the PIN in memory, then continues as the service's state says. */
export async function validate(context: Context): Promise<void> {
	const { calls, parent, state, pin } = context;
	workingScreen(context, "check");
	const outcome = await settled(context, await calls.submit(pin!, state.terms.version));
	if ("refusal" in outcome) return context.refuse(outcome.refusal, () => void validate(context));
	context.state = outcome.data;
	const { status, claim } = outcome.data;
	if (status !== "open") parent.tell({ type: "onboarding.validated" });
	// Issued already: another tab was faster, or the answer was lost and read from the state.
	if (status !== "open" && claim) return obtain(context);
	if (status === "emitted") parent.tell({ type: "onboarding.emitted" });
	context.accept(outcome.data);
}

/**
 * Reads the outcome from the service's state when no answer came or another run of the code goes on: sending again
 * blindly could spend another attempt.
 */
async function settled({ calls }: Context, sent: Outcome<State>): Promise<Outcome<State>> {
	if (!("refusal" in sent)) return sent;
	const { code } = sent.refusal;
	if (code !== "CONNECTION_LOST" && code !== "OTHER_VALIDATION_IN_PROGRESS") return sent;
	await pause(LOOK_AGAIN_MS);
	const read = await calls.read();
	return "data" in read && read.data.status === "open" ? sent : read;
}
