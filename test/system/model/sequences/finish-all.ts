import type { Call } from "../document/calls.ts";
import type { Ledger } from "../document/ledger.ts";

/** Ends what the registry lets wait. */
export function finishAll({ codes }: Ledger): Call[] {
	const running = Object.keys(codes).filter((name) => codes[name]!.running);
	return running.map((code) => ({ kind: "finish", code }));
}
