import type { OnboardingAnswers } from "../domain/onboarding.ts";
import { changeProgress } from "./onboarding-progress.ts";
import type { AnswersCall, OnboardingAnswer } from "./onboarding-rpc.ts";
import { enter, gone, viewOf } from "./onboarding-view.ts";
import { rejected } from "./rpc.ts";
import type { StepContext } from "./use-case.ts";

/** Saves what the holder has typed on a screen. A sign-on belongs to the RUT that it was begun for. */
export async function saveAnswers(context: StepContext<AnswersCall>): Promise<OnboardingAnswer> {
	const { call } = context;
	const entered = await enter(context, call.answers.rut ?? undefined);
	if (entered.kind === "refused") return rejected(entered.rejection);
	const { live } = entered;
	const progress = await changeProgress(context, live.session, (before) => {
		// Validated answers are not replaced: the claim needs them unchanged.
		const answers = live.session.validatedAt === null ? merge(before.answers, call.answers) : before.answers;
		return {
			...before,
			answers,
			screen: call.screen ?? before.screen,
			signOn: answers.rut === before.answers.rut ? before.signOn : null,
		};
	});
	return progress === null ? gone(context) : viewOf(live, progress);
}

function merge(before: OnboardingAnswers, sent: AnswersCall["answers"]): OnboardingAnswers {
	const given = Object.entries(sent).filter(([, value]) => value !== undefined);
	const merged = { ...before, ...Object.fromEntries(given) };
	return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
