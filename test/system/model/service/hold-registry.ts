import { vi } from "vitest";
import { UPSTREAM_TIMEOUT_MS } from "../../../../src/identity/call-upstream.ts";
import { CivilRegistrySandbox } from "../../../../src/sandbox/civil-registry-sandbox.ts";
import type { Answer } from "../../../support/service.ts";

/** A certificate_request that the registry lets wait. */
export interface HeldCall {
	/** Lets the registry answer, and gives the call's answer. */
	release(): Promise<Answer>;
}

/**
 * Sends a call whose question the registry does not answer yet; all later questions it does.
 * @returns the answer, when the call came to one without the registry.
 */
export async function sendHeld(send: () => Promise<Answer>): Promise<HeldCall | Answer> {
	const state: { asked: boolean; answer: Answer | null } = { asked: false, answer: null };
	const released = Promise.withResolvers<void>();
	const original = CivilRegistrySandbox.prototype.fetch;
	const spy = vi.spyOn(CivilRegistrySandbox.prototype, "fetch").mockImplementationOnce(async function (
		this: CivilRegistrySandbox,
		request,
	) {
		state.asked = true;
		await released.promise;
		return original.call(this, request);
	});
	const patience = waitAnHour();
	const answer = send().then((answered) => {
		state.answer = answered;
		return answered;
	});
	// Not vi.waitUntil: it moves a stopped clock on with every look.
	while (!state.asked && !state.answer) await new Promise((resolve) => setTimeout(resolve, 1));
	spy.mockRestore();
	patience.mockRestore();
	if (state.answer) return state.answer;
	return {
		release: () => {
			released.resolve();
			return answer;
		},
	};
}

/** The registry's deadline is one of real seconds, which a busy machine needs for a few calls; the model's clock stands. */
function waitAnHour() {
	const original = globalThis.setTimeout;
	return vi
		.spyOn(globalThis, "setTimeout")
		.mockImplementation(((act: () => void, ms?: number) =>
			original(act, ms === UPSTREAM_TIMEOUT_MS ? 3_600_000 : ms)) as typeof setTimeout);
}
