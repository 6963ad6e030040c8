import type { Timing } from "./http.ts";
import { withCpuOf } from "./machine.ts";
import type { BenchService } from "./service.ts";
import type { RoundTrip } from "./worker/round-trips.ts";
import type { Waits } from "./worker/waits.ts";

/** One call and what it did. */
export interface TracedCall extends Timing {
	/** CPU of the whole workerd process. */
	cpuMs: number;
	trips: RoundTrip[];
}

/** Starts noting every round trip to D1; one call at a time from here on. */
export async function startRecording({ http }: BenchService): Promise<void> {
	await http.expect(200, { path: "/bench/record?on=1" });
}

export async function stopRecording({ http }: BenchService): Promise<void> {
	await http.expect(200, { path: "/bench/record?on=0" });
}

export async function takeRoundTrips({ http }: BenchService): Promise<RoundTrip[]> {
	return JSON.parse((await http.expect(200, { path: "/bench/round-trips" })).text);
}

/** Takes the waiting times of the watched parts of the service since the last taking. */
export async function takeWaits({ http }: BenchService): Promise<Waits> {
	return JSON.parse((await http.expect(200, { path: "/bench/waits" })).text);
}

/** One call alone, with its round trips up to its answer and workerd's CPU time. */
export async function traceCall(service: BenchService, act: () => Promise<Timing>): Promise<TracedCall> {
	await takeRoundTrips(service);
	const { result, cpuMs } = await withCpuOf(service.workerd, act);
	return { ms: result.ms, objectMs: result.objectMs, cpuMs, trips: await takeRoundTrips(service) };
}

/** Every partner may request as many certificates as the bench needs; counting them goes on. */
export async function liftEmissionLimit({ http }: BenchService): Promise<void> {
	await http.expect(200, { path: "/bench/lift-emissions" });
}
