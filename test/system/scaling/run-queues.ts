import { EventQueue } from "./event-queue.ts";
import type { Random } from "./random.ts";

/** One of the dependent round trips of a call. */
export interface Trip {
	/** `own`: the partner's database; `directory`: the partner's part of it; both of a key only when its cache missed. */
	to: "own" | "directory" | "own-if-missed";
	/** How long the database is busy with it, milliseconds. */
	service(random: Random): number;
	/** What lies between the answer before it, or the call's arrival, and its own arrival, milliseconds. */
	before(random: Random): number;
}

/** Calls in the order of their arrival. */
export interface Arrivals {
	/** Milliseconds. */
	at: Float64Array;
	kind: Uint8Array;
	partner: Uint32Array;
	/** 1: the isolate that takes the call has no fresh placement of the partner's key. */
	missed: Uint8Array;
}

export interface QueueRun {
	/** Milliseconds that each database was busy; the parts of the directory are the last. */
	busy: Float64Array;
	/** Until when each database worked. */
	freeAt: Float64Array;
}

const MAX_TRIPS = 64;

/** Databases that the directory is parted in, by the key's hash. */
const DIRECTORY_PARTS = 4;

/**
 * Runs calls through databases that take one query at a time, first come, first served.
 * @param trips - of each kind of call.
 * @param database - of each partner.
 * @param waited - told of each call when its last answer has come: its kind, its database, and the milliseconds that
 * it stood in queues.
 */
export function runQueues(
	arrivals: Arrivals,
	{
		trips,
		database,
		databases,
		random,
	}: { trips: readonly (readonly Trip[])[]; database: ArrayLike<number>; databases: number; random: Random },
	waited: (kind: number, database: number, ms: number) => void,
): QueueRun {
	const queue = new EventQueue();
	const freeAt = new Float64Array(databases + DIRECTORY_PARTS);
	const busy = new Float64Array(databases + DIRECTORY_PARTS);
	const waits = new Float64Array(arrivals.at.length);
	const visit = (call: number, first: number, now: number) => {
		const own = trips[arrivals.kind[call]!]!;
		const missed = arrivals.missed[call] === 1;
		let n = first;
		while (n < own.length && own[n]!.to !== "own" && !missed) n++;
		const trip = own[n];
		if (!trip) return waited(arrivals.kind[call]!, database[arrivals.partner[call]!]!, waits[call]!);
		queue.push(now + trip.before(random), call * MAX_TRIPS + n);
	};
	for (let next = 0; next < arrivals.at.length || queue.size > 0; ) {
		const now = queue.nextAt;
		if (next < arrivals.at.length && arrivals.at[next]! <= now) {
			visit(next, 0, arrivals.at[next]!);
			next++;
			continue;
		}
		const event = queue.pop();
		const call = Math.floor(event / MAX_TRIPS);
		const n = event % MAX_TRIPS;
		const trip = trips[arrivals.kind[call]!]![n]!;
		const partner = arrivals.partner[call]!;
		const server = trip.to === "directory" ? databases + (partner % DIRECTORY_PARTS) : database[partner]!;
		const start = Math.max(now, freeAt[server]!);
		const service = trip.service(random);
		waits[call]! += start - now;
		busy[server]! += service;
		freeAt[server] = start + service;
		visit(call, n + 1, start + service);
	}
	return { busy, freeAt };
}
