/*
 * Watches every round trip to D1, from the Worker and from its objects alike: each passes one method of the runtime's
 * own session class, which is replaced in this isolate. One call at a time, as in watch.ts.
 */

interface StatementRun {
	sql: string;
	params: unknown[];
}

export interface RoundTrip {
	/** Time from sending to the answer's arrival, milliseconds. */
	ms: number;
	/** Part in which SQLite ran all statements, by D1's account: meanwhile nobody else's query runs. */
	sqlMs: number;
	rowsRead: number;
	rowsWritten: number;
	/** Bytes of the database after it. */
	sizeAfter: number;
	/** Sent by `batch`, as one transaction. */
	isBatch: boolean;
	statements: StatementRun[];
}

interface D1Answer {
	meta: { duration: number; rows_read: number; rows_written: number; size_after: number };
}

type Send = (
	this: unknown,
	endpoint: string,
	sql: string | string[],
	params: unknown[],
	...rest: unknown[]
) => Promise<D1Answer | D1Answer[]>;

const METHOD = "_sendOrThrow";
const state: { trips: RoundTrip[]; recording: boolean; installed: boolean } = {
	trips: [],
	recording: false,
	installed: false,
};

/** Starts and stops noting round trips. Until the first start the runtime's own method stays in its place. */
export function recordRoundTrips(db: D1Database, on: boolean): void {
	state.recording = on;
	if (state.installed || !on) return;
	const { dbSession } = db.prepare("SELECT 1") as unknown as { dbSession: object };
	const prototype = Object.getPrototypeOf(dbSession) as Record<typeof METHOD, Send>;
	const send = prototype[METHOD];
	if (typeof send !== "function") throw new Error("this workerd sends to D1 by another way");
	prototype[METHOD] = async function (endpoint, sql, params, ...rest) {
		if (!state.recording) return send.call(this, endpoint, sql, params, ...rest);
		const started = performance.now();
		const answer = await send.call(this, endpoint, sql, params, ...rest);
		note(performance.now() - started, sql, params, [answer].flat());
		return answer;
	};
	state.installed = true;
}

function note(ms: number, sql: string | string[], params: unknown[], answers: D1Answer[]): void {
	const isBatch = Array.isArray(sql);
	const sum = (of: (meta: D1Answer["meta"]) => number) =>
		answers.reduce((all, { meta }) => all + of(meta), 0);
	state.trips.push({
		ms,
		sqlMs: sum((meta) => meta.duration),
		rowsRead: sum((meta) => meta.rows_read),
		rowsWritten: sum((meta) => meta.rows_written),
		sizeAfter: Math.max(...answers.map(({ meta }) => meta.size_after)),
		isBatch,
		statements: isBatch
			? sql.map((text, i) => ({ sql: text, params: params[i] as unknown[] }))
			: [{ sql, params }],
	});
}

/** The round trips since the last taking, in the order in which they were answered. */
export function takeRoundTrips(): RoundTrip[] {
	const { trips } = state;
	state.trips = [];
	return trips;
}
