import { z } from "@hono/zod-openapi";
import { normaliseCardSerial } from "../domain/card-serial.ts";
import { readSerial } from "../domain/certificate-serial.ts";
import { readCalendarDate } from "../domain/dates.ts";
import { EMAIL, EMAIL_MAX, NAME_MAX, normalisePhone, PIN } from "../domain/holder-fields.ts";
import { readRut } from "../domain/rut.ts";
import type { Hint } from "../texts/hints.ts";
import { mark } from "../texts/language.ts";
import { REFERENCE } from "../texts/reference.ts";
import { printable } from "./fields.ts";

/* The fields of a holder (§2.2, §4.1), as in fields.ts. */

/** A string that {@link read} turns into its canonical form, or null when it cannot. */
function canonical<Value>(schema: z.ZodString, hint: Hint, read: (text: string) => Value | null) {
	return schema.transform((text, context) => {
		const value = read(text);
		if (value !== null) return value;
		context.addIssue({ code: "custom", message: hint });
		return z.NEVER;
	});
}

export const rut = canonical(z.string("rut").max(16, "rut"), "rut", (text) => {
	const reading = readRut(text);
	return reading.ok ? reading.rut : null;
}).openapi({
	type: "string",
	description: mark(REFERENCE.rut),
	example: "11111111-1",
});

export const email = z
	.email({ pattern: EMAIL, error: "email" })
	.max(EMAIL_MAX, "email")
	.openapi({ description: mark(REFERENCE.email), example: "juana@example.cl" });

export const pin = z
	.string("pin")
	.regex(PIN, "pin")
	.openapi({ pattern: "^\\d{4}$", description: mark(REFERENCE.pin), example: "4821" });

export const cardSerial = canonical(
	z.string("cardSerial").max(32, "cardSerial"),
	"cardSerial",
	normaliseCardSerial,
).openapi({
	type: "string",
	description: mark(REFERENCE.cardSerial),
	example: "111111111",
});

export const calendarDate = canonical(z.string("date").max(10, "date"), "date", readCalendarDate).openapi({
	type: "string",
	description: mark(REFERENCE.cardExpiry),
	example: "20-05-2031",
});

export const certificateSerial = canonical(
	z.string("certificateSerial").max(64, "certificateSerial"),
	"certificateSerial",
	readSerial,
).openapi({
	type: "string",
	description: mark(REFERENCE.renews),
	example: "4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F",
});

export const personName = printable(NAME_MAX, "name");

export const phone = canonical(z.string("phone").max(64, "phone"), "phone", normalisePhone).openapi({
	type: "string",
	pattern: "^[\\s(]*\\+[\\s(]*[1-9]",
	description: mark(REFERENCE.phone),
	example: "+56912345678",
});

export const credential = z
	.string("credential")
	.regex(/^[\x21-\x7e]{1,8000}$/, "credential")
	.openapi({
		description: mark(REFERENCE.ssoCredential),
		example: "sso-11111111-1",
	});
