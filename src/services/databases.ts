import { appendAudit } from "../db/audit-events.ts";
import { countCertificates, readStates, sayState } from "../db/databases.ts";
import { listPlaces } from "../db/directory.ts";
import { batch } from "../db/query.ts";
import type { DatabaseState } from "../db/schema-directory.ts";
import { askEach, firstDb } from "../directory.ts";
import { DATABASE_HIGH, DATABASE_MAX } from "../domain/limits.ts";
import type { Platform } from "../platform.ts";
import { databaseSize } from "../telemetry/database-size.ts";
import { Unavailable } from "../unavailable.ts";
import { type Caller, originOf } from "./caller.ts";

/** `open` takes new partners; `full` takes none, whatever ops said; `silent` did not answer. */
export const DATABASE_STATES = ["open", "closed", "full", "silent"] as const;

export interface ShownDatabase {
	number: number;
	/** Name of the binding: `DB`, `DB_2` … */
	binding: string;
	state: (typeof DATABASE_STATES)[number];
	/** Null where it is silent. */
	bytes: number | null;
	/** Partners that live in it. */
	partners: number;
	/** Codes of theirs that read EMITTED; null where it is silent. */
	certificates: number | null;
}

/** Shows every bound database. @throws {Unavailable} when the directory does not answer */
export async function listDatabases(
	platform: Pick<Platform, "directory" | "databases">,
): Promise<ShownDatabase[]> {
	const [said, places] = await Promise.all([
		readStates(platform.directory),
		listPlaces(platform.directory).then((all) => Map.groupBy(all, ({ database }) => database)),
	]);
	const { answers } = await askEach(platform, async ({ number, db }) => {
		const ids = (places.get(number) ?? []).map(({ partnerId }) => partnerId);
		return [number, await countCertificates(db, ids)] as const;
	});
	const counted = new Map(answers);
	return platform.databases.map(({ number, binding }) => {
		const certificates = counted.get(number) ?? null;
		const bytes = databaseSize(number).bytes;
		const shown = { number, binding, partners: places.get(number)?.length ?? 0, certificates };
		if (certificates === null) return { ...shown, state: "silent", bytes: null };
		// Before ops' first word every database is open.
		const state = said.size === 0 ? "open" : (said.get(number) ?? "closed");
		return { ...shown, bytes, state: bytes < DATABASE_HIGH * DATABASE_MAX ? state : "full" };
	});
}

/** Opens a database to new partners, or closes it. @returns null for one that is not bound */
export async function changeDatabase(
	caller: Caller,
	number: number,
	state: DatabaseState,
): Promise<ShownDatabase | null> {
	const { platform } = caller;
	const { directory, databases } = platform;
	const database = databases.find((one) => one.number === number);
	if (!database) return null;
	const what = {
		entity: `database:${database.binding}`,
		partnerId: "",
		action: state === "open" ? "database_opened" : "database_closed",
		outcome: "ok",
	} as const;
	await sayFirst(platform);
	await appendAudit(firstDb(platform), what, originOf(caller), [sayState(directory, number, state)]);
	return (await listDatabases(platform)).find((one) => one.number === number)!;
}

/** Sizes that differ by less than this are one. */
const STEP = DATABASE_MAX / 100;

/**
 * Chooses the database of a new partner: the open one with most room, of several the last.
 * @param named - ops' choice, which may be closed but neither full nor silent
 * @throws {Unavailable} when none is open
 */
export async function chooseDatabase(
	platform: Pick<Platform, "directory" | "databases">,
	named?: number,
): Promise<number> {
	await sayFirst(platform);
	const takes = ({ number, state }: ShownDatabase) =>
		state === "open" || (number === named && state === "closed");
	const open = (await listDatabases(platform))
		.filter(takes)
		.filter(({ number }) => named === undefined || number === named);
	const [roomiest] = open.sort(
		(a, b) => Math.floor(a.bytes! / STEP) - Math.floor(b.bytes! / STEP) || b.number - a.number,
	);
	if (!roomiest) throw new Unavailable("db", "no database is open to new partners");
	return roomiest.number;
}

/** Says of all that are bound that they are open, once: one that is bound later waits for ops' word. */
async function sayFirst({ directory, databases }: Pick<Platform, "directory" | "databases">): Promise<void> {
	if ((await readStates(directory)).size > 0) return;
	for (const { number } of databases) await batch(directory, { said: sayState(directory, number, "open") });
}
