import type { CodeState, Ledger } from "./ledger.ts";

/* Decisions, "e-mail": whose one is, and when it is nobody's again. */

/** The RUT of a validated or issued code of the partner that carries the e-mail. @param email - in lower case. */
export function ownerOf({ codes }: Ledger, partner: string, email: string): string | null {
	const carrier = Object.values(codes).find(
		(code) => code.partner === partner && code.validation?.email === email,
	);
	return carrier?.validation?.rut ?? null;
}

/** Frees the e-mail of a code that is cancelled, lapsed or replaced, or whose holder was erased. */
export function freeEmail({ validation }: CodeState): Pick<CodeState, "validation"> {
	return { validation: validation && { ...validation, email: null } };
}
