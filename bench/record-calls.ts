import { randomBytes, randomUUID } from "node:crypto";
import { CODE_BYTES, formatCode } from "../src/domain/code-form.ts";
import type { BenchPartner } from "./partner.ts";
import type { BenchService } from "./service.ts";
import { startRecording, stopRecording, takeRoundTrips } from "./trace.ts";
import type { BareCall, Recording } from "./worker/bare-calls.ts";
import type { RoundTrip } from "./worker/round-trips.ts";

/* Records a call once as the bare call of worker/bare-calls.ts, to be sent again for other codes. */

/** Longest time that the work after an answer may take. */
const AFTERWARDS_MS = 300;

export type Shape = Omit<Recording, "trips">;

export const READING: Shape = {
	awaited: 1,
	viaObjects: false,
	registryAfter: -1,
	webhook: null,
	syncs: false,
	countsEmission: false,
};
export const CLAIMING: Shape = { ...READING, awaited: 2, viaObjects: true, syncs: true };
export const REQUESTING: Shape = {
	...READING,
	awaited: 3,
	viaObjects: true,
	registryAfter: 1,
	countsEmission: true,
};

/** Makes one real call and leaves its round trips with the Worker, under its name. @returns them */
export async function recordCall(
	service: BenchService,
	name: string,
	shape: Shape,
	act: () => Promise<unknown>,
): Promise<RoundTrip[]> {
	await startRecording(service);
	await act();
	await new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS));
	const trips = await takeRoundTrips(service);
	await stopRecording(service);
	if (trips.length < shape.awaited) throw new Error(`${name}: ${trips.length} round trips`);
	const recording: Recording = { ...shape, trips };
	await service.http.expect(200, {
		method: "POST",
		path: `/bench/keep-recording?call=${name}`,
		body: recording,
	});
	return trips;
}

/** The bare call for another code, with values of its own wherever a row must be new. */
export function bareFor(
	partner: BenchPartner,
	trips: readonly RoundTrip[],
	recorded: string,
	code: string,
): BareCall {
	const replace: BareCall["replace"] = [
		[recorded, code],
		[`code:${recorded}`, `code:${code}`],
	];
	for (const { sql, params } of trips.flatMap(({ statements }) => statements)) {
		for (const value of params) {
			if (typeof value !== "string") continue;
			if (/"outbox"/.test(sql) && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value))
				replace.push([value, randomUUID()]);
			if (/^[0-9A-F]{32}$/.test(value)) replace.push([value, `4${randomBytes(16).toString("hex").slice(1)}`]);
		}
	}
	return { partner: partner.id, code, replace: unique(replace) };
}

/** The bare bulk: another batch of as many codes. */
export function bareBulk(partner: BenchPartner, trips: readonly RoundTrip[], quantity: number): BareCall {
	const values = new Set(trips.flatMap(({ statements }) => statements.flatMap(({ params }) => params)));
	const strings = [...values].filter((value) => typeof value === "string");
	const batch = strings.find((value) => value.startsWith("bt_"))!;
	const codes = strings.find((value) => value.startsWith('["'))!;
	const id = `bt_${randomUUID().replaceAll("-", "")}`;
	const fresh = Array.from({ length: quantity }, () => formatCode(randomBytes(CODE_BYTES)));
	return {
		partner: partner.id,
		code: "",
		replace: [
			[batch, id],
			[`batch:${batch}`, `batch:${id}`],
			[codes, JSON.stringify(fresh.toSorted().reverse())],
		],
	};
}

/** The first replacement of a value counts, everywhere. */
function unique(replace: BareCall["replace"]): BareCall["replace"] {
	return [...new Map(replace.toReversed())];
}
