import type { ClaimDefect, Command, MOMENTS, RequestCommand, RequestDefect } from "./commands.ts";

export interface Emphasis {
	/** First commands of every sequence. */
	begins: readonly Command[];
	/** Shares of the commands beyond one each. */
	weights: Partial<Record<Command["do"], number>>;
	/** Number, of ten requests and claims, that are wrong in some way, have an Idempotency-Key, are held. */
	defective: number;
	keyed: number;
	held: number;
	/** Number of codes that the sequence is mostly about. */
	codes: number;
	/** Whom requests are for: most often the code's own holder. */
	identities: readonly ("bound" | number)[];
	/** Spelling and repetition of values: `style` of {@link RequestCommand}. */
	styles: readonly number[];
	/** Possible numbers of calls in a row, each as likely. */
	requestTimes: readonly number[];
	claimTimes: readonly number[];
	requestDefects: readonly RequestDefect[];
	claimDefects: readonly ClaimDefect[];
	moments: readonly (typeof MOMENTS)[number][];
}
