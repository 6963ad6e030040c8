import { z } from "@hono/zod-openapi";
import { normaliseCardSerial } from "../domain/card-serial.ts";
import { readSerial } from "../domain/certificate-serial.ts";
import { readCalendarDate } from "../domain/dates.ts";
import { NAME_MAX, PHONE, PIN } from "../domain/holder-fields.ts";
import { REVOCATION_REASONS } from "../domain/revocation-reason.ts";
import { readRut } from "../domain/rut.ts";
import { mark } from "../texts/language.ts";
import type { Hint } from "../texts/messages.ts";
import { REFERENCE } from "../texts/reference.ts";

/*
 * The fields that several calls share, as the wire has them. A schema's error is the name of its hint; its output is
 * canonical.
 */

/** No control, line-breaking or unpaired characters. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Co}\u2028\u2029\ufeff]*$/u;

export function printable(maximum: number, hint: Hint) {
	const schema = z.string(hint).min(1, hint).max(maximum, hint).regex(PRINTABLE, hint).regex(/\S/u, hint);
	return schema.openapi({ pattern: PRINTABLE.source });
}

const EMPTY = z.literal("").transform(() => undefined);
const CLEARED = z.literal("").transform(() => null);
const NULL = z.null().transform(() => undefined);

/** An optional field of a partner's call: `null` and `""` count as not sent. What is wrong with another is its schema's to say. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
	return z.union([schema, EMPTY, NULL], { error: (issue) => ofSchema(issue as UnionIssue) }).optional();
}

/** A field of the widget's frame: left out, it stays as it is; `null` and `""` clear it. */
export function clearable<Schema extends z.ZodType>(schema: Schema) {
	return z.union([schema, CLEARED, z.null()], { error: (issue) => ofSchema(issue as UnionIssue) }).optional();
}

interface UnionIssue {
	readonly errors?: readonly (readonly { message: string }[])[];
}

function ofSchema({ errors }: UnionIssue): string | undefined {
	return errors?.[0]?.[0]?.message;
}

/** CRLReason names (RFC 5280 §5.3.1) that a holder's certificate can be revoked for. */
export const revocationReason = z
	.enum(REVOCATION_REASONS, "revocationReason" satisfies Hint)
	.openapi({ example: "superseded" });

/** In a path: its form is the call's to judge, which answers 404 for one that no code can have. */
export const codePath = z.object({
	p_code: z.string().max(64, "code").openapi({ example: "7K3M-9QXT-2B4C-H8WD" }),
});

export const purchaseCode = printable(64, "code").openapi({
	description: mark(REFERENCE.purchaseCode),
	example: "7K3M-9QXT-2B4C-H8WD",
});

export const email = z
	.email("email")
	.max(254, "email")
	.openapi({ description: mark(REFERENCE.email), example: "juana@example.cl" });

/* The fields of a holder (§2.2, §4.1). */

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

export const phone = z
	.string("phone")
	.regex(PHONE, "phone")
	.openapi({
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
