import { EMISSION_LIMIT, EMISSION_WINDOW_MS } from "./limits.ts";

export interface EmissionDecision {
	admitted: boolean;
	/** Admission times inside the window, oldest first: what to store. */
	times: readonly number[];
	/** Requests still admitted in this window. */
	remaining: number;
	/** Milliseconds until one more is admitted than now. */
	resetMs: number;
}

/**
 * Sliding log: never more than ten admissions in any 60 s; a refusal does not count (§8).
 * @param times - admission times, epoch milliseconds, oldest first.
 */
export function admitEmission(times: readonly number[], now: number): EmissionDecision {
	const recent = times.filter((time) => time > now - EMISSION_WINDOW_MS);
	const admitted = recent.length < EMISSION_LIMIT;
	const kept = admitted ? [...recent, now] : recent;
	return {
		admitted,
		times: kept,
		remaining: EMISSION_LIMIT - kept.length,
		resetMs: kept[0]! + EMISSION_WINDOW_MS - now,
	};
}

/** Takes back an admission whose call turned out to ask for nothing. @param time - when it was admitted. */
export function giveBack(times: readonly number[], time: number): readonly number[] {
	const at = times.indexOf(time);
	return times.filter((_, i) => i !== at);
}
