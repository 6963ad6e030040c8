import { mean, type Spread, spread } from "./statistics.ts";
import type { RoundTrip } from "./worker/round-trips.ts";

/** docs/figures/service-times.json: what a call costs, for whoever carries the figures further. Times in milliseconds. */
export interface ServiceTimes {
	at: string;
	machine: string;
	/** Codes in the register while it was measured, one partner's. */
	codes: number;
	notes: Record<string, string>;
	calls: Record<"status" | "list" | "listFiltered" | "bulk" | "request" | "claim", CallTimes>;
	/** Growth of the database file, octets. */
	bytesPerCode: number;
	bytesPerCertificate: number;
}

export interface CallTimes {
	samples: number;
	/** HTTP to HTTP. */
	total: Spread;
	d1: {
		/** Dependent round trips of a call. */
		roundTrips: number;
		/** One round trip, seen from the Worker or the object. */
		ms: Spread;
		/** All round trips of a call. */
		msPerCall: Spread;
		/** What SQLite ran for a call: while it runs, the database serves nobody else. */
		sqlMs: Spread;
		/** The same by round trip, in order. */
		sqlMsByTrip: Spread[];
		rowsRead: number;
		rowsWritten: number;
	};
	/** Seen from the Worker, D1's share included; 0 without an object. */
	objectMs: number;
	/** Of the whole workerd process, D1's SQLite and the upstream's stand-in included. */
	cpuMs: number;
}

export const NOTES = {
	clock:
		"workerd's clock is one of whole milliseconds: inside, means are right and percentiles are coarse; total is node's",
	"d1.ms": "one round trip, measured around it inside the Worker or the object; local D1, no network",
	"d1.sqlMs": "meta.duration summed over the statements of a call: how long the database is taken",
	objectMs: "from Server-Timing: partner's and code's object together, their round trips to D1 included",
	cpuMs: "schedstat of the workerd process: Worker, objects, SQLite and sandbox together",
	list: "page 1, 50 codes, no filter; listFiltered: by status and reference",
	bulk: "500 codes",
	claim: "RSA-2048, key search included",
};

/** One call and what it did. */
export interface TracedCall {
	ms: number;
	objectMs: number;
	cpuMs: number;
	trips: RoundTrip[];
}

export function summarise(calls: readonly TracedCall[]): CallTimes {
	const perCall = (of: (trip: RoundTrip) => number) =>
		calls.map(({ trips }) => trips.reduce((sum, trip) => sum + of(trip), 0));
	const roundTrips = Math.round(mean(calls.map(({ trips }) => trips.length)));
	const regular = calls.filter(({ trips }) => trips.length === roundTrips);
	const tenths = (values: number[]) => Math.round(mean(values) * 100) / 100;
	return {
		samples: calls.length,
		total: spread(calls.map(({ ms }) => ms)),
		d1: {
			roundTrips,
			ms: spread(calls.flatMap(({ trips }) => trips.map(({ ms }) => ms))),
			msPerCall: spread(perCall(({ ms }) => ms)),
			sqlMs: spread(perCall(({ sqlMs }) => sqlMs)),
			sqlMsByTrip: Array.from({ length: roundTrips }, (_, i) =>
				spread(regular.map(({ trips }) => trips[i]!.sqlMs)),
			),
			rowsRead: tenths(perCall(({ rowsRead }) => rowsRead)),
			rowsWritten: tenths(perCall(({ rowsWritten }) => rowsWritten)),
		},
		objectMs: tenths(calls.map(({ objectMs }) => objectMs)),
		cpuMs: tenths(calls.map(({ cpuMs }) => cpuMs)),
	};
}
