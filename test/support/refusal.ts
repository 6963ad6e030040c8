import type { Answer } from "./service.ts";

interface Detail {
	field?: string;
	code: string;
}

/** An error answer in one line to compare: status, error, then each entry of details. */
export function refusal({ status, body }: Answer): (string | number)[] {
	const details: Detail[] = body?.details ?? [];
	return [status, body?.error, ...details.map(({ field, code }) => (field ? `${field} ${code}` : code))];
}

export function errorOf({ status, body }: Answer): unknown[] {
	return [status, body.error];
}

/** The one-line form of a 406 (decisions: Errors, exactly one entry of details). */
export function rejection(code: string, field: string): (string | number)[] {
	return [406, "VALIDATION_ERROR", `${field} ${code}`];
}

/** The one-line form of a 400. @param details - `field CODE`. */
export function invalid(...details: string[]): (string | number)[] {
	return [400, "VALIDATION_ERROR", ...details];
}
