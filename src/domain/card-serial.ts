/**
 * The serial number printed on an ID card, in the form that the registry accepts.
 *
 * Spaces and dots are removed and letters upper-cased. Accepted: nine digits, `A` and nine digits (cards up to 2024),
 * `B` and eight digits (cards since).
 *
 * @returns the canonical serial, or null when it has none of the three forms
 */
export function normaliseCardSerial(typed: string): string | null {
	const serial = typed.replace(/[\s.]/g, "").toUpperCase();
	return isCanonicalCardSerial(serial) ? serial : null;
}

/** True for `A123456789`, `B12345678` and `123456789`: no blanks, dots or lower case. */
export function isCanonicalCardSerial(serial: string): boolean {
	return /^(?:A\d{9}|B\d{8}|\d{9})$/.test(serial);
}
