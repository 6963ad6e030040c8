import type { RegisteredPerson } from "./ports.ts";

/** The name a partner sends in the full flow (§4.1: names, fLastname, mLastname). */
export interface SentName {
	names: string;
	fatherSurname: string;
	/** Not compared when null, that is, when not sent. */
	motherSurname: string | null;
}

/**
 * Whether a sent name equals the registered one, ignoring case, accents, surrounding and repeated spaces, and the
 * variant of the apostrophe. All given names must match, in order: `JUANA` is not `JUANA ANDREA`.
 */
export function namesAgree(
	sent: SentName,
	registered: Pick<RegisteredPerson, "names" | "fatherSurname" | "motherSurname">,
): boolean {
	return (
		fold(sent.names) === fold(registered.names) &&
		fold(sent.fatherSurname) === fold(registered.fatherSurname) &&
		(sent.motherSurname === null || fold(sent.motherSurname) === fold(registered.motherSurname ?? ""))
	);
}

/** `names fatherSurname motherSurname` with single spaces, in the registry's spelling (§2.2 nombreCompleto). */
export function fullName(
	person: Pick<RegisteredPerson, "names" | "fatherSurname" | "motherSurname">,
): string {
	return singleSpaced([person.names, person.fatherSurname, person.motherSurname ?? ""].join(" "));
}

/** The form in which names are compared. Ñ becomes N, because keyboards outside Chile may have no Ñ. */
function fold(name: string): string {
	return singleSpaced(
		name
			.replace(/[’‘ʼ´`′]/g, "'")
			.normalize("NFD")
			.replace(/\p{M}/gu, "")
			.toUpperCase(),
	);
}

function singleSpaced(text: string): string {
	return text.trim().replace(/\s+/g, " ");
}
