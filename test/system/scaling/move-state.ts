/* What the model of a move knows: one partner, one code, two databases. docs/scaling.md tells the protocol. */

type DatabaseName = "A" | "B";

/** What a database says of the partner. Only `open` lets its writers in, only `arriving` its mover. */
type Tenure = "none" | "arriving" | "open" | "frozen" | "void" | "gone";

export interface Place {
	tenure: Tenure;
	epoch: number;
	/** The writes that the code took, a letter each: its audit chain. Its length is the code's version. */
	chain: string;
}

/** Where the directory says the partner is. */
export interface Placement {
	database: DatabaseName;
	epoch: number;
}

/** A run of the code's object, or a Worker: it acts by a placement that may be old. */
export interface Writer {
	cache: Placement;
	/** A batch on its way to a database, perhaps for ever. */
	message: (Placement & { id: string; version: number }) | null;
	run: { id: string; phase: "sent" | "accepted" | "refused" | "unknown" } | null;
	writesLeft: number;
	crashesLeft: number;
}

export interface Reader {
	cache: Placement;
	/** A read on its way, and what it must find: all that was acknowledged when it began. */
	read: { database: DatabaseName; mustFind: string } | null;
}

/** A run of the mover. Several may be about: one that counts as crashed may only be slow. */
export interface Mover {
	plan: "forward" | "back" | "none";
	/** Number of its next step. */
	at: number;
	/** The partner's epoch in A when the move began. */
	epoch: number;
	/** What it read in A and has not written to B yet. */
	carried: string;
	ended: boolean;
}

export interface MoveState {
	A: Place;
	B: Place;
	directory: Placement;
	writers: readonly Writer[];
	reader: Reader;
	movers: readonly Mover[];
	/** Writes that somebody was told of, and writes somebody was told will never arrive. */
	acknowledged: string;
	abandoned: string;
	/** What a read found wrong. */
	staleRead: string | null;
}

/** Safeguards of the protocol; each can be left out to see what it is for. */
export interface Safeguards {
	/** A database takes a write only while the partner is open there (and under the writer's epoch). */
	fence: "epoch" | "state" | "none";
	/** The new place opens only when no cache can name the old one. */
	drain: boolean;
	/** What was written after its page was copied is copied once more, and compared. */
	catchUp: boolean;
	/** A copied row never replaces a later version of itself. */
	keepNewer: boolean;
	/** A mover's steps hold only for the epoch that it moves. */
	moverEpochs: boolean;
	/** A move is called off in the new place first. */
	voidFirst: boolean;
}

export const ALL_SAFEGUARDS: Safeguards = {
	fence: "epoch",
	drain: true,
	catchUp: true,
	keepNewer: true,
	moverEpochs: true,
	voidFirst: true,
};

/** How many writers there are, how many writes each makes, and how many runs of the mover there may be. */
export interface Size {
	writers: number;
	writes: number;
	movers: number;
}

/** The first writer may crash, every mover but the last may die. */
export function startOfMove(size: Size): MoveState {
	const cache = { database: "A", epoch: 1 } as const;
	const writer = { cache, message: null, run: null, writesLeft: size.writes };
	const mover: Mover = { plan: "none", at: 0, epoch: 1, carried: "", ended: false };
	return {
		A: { tenure: "open", epoch: 1, chain: "" },
		B: { tenure: "none", epoch: 0, chain: "" },
		directory: cache,
		writers: Array.from({ length: size.writers }, (_, n) => ({ ...writer, crashesLeft: n === 0 ? 1 : 0 })),
		reader: { cache, read: null },
		movers: Array.from({ length: size.movers }, () => mover),
		acknowledged: "",
		abandoned: "",
		staleRead: null,
	};
}

/** A state in a few characters: equal states have equal keys. Who has ended and who has nothing left to do are alike. */
export function keyOf({ A, B, directory, writers, reader, movers, ...rest }: MoveState): string {
	const parts: (string | number | null)[] = [];
	for (const { tenure, epoch, chain } of [A, B]) parts.push(tenure, epoch, chain);
	parts.push(directory.epoch);
	for (const { cache, message, run, writesLeft, crashesLeft } of writers) {
		parts.push(cache.epoch, run && run.id + run.phase, writesLeft, crashesLeft);
		parts.push(message && `${message.epoch}${message.id}${message.version}`);
	}
	parts.push(reader.cache.epoch, reader.read && reader.read.database + reader.read.mustFind);
	for (const { plan, at, epoch, carried, ended } of movers)
		parts.push(ended ? "ended" : plan, at, epoch, carried);
	parts.push(rest.acknowledged, rest.abandoned, rest.staleRead);
	return parts.join();
}
