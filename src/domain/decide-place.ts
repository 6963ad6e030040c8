import { type Copied, nextAct, type WhereState } from "./decide-move.ts";

/*
 * Where a partner lives, from its places in all databases, when the directory or a database was put back to an earlier time. A
 * move between databases that were not is left to its mover; any other is ended.
 */

export interface FoundPlace {
	database: number;
	epoch: number;
	state: "open" | "frozen" | "leaving" | "closed" | "mover";
	/** When it came to its state. */
	since: number;
	noting: boolean;
	copied: Copied | null;
}

/** The directory's row. */
export interface KnownPlace {
	database: number;
	state: WhereState;
	target: number | null;
}

export type PlaceVerdict<Place extends FoundPlace> =
	| { kind: "fits" }
	/** No database has the partner's rows. */
	| { kind: "nowhere" }
	| {
			kind: "settle";
			home: Place;
			/** Not closed: they were put back to before the partner had moved away. */
			stale: Place[];
			/** The home's next epoch, beyond every other's; null where it is open already. */
			epoch: number | null;
			directory: KnownPlace;
	  };

/**
 * Decides where the partner lives.
 * @param known - null: the directory has no row of it
 * @param isDoubted - whether a database may have been put back: it is frozen
 */
export function decidePlace<Place extends FoundPlace>(
	known: KnownPlace | null,
	places: readonly Place[],
	isDoubted: (database: number) => boolean = () => false,
): PlaceVerdict<Place> {
	const isUnderWay = known?.state === "moving" || known?.state === "switched";
	const mayBeBack = isUnderWay && places.some(({ database }) => isDoubted(database));
	if (known && !mayBeBack && fits(known, places)) return { kind: "fits" };
	const newest = places.toSorted((a, b) => b.epoch - a.epoch);
	const copy = newest.find(({ copied }) => copied?.phase === "compared");
	// A copy that was compared may have been put back to before its last rows came. The place that it was made from has them all.
	const last = newest.find(({ copied }) => copied === null);
	// That place writes again although it was left: it is the one that was put back.
	const isCopyTrue = known?.state === "switched" && copy?.database === known.database && last && isLive(last);
	const home = isCopyTrue ? copy : (last ?? copy);
	if (!home) return { kind: "nowhere" };
	const others = newest.filter((place) => place !== home);
	const beyond = Math.max(0, ...others.map(({ epoch }) => epoch));
	const isOpen = home.state === "open" && !home.noting && home.epoch > beyond;
	const stale = others.filter(({ state }) => state !== "closed");
	const [other] = others;
	const isOld = other && (isLive(other) || other.copied === null);
	return {
		kind: "settle",
		home,
		stale,
		epoch: isOpen ? null : Math.max(home.epoch, beyond) + 1,
		directory: {
			database: home.database,
			state: !other ? "open" : isOld ? "moved" : "clearing",
			target: other?.database ?? null,
		},
	};
}

/** The partner writes there, or did when the writes were frozen for a move. */
function isLive({ state }: FoundPlace): boolean {
	return state === "open" || state === "frozen";
}

/** Tells whether the directory's row agrees with the places, or with a move that its mover can carry on. */
function fits({ database, state, target }: KnownPlace, places: readonly FoundPlace[]): boolean {
	const [here = null, there = null] = [database, target].map((number) =>
		places.find((place) => place.database === number),
	);
	const known = [here, there].filter((place) => place !== null);
	if (known.length < places.length || places.filter(isLive).length > 1) return false;
	const isHome = here?.state === "open" && !here.noting && here.epoch > (there?.epoch ?? 0);
	if (state === "open") return isHome && there === null;
	if (there?.state === "leaving" && state !== "switched") return false;
	if (state === "moved") return isHome && (there === null || there.copied === null);
	if (state === "clearing") return isHome;
	if (state === "returning") return here !== null && isLive(here);
	const [from, to] = state === "moving" ? [here, there] : [there, here];
	const isUnnoted = from !== null && isLive(from) && !from.noting && to !== null && to.epoch > from.epoch;
	const act = nextAct({ directory: { state, since: 0 }, from, to, waiting: 0 }, Number.POSITIVE_INFINITY);
	return act.do !== "restored" && !isUnnoted;
}
