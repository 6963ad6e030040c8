import { bindingOf } from "./domain/database-names.ts";
import type { Platform } from "./platform.ts";
import { log } from "./telemetry/log.ts";
import { Unavailable } from "./unavailable.ts";

/*
 * Mending of a database: from when it is known to be put back until it was told again what it forgot. Its record is in the bucket,
 * which no restore of D1 rewinds. Meanwhile the database's word that a certificate is good counts for nothing.
 */

/** Times in epoch milliseconds. */
export interface Mending {
	/** Number of the database. */
	database: number;
	beganAt: number;
	/** The earliest time that D1 was put back to; null: a CRL's number alone has told. */
	restoredTo: number | null;
	/** The bucket's etag. */
	etag: string;
}

type Context = Pick<Platform, "pki">;

/** The bucket's key of a database's record: the name of its binding is part of it. */
const keyOf = (database: number) => `mending/${bindingOf(database)}`;
const TRIES = 5;

/** Finds the mending of a database that is under way; null when none is. @throws {Unavailable} */
export async function findMending({ pki }: Context, database: number): Promise<Mending | null> {
	const { mending, isOver } = await read(pki, database);
	return isOver ? null : mending;
}

/**
 * Begins a mending. One that is under way goes on, from the earlier time; a walk of before does not end it.
 * @param restoredTo - null: D1 has reserved no number as high as the published CRL's
 * @throws {Unavailable}
 */
export async function beginMending(
	{ pki }: Context,
	database: number,
	{ now, restoredTo }: { now: number; restoredTo: number | null },
): Promise<void> {
	for (let attempt = 0; attempt < TRIES; attempt++) {
		const { mending, isOver } = await read(pki, database);
		const known = isOver ? null : mending;
		if (known && restoredTo === null) return;
		const times = [known?.restoredTo ?? null, restoredTo].filter((time) => time !== null);
		const begun = {
			beganAt: known?.beganAt ?? now,
			restoredTo: times.length > 0 ? Math.min(...times) : null,
			endedAt: null,
		};
		if (await write(pki, { database, previous: mending }, begun)) {
			const to = begun.restoredTo;
			log("error", "mending_began", { database, restored_to: to && new Date(to).toISOString() });
			return;
		}
	}
	throw new Unavailable("bucket", "every try was overtaken");
}

/** Ends this mending, unless its database was put back again meanwhile. @returns whether it ended. @throws {Unavailable} */
export async function endMending({ pki }: Context, mending: Mending, now: number): Promise<boolean> {
	const { database, beganAt, restoredTo } = mending;
	const ended = await write(pki, { database, previous: mending }, { beganAt, restoredTo, endedAt: now });
	if (ended) log("info", "mending_ended", { database });
	return ended;
}

async function read(pki: R2Bucket, database: number): Promise<{ mending: Mending | null; isOver: boolean }> {
	const object = await pki.head(keyOf(database));
	if (!object) return { mending: null, isOver: true };
	const { beganAt, restoredTo, endedAt } = object.customMetadata ?? {};
	const mending = {
		database,
		beganAt: Number(beganAt),
		restoredTo: restoredTo === undefined ? null : Number(restoredTo),
		etag: object.etag,
	};
	return { mending, isOver: endedAt !== undefined };
}

async function write(
	pki: R2Bucket,
	{ database, previous }: { database: number; previous: Mending | null },
	record: Record<"beganAt" | "restoredTo" | "endedAt", number | null>,
): Promise<boolean> {
	const facts = Object.entries(record).flatMap(([name, value]) =>
		value === null ? [] : [[name, String(value)]],
	);
	const onlyIf = previous ? { etagMatches: previous.etag } : { etagDoesNotMatch: "*" };
	// The bucket's etag is a hash of the body: two records are never the same.
	const body = JSON.stringify({ ...record, id: crypto.randomUUID() });
	const written = await pki.put(keyOf(database), body, { onlyIf, customMetadata: Object.fromEntries(facts) });
	return written !== null;
}
