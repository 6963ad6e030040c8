import { z } from "@hono/zod-openapi";
import { readCalendarDate } from "../domain/dates.ts";
import { readRut } from "../domain/rut.ts";
import { normaliseCardSerial } from "../identity/card-serial.ts";
import type { Hint } from "./hints.ts";

/*
 * The fields that several calls share, as the wire has them. A schema's error is the name of its hint; what it
 * gives on is canonical.
 */

/** No control, format-breaking or unpaired characters: they have no business in a name or a reference. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Co}\u2028\u2029\ufeff]*$/u;

export function printable(maximum: number, hint: Hint) {
	const schema = z.string(hint).min(1, hint).max(maximum, hint).regex(PRINTABLE, hint).regex(/\S/u, hint);
	return schema.openapi({ pattern: PRINTABLE.source });
}

/** A string that {@link read} turns into its canonical form, or null when it cannot. */
function canonical<Value>(schema: z.ZodString, hint: Hint, read: (text: string) => Value | null) {
	return schema.transform((text, context) => {
		const value = read(text);
		if (value !== null) return value;
		context.addIssue({ code: "custom", message: hint });
		return z.NEVER;
	});
}

export const purchaseCode = printable(64, "code").openapi({
	description: "Purchase code. Chosen: read without regard to case, hyphens or spaces, O as 0, I and L as 1.",
	example: "7K3M-9QXT-2B4C-H8WD",
});

export const rut = canonical(z.string("rut").max(16, "rut"), "rut", (text) => {
	const reading = readRut(text);
	return reading.ok ? reading.rut : null;
}).openapi({
	type: "string",
	description: "National ID with check digit. Chosen: thousands dots and a lower-case k are accepted.",
	example: "11111111-1",
});

export const email = z
	.email("email")
	.max(254, "email")
	.openapi({ description: "Compared in lower case (chosen).", example: "juana@example.cl" });

export const pin = z
	.string("pin")
	.regex(/^[0-9]{4}$/, "pin")
	.openapi({ pattern: "^\\d{4}$", description: "Becomes the password of the PFX.", example: "4821" });

export const cardSerial = canonical(
	z.string("cardSerial").max(32, "cardSerial"),
	"cardSerial",
	normaliseCardSerial,
).openapi({
	type: "string",
	description:
		"Serial number of the ID card; required in the reduced flow. Chosen: spaces and dots are dropped.",
	example: "111111111",
});

export const calendarDate = canonical(z.string("date").max(10, "date"), "date", readCalendarDate).openapi({
	type: "string",
	description:
		"Expiration date of the ID card as the user entered it: YYYY-MM-DD, DD-MM-YYYY or DD/MM/YYYY, day first.",
	example: "20-05-2031",
});

export const personName = printable(100, "name");

export const phone = z
	.string("phone")
	.regex(/^\+[1-9][0-9]{6,14}$/, "phone")
	.openapi({
		description: "International format with leading +; required in the full flow.",
		example: "+56912345678",
	});
