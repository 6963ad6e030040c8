import type { ClaimDefect, Command, MOMENTS, RequestCommand, RequestDefect } from "./commands.ts";

export interface Emphasis {
	/** What every sequence begins with. */
	begins: readonly Command[];
	/** Shares of the commands beyond one each. */
	weights: Partial<Record<Command["do"], number>>;
	/** Of ten requests and claims, how many are wrong in some way, have an Idempotency-Key, are held. */
	defective: number;
	keyed: number;
	held: number;
	/** How many codes the sequence is mostly about. */
	codes: number;
	/** Whom requests are for: most often the code's own holder. */
	identities: readonly ("bound" | number)[];
	/** How values are written, and whose of them are the same: `style` of {@link RequestCommand}. */
	styles: readonly number[];
	/** How often a call is made in a row, each as likely. */
	requestTimes: readonly number[];
	claimTimes: readonly number[];
	requestDefects: readonly RequestDefect[];
	claimDefects: readonly ClaimDefect[];
	moments: readonly (typeof MOMENTS)[number][];
}
