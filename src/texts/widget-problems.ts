import type { Text } from "./language.ts";

/** Texts of the widget about attempts that are left, and about fields that need a correction. */
export const WIDGET_PROBLEMS = {
	attemptsLeft: {
		es: "Le quedan {left} intentos para validar su identidad.",
		en: "You have {left} attempts left to validate your identity.",
	},
	lastAttempt: {
		es: "Le queda un solo intento para validar su identidad antes de un bloqueo de seguridad.",
		en: "You have one attempt left to validate your identity before a security lock.",
	},
	pinsLeft: { es: "Le quedan {left} intentos con el PIN.", en: "You have {left} attempts left at the PIN." },
	lastPin: {
		es: "Le queda un solo intento con el PIN antes de un bloqueo de seguridad.",
		en: "You have one attempt left at the PIN before a security lock.",
	},
	lastDownload: {
		es: "Le queda un solo intento con el PIN: si falla, el certificado ya no se podrá descargar aquí.",
		en: "You have one attempt left at the PIN: if it fails, the certificate cannot be downloaded here any more.",
	},
	lockTitle: { es: "Bloqueo de seguridad", en: "Security lock" },

	required: { es: "Falta este dato.", en: "This is missing." },
	problemRut: {
		es: "Escriba el RUT completo, con su dígito verificador. Por ejemplo, 12.345.678-5",
		en: "Write the whole RUT, with its check digit. For example, 12.345.678-5",
	},
	problemRutDigit: {
		es: "El dígito verificador no corresponde a ese número. Revise si hay una cifra cambiada.",
		en: "The check digit does not belong to that number. Look for a wrong digit.",
	},
	problemCard: {
		es: "Son 9 dígitos, una A y 9 dígitos, o una B y 8 dígitos. No es el RUT.",
		en: "It is 9 digits, an A and 9 digits, or a B and 8 digits. It is not the RUT.",
	},
	problemCardIsRut: {
		es: "Ese es su RUT. El número de serie es otro: vea en el dibujo dónde está.",
		en: "That is your RUT. The serial number is another one: the drawing shows where it is.",
	},
	problemDate: {
		es: "Escriba una fecha que exista: día, mes y año. Por ejemplo, 20-05-2031",
		en: "Write a date that exists: day, month and year. For example, 20-05-2031",
	},
	problemName: { es: "Escriba hasta 100 letras.", en: "Write at most 100 letters." },
	problemPhone: {
		es: "Escriba los 9 dígitos. Si no es de Chile, empiece con + y el código del país.",
		en: "Write the 9 digits. If it is not Chilean, begin with + and the country code.",
	},
	problemEmail: {
		es: "Escriba el correo completo. Por ejemplo, ana@example.cl",
		en: "Write the whole address. For example, ana@example.cl",
	},
	doubtEmail: {
		es: "¿Quiso decir {meant}? Si lo escribió bien, presione Continuar otra vez.",
		en: "Did you mean {meant}? If what you wrote is right, press Continue again.",
	},
	useMeant: { es: "Corregir", en: "Correct it" },
	problemPin: { es: "Son exactamente 4 dígitos.", en: "It is exactly 4 digits." },
	doubtPin: {
		es: "Ese PIN es fácil de adivinar. Puede usarlo, pero otro protegería mejor su certificado.",
		en: "That PIN is easy to guess. You may use it, but another would protect your certificate better.",
	},
	problemPinRepeat: { es: "Los PIN no coinciden.", en: "The PINs differ." },
	problemAccept: {
		es: "Para seguir, acepte los términos y el aviso de privacidad.",
		en: "To go on, accept the terms and the privacy notice.",
	},
} as const satisfies Record<string, Text>;
