import * as z from "zod";
import { isCanonicalCardSerial } from "../domain/card-serial.ts";

// The contract of docs/operators/civil-registry.md. Unknown members are refused: they could change what the known ones mean.

const rut = z.string().regex(/^[1-9]\d{0,7}-[\dK]$/);
const cardSerial = z.string().refine(isCanonicalCardSerial).nullable();

/** A part of a name. No control, format or replacement character (U+FFFD) may reach a certificate. */
const namePart = z
	.string()
	.max(200)
	.normalize("NFC")
	.trim()
	.regex(/^[^\p{C}\uFFFD]+$/u);

const person = z.strictObject({
	names: namePart,
	fatherSurname: namePart,
	motherSurname: namePart.nullable(),
	cardExpiry: z.iso.date(),
});

/** Body of `POST /v1/identity-checks`. */
export const identityCheckRequest = z.strictObject({ rut, cardSerial });

/** Body of its 200. It repeats the question, so that an answer to another request is detected. */
export const identityCheckAnswer = z.discriminatedUnion("status", [
	z.strictObject({ status: z.literal("valid"), rut, cardSerial, person }),
	z.strictObject({
		status: z.literal("rejected"),
		rut,
		cardSerial,
		reason: z.enum(["not_found", "holder_deceased", "serial_mismatch", "card_reported_lost", "card_expired"]),
	}),
]);

export type IdentityCheckAnswer = z.infer<typeof identityCheckAnswer>;
