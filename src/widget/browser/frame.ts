import { codeOfEnd } from "../../domain/onboarding-session.ts";
import { createCalls } from "./calls.ts";
import type { Context } from "./context.ts";
import { handOver } from "./hand-over.ts";
import { createLayout } from "./layout.ts";
import { PAGE_DATA_ID, type PageData } from "./page-data.ts";
import { embeddingPage, ownPage, tellRefused } from "./parent.ts";
import { reactTo } from "./refusals.ts";
import { getScreen } from "./screens/claim.ts";
import { handedOverScreen } from "./screens/done.ts";
import { formScreen, pinScreen } from "./screens/form.ts";
import { reviewScreen } from "./screens/review.ts";
import { signOnScreen } from "./screens/sign-on.ts";
import { againScreen, endScreen, lockScreen, overScreen } from "./screens/stopped.ts";
import type { Refusal, State, StepName } from "./state.ts";
import { isFormStep } from "./steps.ts";
import { watchEnd } from "./watch-end.ts";
import { createWords } from "./words.ts";

/* The page of a session, in a partner's page or of its own: from the token to the certificate. */

const page: PageData = JSON.parse(document.getElementById(PAGE_DATA_ID)!.textContent!);
start(page);

async function start({ session, refusal, locale, place, service }: PageData): Promise<void> {
	const words = createWords(locale, session?.partner.name ?? "");
	const layout = createLayout(document.querySelector("main")!, words, session?.partner ?? null, service);
	if (refusal) {
		if (place === "frame") tellRefused(refusal);
		return againScreen({ words, layout }, refusal, () => location.reload());
	}
	if (!session) return endScreen({ words, layout }, null);
	const parent = place === "frame" ? embeddingPage(session) : ownPage();
	parent.tell({ type: "onboarding.ready" });
	if (place === "frame") tellHeight((height) => parent.tell({ type: "onboarding.resize", height }));

	/** Null: the token is not this session's. */
	const ended = (reason: string | null) => {
		if (reason === "expired") parent.tell({ type: "onboarding.expired" });
		else {
			const code = reason === null ? "UNAUTHORIZED" : codeOfEnd(reason);
			parent.tell({ type: "onboarding.failed", code });
		}
		endScreen({ words, layout }, reason);
	};
	if (session.endReason !== null) return ended(session.endReason);

	/** Shows a final refusal; returns the step of one that can be corrected. */
	function stop(refusal: Refusal, again: () => void): StepName | "claim" | null {
		const reaction = reactTo(refusal, Date.now());
		if (reaction.kind === "ended") {
			ended(reaction.reason);
			return null;
		}
		parent.tell({ type: "onboarding.failed", code: refusal.code });
		if (reaction.kind === "step") return reaction.step;
		if (reaction.kind === "over") overScreen({ words, layout }, refusal.code);
		else if (reaction.kind === "locked") lockScreen({ words, layout }, reaction.until, again);
		else againScreen({ words, layout }, refusal.code, again);
		return null;
	}

	const token = await parent.token();
	if (token === "") return endScreen({ words, layout }, null);
	const calls = createCalls({ sessionId: session.id, token }, (online) =>
		layout.notice("offline", online ? null : [words.text("offline")]),
	);
	const opened = await calls.open();
	if ("refusal" in opened) return void stop(opened.refusal, () => location.reload());
	if (opened.data.begins) parent.tell({ type: "onboarding.started" });

	/** The step that is shown; null while none is. */
	let shown: StepName | null = null;

	const context: Context = {
		words,
		layout,
		calls,
		parent,
		place,
		hostedUrl: `/onboarding/${session.id}#${token}`,
		state: opened.data,
		pin: null,
		back: null,
		goTo(step, why) {
			if (shown === null) history.replaceState({ step, depth: history.state?.depth ?? 0 }, "");
			else if (step !== shown) history.pushState({ step, depth: (history.state?.depth ?? 0) + 1 }, "");
			show(step, why);
		},
		accept(state) {
			context.state = state;
			const isOpen = state.status === "open";
			if (!isOpen && !(state.claim && state.mode === "B2C")) {
				context.leaveSteps();
				handedOverScreen(context);
			} else if (!isBarred(() => location.reload())) {
				if (isOpen) return context.goTo(shownStepOf(state));
				context.leaveSteps();
				getScreen(context);
			}
		},
		leaveSteps() {
			shown = null;
		},
		async refuse(refusal, again) {
			const step = stop(refusal, again);
			if (step) await correct(step, refusal.code);
		},
	};

	function show(step: StepName, why?: string): void {
		const { steps } = context.state;
		const before = steps[steps.indexOf(step) - 1];
		const next = steps[steps.indexOf(step) + 1] ?? "review";
		// After one part was changed from the review, the later answers stand.
		const after = context.state.step === "review" && context.pin !== null ? "review" : next;
		const back = () => (history.state?.depth > 0 ? history.back() : before && show(before));
		context.back = before ? back : null;
		shown = step;
		if (isFormStep(step)) formScreen(context, step, after, why);
		else if (step === "pin") pinScreen(context, after, why);
		else if (step === "sign_on") signOnScreen(context, after, why);
		else reviewScreen(context, why);
		parent.tell({ type: "onboarding.step", name: step });
	}

	/** The PIN is not kept: a holder who comes back to the review enters it again. */
	function shownStepOf({ step }: State): StepName {
		return step === "review" && context.pin === null ? "pin" : step;
	}

	/**
	 * Reads what is left after a refusal. The configuration may have begun to ask for the step; one that it does not ask
	 * for is corrected at the RUT.
	 */
	async function correct(step: StepName | "claim", code: string): Promise<void> {
		const read = await calls.read();
		if ("refusal" in read) return void stop(read.refusal, () => location.reload());
		context.state = read.data;
		const isAsked = step !== "claim" && context.state.steps.includes(step);
		const why = words.refusal(
			step === "card" && !isAsked && code === "ID_CARD_MISMATCH" ? "CARD_NOT_IN_FORCE" : code,
		);
		if (isBarred(() => void correct(step, code), why)) return;
		if (step !== "claim") return context.goTo(isAsked ? step : "rut", why);
		context.pin = null;
		getScreen(context, why);
	}

	/** Says that no attempt is possible now, or ever again. @param why - what was refused last. @returns whether it is so */
	function isBarred(again: () => void, why?: string): boolean {
		const { status, attempts } = context.state;
		const { closed, locked_until } = attempts;
		if (!closed && locked_until === null) return false;
		context.leaveSteps();
		const isDownload = status === "emitted";
		const code = !closed ? "ATTEMPT_LIMIT_REACHED" : isDownload ? "ALREADY_ISSUED" : "LOCKED";
		parent.tell({ type: "onboarding.failed", code });
		if (closed) overScreen({ words, layout }, isDownload ? "DOWNLOAD_CLOSED" : code);
		else lockScreen({ words, layout }, Date.parse(locked_until!) - calls.skewMs(), again, why);
		return true;
	}

	addEventListener("popstate", ({ state }) => {
		const step = state?.step as StepName | undefined;
		if (shown !== null && step && context.state.steps.includes(step)) show(step);
	});
	watchEnd(context);
	if (place === "hosted") layout.offer(handOver(context));
	context.accept(opened.data);
}

/** Sets the frame's height to that of its content. */
function tellHeight(tell: (height: number) => void): void {
	let told = 0;
	new ResizeObserver(() => {
		const height = Math.ceil(document.body.getBoundingClientRect().height);
		if (height !== told) tell(height);
		told = height;
	}).observe(document.body);
}
