/**
 * Reads the serial of a certificate: other programs show it with colons, with spaces or in lower case.
 * @returns upper-case hex, 32 digits, or null.
 */
export function readSerial(text: string): string | null {
	const serial = text.replaceAll(/[: ]/g, "").toUpperCase();
	return /^[0-9A-F]{32}$/.test(serial) ? serial : null;
}
