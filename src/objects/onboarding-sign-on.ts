import { utf8ToBytes } from "@noble/hashes/utils.js";
import { screensOf } from "../domain/onboarding.ts";
import type { SignOnAnswer } from "../identity/ports.ts";
import { log } from "../telemetry/log.ts";
import { timed } from "../telemetry/timings.ts";
import { changeProgress, type Progress, readProgress, type SignOn } from "./onboarding-progress.ts";
import type { OnboardingCall, SignOnBegun, SignOnEnd, SignOnEnded, SignOnReturn } from "./onboarding-rpc.ts";
import { enter, gone, look } from "./onboarding-view.ts";
import { type Rejected, rejected } from "./rpc.ts";
import type { StepContext } from "./use-case.ts";

/*
 * The holder's single sign-on in a window of its own. The latest begin counts; one state has one try.
 * docs/decisions/0012-sign-on-window.md says who may finish a sign-on.
 */

/** Begins a sign-on for the RUT that was typed. */
export async function beginSignOn(context: StepContext<OnboardingCall>): Promise<SignOnBegun | Rejected> {
	const entered = await enter(context);
	if (entered.kind === "refused") return rejected(entered.rejection);
	const { session, partner } = entered.live;
	if (!screensOf(partner).includes("sign_on") || session.validatedAt !== null)
		return rejected({ reason: "not_found" });
	const bytes = crypto.getRandomValues(new Uint8Array(32));
	const random = bytes.toBase64({ alphabet: "base64url", omitPadding: true });
	const { query, secrets } = await context.platform.singleSignOn.begin(`${session.id}.${random}`);
	const begun = await changeProgress(context, session, (before) => ({
		...before,
		signOn: { state: "pending", attempt: { random, secrets } },
	}));
	if (begun === null) return gone(context);
	return { kind: "sign_on_begun", query };
}

/** Handles the browser's return from the provider; stores nothing that does not match the sign-on that was begun. */
export async function finishSignOn(context: StepContext<SignOnReturn>): Promise<SignOnEnded | Rejected> {
	const { call, platform } = context;
	const entered = await look(context);
	if (entered.kind === "refused") return rejected(entered.rejection);
	const { session } = entered.live;
	const attempt = await takeAttempt(context, session);
	if (!attempt) return { kind: "sign_on_ended", end: "refused" };
	const state = `${session.id}.${attempt.random}`;
	const { authorizationCode: code, error } = call;
	const answer: SignOnAnswer | null =
		code === null
			? null
			: await timed("sso", () => platform.singleSignOn.finish(code, state, attempt.secrets));
	let end: SignOnEnded["end"] = "refused";
	const finished = await changeProgress(context, session, (before) => {
		// A newer one was begun meanwhile.
		if (before.signOn?.attempt) return before;
		const judged = error === "access_denied" ? "cancelled" : judge(answer, before);
		end = judged;
		return { ...before, signOn: outcomeOf(judged, answer, platform.clock()) };
	});
	if (finished === null) return gone(context);
	if ((end as SignOnEnded["end"]) === "unavailable") {
		const detail = answer === null ? `error ${error}` : "detail" in answer ? answer.detail : answer.kind;
		log("warn", "upstream_unavailable", { request_id: call.requestId, upstream: "single_sign_on", detail });
	}
	return { kind: "sign_on_ended", end };
}

type Attempt = NonNullable<SignOn["attempt"]>;

/** Takes the attempt of this call, so that no other call can. */
async function takeAttempt(
	context: StepContext<SignOnReturn>,
	session: { id: string; until: number },
): Promise<Attempt | null> {
	const own = ({ signOn }: Progress) => {
		const attempt = signOn?.attempt;
		return attempt && isSame(attempt.random, context.call.random) ? attempt : null;
	};
	// A stranger's call costs a read and no write.
	if (!own(await readProgress(context, session.id))) return null;
	let taken: Attempt | null = null;
	await changeProgress(context, session, (before) => {
		taken = own(before);
		return taken ? { ...before, signOn: { state: "pending" } } : before;
	});
	return taken;
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
	const [a, b] = [utf8ToBytes(one), utf8ToBytes(other)];
	return a.length === b.length && crypto.subtle.timingSafeEqual(a, b);
}

function judge(answer: SignOnAnswer | null, { answers }: Progress): SignOnEnd {
	if (answer?.kind !== "verified") return "unavailable";
	return answer.rut === answers.rut ? "verified" : "other_person";
}

function outcomeOf(end: SignOnEnd, answer: SignOnAnswer | null, now: number): SignOn {
	if (end !== "verified" || answer?.kind !== "verified") return { state: end };
	const { credential, validForMs } = answer;
	return { state: end, credential, ...(validForMs !== null && { until: now + validForMs }) };
}
