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
	/** Shows no step from here on, not even by the browser's back button. */
	leaveSteps(): void;
	/** The step before, as the browser's back button. Null on the first. */
	back: (() => void) | null;
	/** The service's new state, and its screen. */
	accept(state: State): void;
	/** Shows a refusal where it can be corrected. @param again - what the holder may repeat. */
	refuse(refusal: Refusal, again: () => void): Promise<void>;
}
