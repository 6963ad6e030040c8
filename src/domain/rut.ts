/** Chile's national identity number: digits, a hyphen and a modulo-11 check digit (0–9 or K). */

const WRITTEN = /^([0-9]{1,3}(?:\.[0-9]{3})*|[0-9]+)-?([0-9Kk])$/;

export type RutReading = { ok: true; rut: string } | { ok: false; problem: "shape" | "check_digit" };

/**
 * Reads a RUT as a person writes it: `12345678-5`, `12.345.678-5`, `123456785`, `k` for `K`, leading zeros.
 * @returns the canonical form `12345678-5`: no dots, no leading zero, upper-case K.
 */
export function readRut(text: string): RutReading {
	const parts = WRITTEN.exec(text);
	if (!parts) return { ok: false, problem: "shape" };
	const digits = parts[1]!.replaceAll(".", "").replace(/^0+/, "");
	if (digits.length === 0 || digits.length > 8) return { ok: false, problem: "shape" };
	const check = parts[2]!.toUpperCase();
	if (check !== checkDigit(digits)) return { ok: false, problem: "check_digit" };
	return { ok: true, rut: `${digits}-${check}` };
}

/** Modulo 11 with weights 2 to 7 from the right; 11 reads 0, 10 reads K. */
export function checkDigit(digits: string): string {
	let sum = 0;
	for (let i = 0; i < digits.length; i++) {
		sum += Number(digits[digits.length - 1 - i]) * (2 + (i % 6));
	}
	const rest = 11 - (sum % 11);
	return rest === 11 ? "0" : rest === 10 ? "K" : String(rest);
}

/** `XX.XXX.678-5`: enough for its owner to recognise it, too little for anybody else. @param rut - canonical */
export function maskRut(rut: string): string {
	const [digits = "", check = ""] = rut.split("-");
	const hidden = `${"X".repeat(Math.max(0, digits.length - 3))}${digits.slice(-3)}`;
	return `${hidden.replaceAll(/\B(?=(?:.{3})+$)/g, ".")}-${check}`;
}
