import type { Context } from "../context.ts";
import { h } from "../dom.ts";

/** Time until the state of a running step is asked again. */
export const LOOK_AGAIN_MS = 3_000;

/** The validation and, where this session has it, the issue. @param running - the present one of the two. */
export function workingScreen(context: Context, running: "check" | "issue"): void {
	const { words, layout, state } = context;
	context.leaveSteps();
	const issuesHere = state.mode === "B2B" || state.claim;
	const checking = running === "check";
	layout.show({
		title: words.text("workTitle"),
		content: [
			h("p", { role: "status" }, words.text("workIntro")),
			h(
				"ol",
				{ class: "work" },
				part("workCheck", checking ? "now" : "past"),
				issuesHere && part("workIssue", checking ? "" : "now"),
			),
		],
	});

	function part(text: "workCheck" | "workIssue", when: "past" | "now" | ""): HTMLElement {
		const said = when && words.text(when === "past" ? "workDone" : "workNow");
		return h("li", { class: when }, words.text(text), said && h("span", { class: "unseen" }, `: ${said}`));
	}
}

export function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
