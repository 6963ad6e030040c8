import { normaliseCardSerial } from "../../domain/card-serial.ts";
import { readCalendarDate } from "../../domain/dates.ts";
import { isEmail, isPersonName, normalisePhone, PIN } from "../../domain/holder-fields.ts";
import { readRut } from "../../domain/rut.ts";

/* Readings of typed text by the domain's own functions: the wire's form, or the fault. */

export type Problem =
	| "required"
	| "rut"
	| "rutDigit"
	| "card"
	| "cardIsRut"
	| "date"
	| "name"
	| "phone"
	| "email"
	| "pin"
	| "pinRepeat";
export type Reading = { value: string } | { problem: Problem };

/** Accepts dots, spaces, any dash or none. */
export function typedRut(text: string): Reading {
	const packed = text.replace(/[\s.\p{Pd}]/gu, "");
	const reading = readRut(packed);
	if (reading.ok) return { value: reading.rut };
	return { problem: reading.problem === "check_digit" && packed.length >= 7 ? "rutDigit" : "rut" };
}

/** `12345678-5` as people write it: `12.345.678-5`. */
export function shownRut(rut: string): string {
	return rut.replace(/\B(?=(\d{3})+-)/g, ".");
}

/** JUANA of the sandbox, whose table does not change: her card's serial has the digits of her RUT. */
const SANDBOX_TWIN = "11111111-1";

/** @param rut - the holder's, as sent: typed again in place of the serial, it would cost an attempt */
export function typedCardSerial(text: string, rut?: string): Reading {
	const again = typedRut(text);
	if (rut !== SANDBOX_TWIN && "value" in again && again.value === rut) return { problem: "cardIsRut" };
	const value = normaliseCardSerial(text.replace(/\p{Pd}/gu, ""));
	return value === null ? { problem: "card" } : { value };
}

const MONTHS = ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"];
const DAY_MONTH_YEAR = /^(\d{1,2})[\s./-]+(\d{1,2}|\p{L}{3,})\.?[\s./-]+(\d{4})$/u;

/** Day first: `20-05-2031`, `20/5/2031`, `20052031`, or as the card prints it, `20 MAY 2031`. */
export function typedDate(text: string): Reading {
	const packed = text.trim().replace(/^(\d\d)(\d\d)(\d{4})$/, "$1-$2-$3");
	const [, day = "", month = "", year = ""] = DAY_MONTH_YEAR.exec(packed) ?? [];
	const number = /\d/.test(month) ? month : String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1);
	const date = readCalendarDate(`${year}-${number.padStart(2, "0")}-${day.padStart(2, "0")}`);
	return date === null ? { problem: "date" } : { value: date };
}

/** `2031-05-20` as people write it: `20-05-2031`. */
export function shownDate(date: string): string {
	return date.split("-").reverse().join("-");
}

/** A Chilean number without its country, or any international one. */
export function typedPhone(text: string): Reading {
	const packed = text.replace(/[\s().\p{Pd}]/gu, "");
	const value = normalisePhone(packed.replace(/^00/, "+").replace(/^(?:\+?56)?([2-9]\d{8})$/, "+56$1"));
	return value === null ? { problem: "phone" } : { value };
}

export function typedEmail(text: string): Reading {
	const value = text.trim();
	return isEmail(value) ? { value } : { problem: "email" };
}

/** Domains that most people here have, and real ones that look like a slip in them. */
const MAIL_DOMAINS = [
	...["gmail.com", "hotmail.com", "outlook.com", "yahoo.com", "live.com", "icloud.com"],
	...["hotmail.cl", "outlook.cl", "live.cl", "yahoo.cl", "hotmail.es", "outlook.es", "yahoo.es"],
	...["ymail.com", "mail.com", "email.com"],
];

/** The address whose common domain is one slip away from the typed one (gmial.com); null where none is. */
export function meantEmail(email: string): string | null {
	const at = email.lastIndexOf("@") + 1;
	const domain = email.slice(at).toLowerCase();
	if (MAIL_DOMAINS.includes(domain)) return null;
	const meant = MAIL_DOMAINS.find((known) => isOneSlip(domain, known));
	return meant ? email.slice(0, at) + meant : null;
}

/** Whether a letter more, less or other, or two swapped, make one text of the other. */
function isOneSlip(one: string, other: string): boolean {
	let i = 0;
	while (i < one.length && one[i] === other[i]) i++;
	const [a, b] = [one.slice(i), other.slice(i)];
	const isSwap = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
	return isSwap || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}

export function typedName(text: string): Reading {
	const value = text.trim();
	return isPersonName(value) ? { value } : { problem: "name" };
}

export function typedPin(text: string): Reading {
	return PIN.test(text) ? { value: text } : { problem: "pin" };
}

/** A digit or a pair repeated, or digits in order: what a thief tries first. */
export function isCommonPin(pin: string): boolean {
	return /^(\d\d?)\1+$/.test(pin) || "01234567890 09876543210".includes(pin);
}
