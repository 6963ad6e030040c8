import type { Facet, ListStatus } from "./status-tables.ts";

/** Age of an unused code in its 14-day window: over, over within days, or not soon. */
type WindowAge = "over" | "soon" | "later";

/** Codes that a lock, a session or a lease keeps busy now, of one facet and age. */
export interface BusyCodes {
	/** Status in the list. */
	status: ListStatus;
	facet: Facet;
	age: WindowAge;
	n: number;
}

export interface CountedFacets {
	/** Number of codes by facet; a missing facet has none. */
	facets: Readonly<Partial<Record<Facet, number>>>;
	/** Unused codes whose window is over, and those whose window is over or soon will be. */
	unused: { over: number; overOrSoon: number };
	busy: readonly BusyCodes[];
}

export interface StatusCounts {
	statuses: Record<ListStatus, number>;
	/** Codes of `sin_utilizar` whose window is over soon. */
	endingSoon: number;
}

/** Counts the codes listed under each status: those of its facet, adjusted by the codes that are busy now. */
export function countStatuses({ facets, unused, busy }: CountedFacets): StatusCounts {
	const statuses: Record<ListStatus, number> = {
		anulado: facets.cancelled ?? 0,
		emitido: facets.issued ?? 0,
		bloqueado: facets.blocked ?? 0,
		en_proceso: 0,
		validado: facets.validated ?? 0,
		expirado: unused.over,
		sin_utilizar: (facets.unused ?? 0) - unused.over,
	};
	let endingSoon = unused.overOrSoon - unused.over;
	for (const { status, facet, age, n } of busy) {
		const atRest = listedAtRest(facet, age);
		if (atRest === status) continue;
		statuses[atRest] -= n;
		statuses[status] += n;
		if (atRest === "sin_utilizar" && age === "soon") endingSoon -= n;
	}
	return { statuses, endingSoon };
}

const AT_REST: Record<Exclude<Facet, "unused">, ListStatus> = {
	cancelled: "anulado",
	issued: "emitido",
	blocked: "bloqueado",
	validated: "validado",
};

function listedAtRest(facet: Facet, age: WindowAge): ListStatus {
	if (facet !== "unused") return AT_REST[facet];
	return age === "over" ? "expirado" : "sin_utilizar";
}
