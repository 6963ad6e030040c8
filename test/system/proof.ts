/** What one instrument found. */
export interface Outcome {
	/** What was done and counted, by name: kills, calls, sequences, seeds. */
	figures: Record<string, number | string>;
	/** A line for each promise found broken; the proof holds when there is none. */
	violations: string[];
}

/** @param args - what stood behind the part's name on the command line. */
export type Proof = (args: string[]) => Promise<Outcome>;
