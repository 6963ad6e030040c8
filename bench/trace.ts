import type { Reply } from "./http.ts";
import type { BenchService } from "./service.ts";
import type { TracedCall } from "./service-times.ts";
import type { RoundTrip } from "./worker/round-trips.ts";
import { cpuOf } from "./workerd-process.ts";

/** Starts noting every round trip to D1; one call at a time from here on. */
export async function startRecording({ client }: BenchService): Promise<void> {
	await client.expect(200, { path: "/bench/record?on=1" });
}

export async function stopRecording({ client }: BenchService): Promise<void> {
	await client.expect(200, { path: "/bench/record?on=0" });
}

export async function takeRoundTrips({ client }: BenchService): Promise<RoundTrip[]> {
	return JSON.parse((await client.expect(200, { path: "/bench/round-trips" })).text);
}

/** One call alone, with its round trips up to its answer and workerd's CPU time. */
export async function traceCall(
	service: BenchService,
	act: () => Promise<Reply>,
): Promise<TracedCall & { reply: Reply }> {
	await takeRoundTrips(service);
	const { reply, cpuMs } = await withCpu(service, act);
	const trips = await takeRoundTrips(service);
	return { reply, ms: reply.ms, objectMs: reply.timing.object ?? 0, cpuMs, trips };
}

/** @returns NaN for the CPU time where /proc does not tell. */
export async function withCpu<T>(
	{ workerd }: BenchService,
	act: () => Promise<T>,
): Promise<{ reply: T; cpuMs: number }> {
	const before = workerd === null ? Number.NaN : await cpuOf(workerd);
	const reply = await act();
	const after = workerd === null ? Number.NaN : await cpuOf(workerd);
	return { reply, cpuMs: after - before };
}

/** Every partner may ask for as many certificates as the bench wants; counting them goes on. */
export async function liftEmissionLimit({ client }: BenchService): Promise<void> {
	await client.expect(200, { path: "/bench/lift-emissions" });
}
