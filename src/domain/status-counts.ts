import type { Facet, ListStatus } from "./status-tables.ts";

/** How old an unused code is, as its 14-day window has it: over, over within days, or not soon. */
type WindowAge = "over" | "soon" | "later";

/** Codes that a lock, a session or a lease keeps busy now, of one facet and age. */
export interface BusyCodes {
	/** The status that they are listed with. */
	status: ListStatus;
	facet: Facet;
	age: WindowAge;
	n: number;
}

export interface CountedFacets {
	/** Of every code; a facet that is missing has none. */
	facets: Readonly<Partial<Record<Facet, number>>>;
	/** Of the unused: how many lie before the end of their window by age. */
	unused: { over: number; overOrSoon: number };
	busy: readonly BusyCodes[];
}

export interface StatusCounts {
	statuses: Record<ListStatus, number>;
	/** Of `sin_utilizar`, those whose window is over soon. */
	endingSoon: number;
}

/** How many codes are listed under each status: those of its facet, give or take the codes that are busy now. */
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
