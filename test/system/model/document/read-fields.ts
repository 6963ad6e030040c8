import type { Fields } from "./calls.ts";
import type { Rules } from "./rules.ts";

/* Shape of the bodies (§4.1, §4.2, §4.4) and the canonical forms that decisions give. Null: 400 for the field. */

type Reader = (value: unknown, rules: Rules) => unknown;

const text: Reader = (value) =>
	typeof value === "string" && value.trim() !== "" && value.length <= 128 ? value : null;
const matching =
	(pattern: RegExp): Reader =>
	(value) =>
		typeof value === "string" && pattern.test(value) ? value : null;

/** §4.1, without pictures and a copy. */
const REQUEST: Record<string, { required: boolean; read: Reader }> = {
	referenceId: { required: true, read: text },
	dni: { required: true, read: readRut },
	email: { required: true, read: matching(/^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i) },
	pin: { required: true, read: matching(/^\d{4}$/) },
	serialNumber: { required: false, read: readCardSerial },
	names: { required: false, read: text },
	fLastname: { required: false, read: text },
	mLastname: { required: false, read: text },
	phone: { required: false, read: readPhone },
	ssoCredential: { required: false, read: text },
	fechaVencimiento: { required: false, read: readDate },
};

/** §4.2. */
const CLAIM: typeof REQUEST = {
	dni: { required: true, read: readRut },
	pin: { required: true, read: matching(/^\d{4}$/) },
};

const optional = (fields: readonly string[]): typeof REQUEST =>
	Object.fromEntries(fields.map((field) => [field, { ...REQUEST[field]!, required: false }]));

/** Decisions, "Widget". `prefill` and `claim` are never wrong here. */
const SESSION: typeof REQUEST = {
	referenceId: REQUEST.referenceId!,
	claim: { required: false, read: (value) => value },
	prefill: { required: false, read: (value) => value },
	...optional(["dni", "email"]),
};
const PIN = { pin: CLAIM.pin! };
const FRAME = {
	show: {},
	open: {},
	answers: {
		step: { required: false, read: text },
		...optional([
			"dni",
			"serialNumber",
			"fechaVencimiento",
			"names",
			"fLastname",
			"mLastname",
			"phone",
			"email",
		]),
	},
	submit: { ...PIN, terms_version: { required: true, read: matching(/^2026-11$/) } },
};

const TABLES: Record<Kind, typeof REQUEST> = {
	request: REQUEST,
	session: SESSION,
	...FRAME,
	claim: CLAIM,
	"frame claim": PIN,
};
type Kind = "request" | "session" | "claim" | "frame claim" | keyof typeof FRAME;

export interface Reading {
	/** Canonical; a field that was not sent is absent. */
	values: Record<string, string | undefined>;
	/** Fields that are missing, malformed or not part of the call. */
	problems: string[];
}

export function readFields(kind: Kind, sent: Fields, rules: Rules): Reading {
	const table = TABLES[kind];
	const reading: Reading = { values: {}, problems: Object.keys(sent).filter((field) => !(field in table)) };
	for (const [field, { required, read }] of Object.entries(table)) {
		const value = sent[field];
		if (value === undefined || (!required && rules.empty.includes(value))) {
			if (required) reading.problems.push(field);
			continue;
		}
		const canonical = read(value, rules);
		if (canonical === null) reading.problems.push(field);
		else reading.values[field] = canonical as string;
	}
	return reading;
}

/** Decisions, "normalised instead of refused": blanks, hyphens, dots and parentheses are dropped. */
function readPhone(value: unknown, { phoneDrops }: Rules): string | null {
	const packed = typeof value === "string" ? value.replaceAll(phoneDrops, "") : "";
	return /^\+[1-9]\d{6,14}$/.test(packed) ? packed : null;
}

/** Decisions, "dni": shape and mod-11 check digit, thousands dots accepted, hyphen or none, stored as 12345678-5. */
function readRut(value: unknown, { rutHyphen }: Rules): string | null {
	const written = new RegExp(`^(\\d[\\d.]*)${rutHyphen.source}([\\dkK])$`);
	const parts = typeof value === "string" ? written.exec(value) : null;
	if (!parts) return null;
	const digits = parts[1]!.replaceAll(".", "");
	const sum = [...digits].reverse().reduce((total, digit, i) => total + Number(digit) * (2 + (i % 6)), 0);
	const check = "0K987654321"[sum % 11]!;
	return parts[2]!.toUpperCase() === check ? `${digits}-${check}` : null;
}

/** sandbox.md: spaces and dots dropped, upper case; `A` + 9 digits, `B` + 8 digits, or 9 digits. */
function readCardSerial(value: unknown): string | null {
	if (typeof value !== "string") return null;
	const serial = value.replace(/[ .]/g, "").toUpperCase();
	return /^(A\d{9}|B\d{8}|\d{9})$/.test(serial) ? serial : null;
}

/** Decisions, "fechaVencimiento": a real calendar date in one of three forms, day first. */
function readDate(value: unknown): string | null {
	if (typeof value !== "string") return null;
	const dayFirst = /^(\d\d)([-/])(\d\d)\2(\d{4})$/.exec(value);
	const date = dayFirst ? `${dayFirst[4]}-${dayFirst[3]}-${dayFirst[1]}` : value;
	return isDay(date) ? date : null;
}

/** Whether it is a day of the calendar, as `YYYY-MM-DD`. */
function isDay(date: string): boolean {
	const at = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
	return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
