import type { AttemptsLeft } from "../domain/attempts.ts";
import { MINUTE_MS } from "../domain/durations.ts";
import { readableTime } from "./dates.ts";
import { fill, type Text } from "./language.ts";

/* The sentence that follows the message of a failed attempt. */

const LEFT = {
	one: { en: "1 attempt is left.", es: "Queda 1 intento." },
	several: { en: "{left} attempts are left.", es: "Quedan {left} intentos." },
} as const satisfies Record<string, Text>;

const CLOSED: Record<NonNullable<AttemptsLeft["closed"]>, Text> = {
	code: {
		en: "Too many failed attempts: this purchase code is now permanently blocked.",
		es: "Demasiados intentos fallidos: este código de compra quedó bloqueado definitivamente.",
	},
	request: {
		en: "Too many failed attempts: certificate_request is now closed for good for this purchase code. It can still be claimed.",
		es: "Demasiados intentos fallidos: certificate_request quedó cerrado definitivamente para este código de compra, que se puede retirar igualmente.",
	},
	download: {
		en: "Too many failed attempts: the certificate cannot be downloaded here any more.",
		es: "Demasiados intentos fallidos: el certificado ya no se puede descargar aquí.",
	},
};

/** How many attempts are left, until when the lock lasts, or what is closed for good. */
export function sayAfter({ left, lockedUntil, closed }: AttemptsLeft): Text {
	if (closed !== null) return CLOSED[closed];
	if (lockedUntil === null) return left === 1 ? LEFT.one : fill(LEFT.several, { left });
	// Minutes are shown: the next whole one, or the lock would seem to end before it does.
	const until = Math.ceil(lockedUntil / MINUTE_MS) * MINUTE_MS;
	return {
		en: `Too many failed attempts: locked until ${readableTime(until, "en")}.`,
		es: `Demasiados intentos fallidos: bloqueado hasta el ${readableTime(until, "es")}.`,
	};
}
