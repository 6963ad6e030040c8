import { env } from "cloudflare:workers";
import { readSettings } from "./settings.ts";
import type { Arming, Note, Step } from "./steps.ts";

/*
 * The Worker's side of a kill. Notes go to the log and not through fetch: what leaves an object by fetch waits until
 * its writes are durable, which would hide a write that is not.
 */

const { arming } = readSettings((env as unknown as { PROOF_SETTINGS: string }).PROOF_SETTINGS);
let armed: Arming = arming ?? { step: null, nth: 0, manner: "held" };

export function arm(arming: Arming): void {
	armed = { ...arming };
}

/** @param fact - ids and statuses only: the log is searched for secrets. */
export function report(fact: Note): void {
	console.log(JSON.stringify(fact));
}

/** A step that is passed within a turn. */
export function pass(step: Step): void {
	if (!isHere(step)) return;
	report({ proof: "reached", step });
	if (armed.manner === "frozen") freeze();
}

/** A step at which a call may also be held while the others go on. */
export async function passOrHold(step: Step): Promise<void> {
	if (!isHere(step)) return;
	report({ proof: "reached", step });
	if (armed.manner === "frozen") freeze();
	if (armed.manner === "held") await forever();
}

function isHere(step: Step): boolean {
	return armed.step === step && --armed.nth === 0;
}

/** Blocks until the kill: no other code of this process runs, and nothing that was written is flushed. */
function freeze(): never {
	for (;;);
}

/** Uses a timer because the runtime gives up a call that can never finish. */
function forever(): Promise<never> {
	return new Promise(() => setInterval(() => undefined, 60_000));
}
