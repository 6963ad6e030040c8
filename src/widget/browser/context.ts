import type { Calls } from "./calls.ts";
import type { Layout } from "./layout.ts";
import type { Parent } from "./parent.ts";
import type { Refusal, State, StepName } from "./state.ts";
import type { Words } from "./words.ts";

/** Context of the screens. */
export interface Context {
	readonly words: Words;
	readonly layout: Layout;
	readonly calls: Calls;
	readonly parent: Parent;
	readonly place: "frame" | "hosted";
	/** The page of its own of this session, with the token in the fragment. */
	readonly hostedUrl: string;
	/** Latest state from the service. */
	state: State;
	/** Kept in memory only; null after a reload. */
	pin: string | null;
	/** @param why - what was refused about it. */
	goTo(step: StepName, why?: string): void;
	/** No step is shown from here on, and the browser's back button shows none. */
	leaveSteps(): void;
	/** The step before, as the browser's back button. Null on the first. */
	back: (() => void) | null;
	/** The service's new state, and its screen. */
	accept(state: State): void;
	/** A refusal: says it where it can be mended. @param again - what the holder may repeat. */
	refuse(refusal: Refusal, again: () => void): Promise<void>;
}
