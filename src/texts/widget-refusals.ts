import type { Text } from "./language.ts";

/** Refusals for the holder: the reason, and the next step. By `error` or `details[].code`. */
export const WIDGET_REFUSALS = {
	ID_CARD_MISMATCH: {
		es: "El RUT y el número de serie no coinciden con una cédula vigente del Registro Civil. Revise ambos; revise también que no esté vencida ni bloqueada y, si la renovó, use la nueva.",
		en: "The RUT and the serial number do not match a card in force at the civil registry. Check both; check too that it has not expired and is not blocked and, if you renewed it, use the new one.",
	},
	CARD_NOT_IN_FORCE: {
		es: "El Registro Civil no tiene una cédula vigente con ese RUT. Revise el RUT; revise también que su cédula no esté vencida ni bloqueada.",
		en: "The civil registry has no card in force with that RUT. Check the RUT; check too that your card has not expired and is not blocked.",
	},
	EXPIRATION_DATE_MISMATCH: {
		es: "La fecha no coincide con la del Registro Civil. Cópiela de su cédula.",
		en: "The date is not the one of the civil registry. Copy it from your card.",
	},
	NAME_MISMATCH: {
		es: "El nombre no coincide con el del Registro Civil. Escriba todos sus nombres y apellidos tal como están en su cédula.",
		en: "The name is not the one of the civil registry. Write all your names just as they are on your card.",
	},
	SSO_REJECTED: {
		es: "El ingreso con ClaveÚnica no es válido o es de otra persona. Ingrese con la ClaveÚnica de quien pide el certificado.",
		en: "The sign-in with ClaveÚnica is not valid or is another person's. Sign in as the person who asks for the certificate.",
	},
	RUT_MISMATCH: {
		es: "Este código ya se usó con otro RUT. Escriba ese RUT o pida otro código a {partner}.",
		en: "This code was already used with another RUT. Write that RUT, or ask {partner} for another code.",
	},
	EMAIL_IN_USE: {
		es: "Otra persona ya usa este correo. Escriba uno que sea solo suyo.",
		en: "Another person already uses this address. Write one that is yours alone.",
	},
	SERIAL_NUMBER_REQUIRED: {
		es: "Ahora se pide el número de serie de su cédula.",
		en: "The serial number of your ID card is now asked for.",
	},
	EXPIRATION_DATE_REQUIRED: {
		es: "Ahora se pide la fecha de vencimiento de su cédula.",
		en: "The expiry date of your ID card is now asked for.",
	},
	CREDENTIALS_MISMATCH: {
		es: "Ese no es el PIN que usted creó. Revíselo y escríbalo otra vez.",
		en: "That is not the PIN that you created. Check it and enter it again.",
	},
	VALIDATION_ERROR: {
		es: "Uno de los datos no se pudo aceptar. Revíselo y siga.",
		en: "One of the data could not be accepted. Check it and go on.",
	},
	ATTEMPT_LIMIT_REACHED: {
		es: "Hubo demasiados intentos fallidos. Por seguridad, podrá intentarlo de nuevo a {time} (hora de Chile). Si cierra esta página, vuelva entonces desde {partner}.",
		en: "There were too many failed attempts. For your safety, you can try again at {time} (Chilean time). If you close this page, come back from {partner} then.",
	},
	RATE_LIMIT_EXCEEDED: {
		es: "Hay muchas solicitudes en este momento. Intente de nuevo en unos segundos.",
		en: "There are many requests at this moment. Try again in a few seconds.",
	},
	OTHER_VALIDATION_IN_PROGRESS: {
		es: "Ya hay una validación en curso con su RUT. Espere unos segundos e intente de nuevo.",
		en: "A validation with your RUT is already running. Wait a few seconds and try again.",
	},
	REGISTRY_UNAVAILABLE: {
		es: "El Registro Civil no responde. No perdió ningún intento: espere unos minutos e intente de nuevo.",
		en: "The civil registry does not answer. No attempt was spent: wait a few minutes and try again.",
	},
	SERVICE_UNAVAILABLE: {
		es: "El servicio no responde. No perdió ningún intento: espere unos minutos e intente de nuevo.",
		en: "The service does not answer. No attempt was spent: wait a few minutes and try again.",
	},
	LOCKED: {
		es: "Este código de compra está bloqueado o anulado y no se puede usar. Pida ayuda a {partner}.",
		en: "This purchase code is blocked or cancelled and cannot be used. Ask {partner} for help.",
	},
	CODE_EXPIRED: {
		es: "El plazo de 14 días para usar este código venció. Pida otro a {partner}.",
		en: "The 14 days to use this code are over. Ask {partner} for another one.",
	},
	CODE_ALREADY_USED: {
		es: "El certificado de este código ya fue emitido. Si no lo tiene, pida ayuda a {partner}.",
		en: "The certificate of this code was already issued. If you do not have it, ask {partner} for help.",
	},
	ALREADY_ISSUED: {
		es: "El certificado ya fue entregado y aquí no se puede descargar otra vez. Si no lo tiene, contacte a {partner}: puede pedir un código de reemplazo para usted.",
		en: "The certificate was already handed out and cannot be downloaded here again. If you do not have it, contact {partner}: they can ask for a replacement code for you.",
	},
	DOWNLOAD_CLOSED: {
		es: "Hubo demasiados intentos con otro PIN y, por seguridad, el certificado ya no se puede descargar aquí. Contacte a {partner}: puede pedir un código de reemplazo para usted.",
		en: "There were too many attempts with another PIN and, for your safety, the certificate cannot be downloaded here any more. Contact {partner}: they can ask for a replacement code for you.",
	},
	CONNECTION_LOST: {
		es: "Se cortó la conexión antes de la respuesta. Intente de nuevo: si la validación ya terminó, seguirá desde ahí.",
		en: "The connection broke before the answer. Try again: if the validation is already done, you go on from there.",
	},
	UNKNOWN: {
		es: "Algo falló de nuestro lado. Espere unos minutos e intente de nuevo.",
		en: "Something failed on our side. Wait a few minutes and try again.",
	},
} as const satisfies Record<string, Text>;

export type WidgetRefusal = keyof typeof WIDGET_REFUSALS;

/** Why a session is over, as the holder reads it; by the reason that the session's record keeps. */
export const WIDGET_ENDS = {
	completed: {
		es: "Este trámite ya se completó. Si no tiene su certificado, pida ayuda a {partner}.",
		en: "This is already completed. If you do not have your certificate, ask {partner} for help.",
	},
	expired: {
		es: "Pasó demasiado tiempo y, por seguridad, la sesión terminó. Su código sigue sirviendo: vuelva a {partner} y empiece otra vez.",
		en: "Too much time went by and, for your safety, the session ended. Your code is still good: go back to {partner} and begin again.",
	},
	replaced: {
		es: "Se abrió otra sesión para este mismo código, y esta terminó. Siga en la más reciente.",
		en: "Another session was opened for this same code, and this one ended. Go on in the newest.",
	},
	cancelled: {
		es: "{partner} canceló esta sesión. Si todavía quiere su certificado, vuelva a empezar allí.",
		en: "{partner} cancelled this session. If you still want your certificate, begin again there.",
	},
	superseded: {
		es: "Su identidad ya se validó por otra vía. {partner} le dirá cómo sigue.",
		en: "Your identity was already validated in another way. {partner} will tell you what comes next.",
	},
	code_closed: {
		es: "El código de compra fue anulado o bloqueado. Pida ayuda a {partner}.",
		en: "The purchase code was cancelled or blocked. Ask {partner} for help.",
	},
	too_many_submits: {
		es: "Se enviaron los datos demasiadas veces sin que se pudieran validar y, por seguridad, la sesión terminó. Su código sigue sirviendo: vuelva a {partner} y empiece otra vez.",
		en: "The data were sent too often without a validation and, for your safety, the session ended. Your code is still good: go back to {partner} and begin again.",
	},
	unknown: {
		es: "Este enlace no es válido o ya no existe. Pida uno nuevo a la tienda donde compró su certificado.",
		en: "This link is not valid or is gone. Ask the shop where you bought your certificate for a new one.",
	},
	endTitle: { es: "Esta sesión terminó", en: "This session is over" },
	unknownTitle: { es: "No encontramos esta sesión", en: "We did not find this session" },
} as const satisfies Record<string, Text>;

export type WidgetEnd = keyof typeof WIDGET_ENDS;
