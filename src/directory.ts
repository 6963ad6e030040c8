import { enterKey, enterPlace, findPlace, findPlaceOfKey, type PlaceRow } from "./db/directory.ts";
import type { DatabaseDb, DirectoryDb, PartnerDb } from "./db/query.ts";
import { withinCall } from "./deadlines.ts";
import type { WhereState } from "./domain/decide-move.ts";
import { SECOND_MS } from "./domain/durations.ts";
import { describeError } from "./telemetry/describe-error.ts";
import { log } from "./telemetry/log.ts";
import { Unavailable } from "./unavailable.ts";
import type { PartnerSerials } from "./x509/serial.ts";

/*
 * The one place that finds a partner's database, and that asks them all. The directory in `DB` locates; what is known of
 * it is kept for 30 s, as keys are, and for one second while a partner moves.
 */

/** A bound database: `DB` is 1, `DB_2` is 2 … */
export interface Database {
	number: number;
	binding: string;
	db: DatabaseDb;
	/** It is being restored: its partners write nothing. */
	isFrozen: boolean;
}

/** Parts of the platform by which a partner's database is found. */
export interface Databases {
	directory: DirectoryDb;
	databases: readonly Database[];
	clock: () => number;
}

/** A partner and the database in which it lives. */
export interface Home {
	partnerId: string;
	/** In the partner's serials and in the ids of its widget sessions. */
	number: number;
	db: PartnerDb;
	database: Database;
}

const KNOWN_MS = 30 * SECOND_MS;
const KNOWN_WHILE_MOVING_MS = SECOND_MS;
const KNOWN_MAX = 5_000;
/** States in which the row is about to change. */
const MOVES: readonly WhereState[] = ["moving", "switched", "returning"];

/** This isolate's, by the partner's id and by its number. */
const known = new Map<string | number, { place: PlaceRow; until: number }>();

/** Finds a partner's home by its id, which somebody has typed or sent; null for a partner that there is not. */
export async function findHome(platform: Databases, partnerId: string): Promise<Home | null> {
	const place = recall(platform, partnerId) ?? (await read(platform, { partnerId }));
	return place && homeAt(platform, place);
}

/** Finds a partner's home by the number that a serial or the id of a widget session carries. */
export async function findHomeByNumber(platform: Databases, number: number): Promise<Home | null> {
	const place = recall(platform, number) ?? (await read(platform, { number }));
	return place && homeAt(platform, place);
}

/** Finds the home of the partner whose certificate a serial is; null where it carries no partner's number. */
export async function findHomeOfSerial(
	platform: Databases & { serials: PartnerSerials },
	serial: string,
): Promise<Home | null> {
	const number = platform.serials.numberOf(serial);
	return number === null ? null : findHomeByNumber(platform, number);
}

/** Finds the home of the partner whose a key is; null for a key that nobody ever had. */
export async function findHomeOfKey(platform: Databases, hash: string): Promise<Home | null> {
	const asked = platform.clock();
	const place = await findPlaceOfKey(platform.directory, hash);
	return place && homeAt(platform, remember(place, asked));
}

/** The home of a partner that exists. @throws {Unavailable} when the directory does not know it */
export async function homeOf(platform: Databases, partnerId: string): Promise<Home> {
	const home = await findHome(platform, partnerId);
	if (home === null) throw new Unavailable("db", `the directory does not know ${partnerId}`);
	return home;
}

/** The database of a partner that exists. @throws {Unavailable} as {@link homeOf} */
export async function partnerDb(platform: Databases, partnerId: string): Promise<PartnerDb> {
	return (await homeOf(platform, partnerId)).db;
}

/** Enters a new partner with its first key into the directory, before it is made. @param database - not given: the last one */
export async function enterPartner(
	platform: Databases,
	entered: { partnerId: string; keyHash: string; database?: number },
): Promise<Home> {
	requireThawed(platform);
	const { database = platform.databases.at(-1)!.number } = entered;
	const number = crypto.getRandomValues(new Uint32Array(1))[0]!;
	const asked = platform.clock();
	const place = await enterPlace(platform.directory, { ...entered, number, database }, asked);
	return homeAt(platform, remember(place, asked));
}

/** Enters a partner's key into the directory, before it is made. */
export async function enterKeyOf(platform: Databases, hash: string, partnerId: string): Promise<void> {
	requireThawed(platform);
	await enterKey(platform.directory, hash, partnerId);
}

/** @throws {Unavailable} while `DB` is being restored: no partner or key is made before the directory is rebuilt */
function requireThawed({ databases }: Databases): void {
	if (databases[0]!.isFrozen) throw new Unavailable("db", "frozen");
}

async function read(platform: Databases, of: Parameters<typeof findPlace>[1]): Promise<PlaceRow | null> {
	const asked = platform.clock();
	const place = await findPlace(platform.directory, of);
	return place && remember(place, asked);
}

function recall({ clock }: Databases, key: string | number): PlaceRow | null {
	const found = known.get(key);
	return found && found.until > clock() ? found.place : null;
}

function homeAt(platform: Databases, place: PlaceRow): Home {
	const { partnerId, number } = place;
	const database = platform.databases.find((one) => one.number === place.database);
	if (!database) throw new Unavailable("db", `database ${place.database} is not bound`);
	return { partnerId, number, db: database.db as unknown as PartnerDb, database };
}

/** Keeps a row in place of the one before, counted from when it was asked for: a mover waits for the end of older rows. */
function remember(place: PlaceRow, asked: number): PlaceRow {
	if (known.size >= KNOWN_MAX) known.clear();
	const until = asked + (MOVES.includes(place.state) ? KNOWN_WHILE_MOVING_MS : KNOWN_MS);
	for (const key of [place.partnerId, place.number]) known.set(key, { place, until });
	return place;
}

/** Forgets where a partner is, when its database has refused a write: the next call asks the directory. */
export function forgetHome(partnerId: string): void {
	const place = known.get(partnerId)?.place;
	if (place) for (const key of [place.partnerId, place.number]) known.delete(key);
}

/** Keeps of a platform the databases whose partners may write. */
export function thawed<P extends Pick<Databases, "databases">>(platform: P): P {
	return { ...platform, databases: platform.databases.filter(({ isFrozen }) => !isFrozen) };
}

/* Questions that span partners. */

const ASKED_AT_ONCE = 6;

/** Answers of the databases, in their order, and the numbers of those that did not answer. */
export interface Answers<Answer> {
	answers: Answer[];
	silent: number[];
}

/** Databases that did not answer when they were last asked for what spans partners. */
const silentLately = new WeakSet<Database>();

/** Numbers of the databases that did not answer this isolate when it last asked all. */
export function silentDatabases({ databases }: Pick<Databases, "databases">): number[] {
	return databases.filter((database) => silentLately.has(database)).map(({ number }) => number);
}

/** Asks every database side by side, six at a time, each with the deadline of an operation. */
export async function askEach<Answer>(
	{ databases }: Pick<Databases, "databases">,
	ask: (database: Database) => Promise<Answer>,
): Promise<Answers<Answer>> {
	const answers: (readonly [number, Answer])[] = [];
	const silent: number[] = [];
	const left = databases.values();
	const work = async () => {
		for (const database of left) {
			const { number } = database;
			try {
				answers.push([number, await withinCall(ask(database))]);
				silentLately.delete(database);
			} catch (error) {
				if (!(error instanceof Unavailable)) throw error;
				log("error", "database_silent", { database: number, ...describeError(error) });
				silentLately.add(database);
				silent.push(number);
			}
		}
	};
	await Promise.all(Array.from({ length: ASKED_AT_ONCE }, work));
	return {
		answers: answers.sort(([a], [b]) => a - b).map(([, answer]) => answer),
		silent: silent.sort((a, b) => a - b),
	};
}

/** Asks every database. @throws {Unavailable} when one does not answer */
export async function askAll<Answer>(
	platform: Pick<Databases, "databases">,
	ask: (database: Database) => Promise<Answer>,
): Promise<Answer[]> {
	return requireAll(await askEach(platform, ask));
}

/** @throws {Unavailable} when a database did not answer */
export function requireAll<Answer>({ answers, silent }: Answers<Answer>): Answer[] {
	if (silent.length > 0) throw new Unavailable("db", `no answer of ${silent.join(", ")}`);
	return answers;
}

/** Finds what lies in one of the databases, and nobody says in which. @throws {Unavailable} when it may be in a silent one */
export async function findInOne<Found>(
	platform: Pick<Databases, "databases">,
	find: (database: Database) => Promise<Found | null>,
): Promise<Found | null> {
	const look = async () => {
		const asked = await askEach(platform, find);
		const found = asked.answers.find((answer) => answer !== null) ?? null;
		if (found === null) requireAll(asked);
		return found;
	};
	// A partner that moved between two databases' answers was in neither.
	return (await look()) ?? look();
}

/** Asks the home of each thing's partner for all its things, as {@link askEach} does. */
export async function askHomes<Thing, Answer>(
	platform: Databases,
	things: readonly Thing[],
	partnerOf: (thing: Thing) => string,
	ask: (db: DatabaseDb, things: readonly Thing[]) => Promise<Answer>,
): Promise<Answers<Answer>> {
	const homes = new Map<Database, Thing[]>();
	for (const thing of things) {
		const { database } = await homeOf(platform, partnerOf(thing));
		homes.set(database, [...(homes.get(database) ?? []), thing]);
	}
	return askEach({ databases: [...homes.keys()] }, (database) => ask(database.db, homes.get(database)!));
}

/** Tells whether there is a database of this number. */
export function isBound({ databases }: Pick<Databases, "databases">, number: number): boolean {
	return databases.some((one) => one.number === number);
}

/** The database in which ops' own chains of the audit are, which are no partner's. */
export function firstDb({ databases }: Pick<Databases, "databases">): DatabaseDb {
	return databases[0]!.db;
}
