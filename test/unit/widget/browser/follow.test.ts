import { expect, test } from "vitest";
import { follow } from "../../../../src/widget/browser/follow.ts";
import type { Outcome } from "../../../../src/widget/browser/outcome.ts";
import type { State, StepName } from "../../../../src/widget/browser/state.ts";

const state = (step: StepName, status: State["status"] = "open") => ({ step, status }) as State;
const refused = (status: number, retryAfterMs = 0) => ({ refusal: { status, code: "X", retryAfterMs } });

/** Follows these answers of the service. @param own - new state of this page while the nth of them is awaited */
async function followed(answers: (State | ReturnType<typeof refused>)[], own: Record<number, State> = {}) {
	const pauses: number[] = [];
	const shown: string[] = [];
	let asked = 0;
	const context = {
		state: state("rut"),
		accept(next: State) {
			context.state = next;
			shown.push(next.step);
		},
		calls: {
			async read(): Promise<Outcome<State>> {
				const answer = answers[asked++]!;
				context.state = own[asked] ?? context.state;
				return "refusal" in answer ? answer : { data: answer };
			},
		},
	};
	await follow(
		context,
		() => asked < answers.length,
		async (ms) => void pauses.push(ms),
	);
	return { asked, pauses, shown };
}

test("another device is followed from step to step until the certificate is issued", async () => {
	const answers = [state("rut"), state("email"), state("email", "emitted"), state("pin"), state("pin")];
	expect(await followed(answers)).toEqual({
		asked: 3,
		pauses: [4000, 4000, 4000],
		shown: ["email", "email"],
	});
});

test("an answer that was asked for before this page went on does not take it back", async () => {
	const answers = [state("rut"), state("pin"), state("rut"), state("review"), state("review")];
	const { shown } = await followed(answers, { 1: state("card"), 2: state("email") });
	expect(shown).toEqual(["rut", "review"]);
});

test("a rate limit or a store that fails delays it by Retry-After; a refused session ends it", async () => {
	const answers = [
		refused(429, 30_000),
		refused(503),
		state("card"),
		refused(401),
		state("pin"),
		state("pin"),
	];
	expect(await followed(answers)).toEqual({ asked: 4, pauses: [4000, 30_000, 4000, 4000], shown: ["card"] });
});
