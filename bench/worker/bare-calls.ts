import type { Bindings } from "../../src/bindings.ts";
import type { RoundTrip } from "./round-trips.ts";

/*
 * The API's calls with nothing left of them but their remote steps: the statements that a real call sent, recorded and
 * sent again with another code's values, in the same batches one after the other, from the same place (the Worker, or
 * an object it calls), with the same storage writes and the same requests to the upstream. No router, no key, no
 * validation, no decision, no cryptography, no log.
 */

/** Work of a recorded call between its round trips. */
export interface Recording {
	trips: Pick<RoundTrip, "isBatch" | "statements">[];
	/** Number of trips that the answer waits for; the others follow it. */
	awaited: number;
	/** The call asks the code's object. */
	viaObjects: boolean;
	/** Index of the trip after which the registry is asked, -1 for never. */
	registryAfter: number;
	/** Address of the first delivery before the answer, and its size. */
	webhook: { url: string; bytes: number } | null;
	/** The step waits for its lease to be on disk: a certificate is issued. */
	syncs: boolean;
	/** The Worker calls the partner's object, which calls the code's. */
	countsEmission: boolean;
}

/** One bare call: which values take the place of the recorded ones. */
export interface BareCall {
	partner: string;
	code: string;
	replace: [from: string, to: string][];
}

/** Methods of the bench's objects for bare calls. */
export interface BareObject {
	runBare(call: string, bare: BareCall): Promise<number>;
}
export interface BareCounter {
	countBare(call: string, bare: BareCall): Promise<number>;
}

const recordings = new Map<string, Recording>();

export function keepRecording(call: string, recording: unknown): void {
	recordings.set(call, recording as Recording);
}

/** Answers as large as the call's own are not made: JSON of one number. */
export async function replayCall(
	env: Bindings,
	call: string,
	bare: BareCall,
	later: (work: Promise<unknown>) => void,
): Promise<Response> {
	const recording = recordings.get(call);
	if (!recording) return new Response(`no recording of ${call}`, { status: 404 });
	if (!recording.viaObjects) return Response.json({ rows: await sendTrips(env, recording, bare, later) });
	if (!recording.countsEmission) return Response.json({ rows: await runBareAt(env, call, bare) });
	const counter = env.PARTNERS.getByName(bare.partner, { locationHint: "enam" });
	return Response.json({ rows: await (counter as unknown as BareCounter).countBare(call, bare) });
}

/** Calls the code's object. */
export function runBareAt(env: Bindings, call: string, bare: BareCall): Promise<number> {
	const object = env.PURCHASE_CODES.getByName(`${bare.partner}/${bare.code}`, { locationHint: "enam" });
	return (object as unknown as BareObject).runBare(call, bare);
}

/** The object's side of a bare call: lease, alarm, round trips, release. */
export async function runInObject(
	state: DurableObjectState,
	env: Bindings,
	call: string,
	bare: BareCall,
): Promise<number> {
	const recording = recordings.get(call)!;
	const { storage } = state;
	const lease = { until: Date.now() + 60_000, code: bare.code };
	storage.kv.get("lease");
	storage.kv.put("lease", lease);
	void storage.setAlarm(lease.until);
	if (recording.syncs) {
		storage.kv.put("lease", { ...lease, serial: "0".repeat(32) });
		await storage.sync();
	}
	const rows = await sendTrips(env, recording, bare, (work) => state.waitUntil(work));
	storage.kv.delete("lease");
	return rows;
}

async function sendTrips(
	env: Bindings,
	{ trips, awaited, registryAfter, webhook }: Recording,
	{ replace }: BareCall,
	later: (work: Promise<unknown>) => void,
): Promise<number> {
	const values = new Map<unknown, string>(replace);
	let rows = 0;
	for (const [i, trip] of trips.slice(0, awaited).entries()) {
		rows += await send(env.DB_2, trip, values);
		if (i === registryAfter) await askRegistry(env);
	}
	if (webhook) {
		const answer = await fetch(webhook.url, { method: "POST", body: "x".repeat(webhook.bytes) });
		await answer.arrayBuffer();
	}
	for (const trip of trips.slice(awaited)) later(send(env.DB_2, trip, values));
	return rows;
}

async function send(
	db: D1Database,
	{ isBatch, statements }: Recording["trips"][number],
	values: Map<unknown, string>,
): Promise<number> {
	const prepared = statements.map(({ sql, params }) =>
		db.prepare(sql).bind(...params.map((value) => values.get(value) ?? value)),
	);
	const results = isBatch ? await db.batch(prepared) : [await prepared[0]!.all()];
	return results.reduce((sum, { results }) => sum + results.length, 0);
}

async function askRegistry(env: Bindings): Promise<void> {
	const answer = await env.CIVIL_REGISTRY!.fetch("http://civil-registry.sandbox/v1/identity-checks", {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ rut: "11111111-1", cardSerial: "111111111" }),
	});
	await answer.arrayBuffer();
}
