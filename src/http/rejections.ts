import type { Context } from "hono";
import type { ConditionalField, Rejection, RejectionReason } from "../domain/rejection.ts";
import type { AppEnv } from "./app-env.ts";
import {
	BUSINESS_REJECTION,
	ERROR_STATUS,
	type ErrorBody,
	type ErrorCode,
	errorAnswer,
} from "./error-body.ts";
import type { Language, Text } from "./languages.ts";

interface WireRejection {
	error: ErrorCode;
	/** 406 VALIDATION_ERROR: the one entry of `details`. */
	rule?: { code: string; field?: string };
	message: Text;
}

/** Seconds: a validation takes a few, an upstream that failed rather more. */
const RETRY_SOON = 3;
const RETRY_LATER = 30;

/** What the wire may know of each reason. A reason without a row does not compile. */
const REJECTIONS: Record<RejectionReason, WireRejection> = {
	unauthorized: {
		error: "UNAUTHORIZED",
		message: {
			en: "Send a valid API key in the x-gw header.",
			es: "Envíe una API key válida en el encabezado x-gw.",
		},
	},
	conditional_fields: {
		error: "VALIDATION_ERROR",
		message: {
			en: "The fields sent do not fit this partner's flow.",
			es: "Los campos enviados no corresponden al flujo de este partner.",
		},
	},
	not_found: {
		error: "NOT_FOUND",
		message: {
			en: "Nothing that this call can use has this path or value.",
			es: "No existe nada con esta ruta o este valor que esta llamada pueda usar.",
		},
	},
	cancelled: locked("This purchase code was cancelled.", "Este código de compra fue anulado."),
	blocked: locked(
		"This purchase code is permanently blocked.",
		"Este código de compra está bloqueado definitivamente.",
	),
	security_lock: {
		error: "ATTEMPT_LIMIT_REACHED",
		message: {
			en: "Too many failed attempts: this purchase code is locked for a while. Try again after Retry-After seconds.",
			es: "Demasiados intentos fallidos: el código de compra está bloqueado temporalmente. Reintente después de Retry-After segundos.",
		},
	},
	code_already_used: rule(
		{ code: "CODE_ALREADY_USED", field: "pCode" },
		"The certificate of this purchase code was already issued.",
		"El certificado de este código de compra ya fue emitido.",
	),
	code_expired: rule(
		{ code: "CODE_EXPIRED", field: "pCode" },
		"The 14-day window to start using this purchase code has lapsed.",
		"Venció el plazo de 14 días para comenzar a usar este código de compra.",
	),
	other_validation_in_progress: rule(
		{ code: "OTHER_VALIDATION_IN_PROGRESS" },
		"A validation of this purchase code, or of another one for the same RUT, is in progress. Retry in a few seconds.",
		"Hay una validación en curso de este código de compra, o de otro para el mismo RUT. Reintente en unos segundos.",
	),
	serial_number_required: rule(
		{ code: "SERIAL_NUMBER_REQUIRED", field: "serialNumber" },
		"Send serialNumber, the serial number of the holder's ID card.",
		"Envíe serialNumber, el número de serie de la cédula de identidad del titular.",
	),
	expiration_date_required: rule(
		{ code: "EXPIRATION_DATE_REQUIRED", field: "fechaVencimiento" },
		"Send fechaVencimiento, the expiration date of the holder's ID card.",
		"Envíe fechaVencimiento, la fecha de vencimiento de la cédula del titular.",
	),
	email_in_use: rule(
		{ code: "EMAIL_IN_USE", field: "email" },
		"This e-mail is already used by another holder.",
		"Este correo ya está en uso por otro titular.",
	),
	id_card_mismatch: rule(
		{ code: "ID_CARD_MISMATCH", field: "serialNumber" },
		"The ID card does not match the civil registry, or is not valid.",
		"La cédula de identidad no coincide con el Registro Civil o no está vigente.",
	),
	expiration_date_mismatch: rule(
		{ code: "EXPIRATION_DATE_MISMATCH", field: "fechaVencimiento" },
		"The expiration date does not match the civil registry.",
		"La fecha de vencimiento no coincide con el Registro Civil.",
	),
	name_mismatch: rule(
		{ code: "NAME_MISMATCH", field: "names" },
		"The name does not match the civil registry.",
		"El nombre no coincide con el Registro Civil.",
	),
	sso_rejected: rule(
		{ code: "SSO_REJECTED", field: "ssoCredential" },
		"The single sign-on credential was rejected or belongs to another person.",
		"La credencial de inicio de sesión único fue rechazada o pertenece a otra persona.",
	),
	rut_mismatch: rule(
		{ code: "RUT_MISMATCH", field: "dni" },
		"The RUT does not match the purchase code.",
		"El RUT no coincide con el código de compra.",
	),
	credentials_mismatch: rule(
		{ code: "CREDENTIALS_MISMATCH" },
		"RUT or PIN differs from what was set in certificate_request.",
		"El RUT o el PIN no coincide con lo definido en certificate_request.",
	),
	already_issued: {
		error: "ALREADY_ISSUED",
		message: {
			en: "The certificate was already claimed; it is not generated again.",
			es: "El certificado ya fue retirado; no se genera de nuevo.",
		},
	},
	validation_in_progress: {
		error: "VALIDATION_IN_PROGRESS",
		message: {
			en: "A validation of this purchase code is in progress. Retry in a few seconds.",
			es: "Hay una validación en curso de este código de compra. Reintente en unos segundos.",
		},
	},
	product_not_enabled: {
		error: "PRODUCT_NOT_ENABLED",
		message: {
			en: "This product is not enabled for the partner.",
			es: "Este producto no está habilitado para el partner.",
		},
	},
	idempotency_in_progress: {
		error: "IDEMPOTENCY_IN_PROGRESS",
		message: {
			en: "The first call with this Idempotency-Key is still running. Retry in a few seconds.",
			es: "La primera llamada con esta Idempotency-Key sigue en curso. Reintente en unos segundos.",
		},
	},
	idempotency_mismatch: {
		error: "IDEMPOTENCY_MISMATCH",
		message: {
			en: "This Idempotency-Key was used with another request. Send a new key.",
			es: "Esta Idempotency-Key se usó con otra solicitud. Envíe una clave nueva.",
		},
	},
	payload_erased: rule(
		{ code: "PAYLOAD_ERASED" },
		"This delivery has no payload left to send: it was delivered, withdrawn, or is past its time.",
		"Este envío ya no tiene contenido: fue entregado, retirado o venció su plazo.",
	),
	registry_unavailable: {
		error: "REGISTRY_UNAVAILABLE",
		message: {
			en: "The civil registry did not answer. Nothing changed and no attempt was spent; retry later.",
			es: "El Registro Civil no respondió. Nada cambió ni se gastó un intento; reintente más tarde.",
		},
	},
	service_unavailable: {
		error: "SERVICE_UNAVAILABLE",
		message: {
			en: "The service cannot answer now. Retry later.",
			es: "El servicio no puede responder ahora. Reintente más tarde.",
		},
	},
};

/** Names of the conditional fields on the wire (§4.1). */
const WIRE_FIELD: Record<ConditionalField, string> = {
	names: "names",
	fatherSurname: "fLastname",
	phone: "phone",
	ssoCredential: "ssoCredential",
};

const FIELD_PROBLEM: Record<"required" | "not_allowed", { code: string; message: Text }> = {
	required: {
		code: "REQUIRED",
		message: {
			en: "Send this field: the partner's flow asks for it.",
			es: "Envíe este campo: el flujo del partner lo exige.",
		},
	},
	not_allowed: {
		code: "NOT_ALLOWED",
		message: {
			en: "Leave this field out: in the reduced flow it comes from the civil registry.",
			es: "No envíe este campo: en el flujo reducido proviene del Registro Civil.",
		},
	},
};

/** The one mapper from a rejection to its answer. */
export function rejectionAnswer(c: Context<AppEnv>, rejection: Rejection): Response {
	const language = c.get("language");
	const { error, rule } = REJECTIONS[rejection.reason];
	const retryAfter = retryAfterSeconds(rejection);
	if (retryAfter !== null) c.header("Retry-After", String(retryAfter));
	return errorAnswer(c, rejectionBody(rejection, language), rule ? BUSINESS_REJECTION : ERROR_STATUS[error]);
}

function rejectionBody(rejection: Rejection, language: Language): Omit<ErrorBody, "success"> {
	const { error, rule, message } = REJECTIONS[rejection.reason];
	const text = message[language];
	if (rejection.reason === "conditional_fields") {
		const details = rejection.problems.map(({ field, problem }) => ({
			field: WIRE_FIELD[field],
			code: FIELD_PROBLEM[problem].code,
			message: FIELD_PROBLEM[problem].message[language],
		}));
		return { error, message: text, details };
	}
	return { error, message: text, ...(rule && { details: [{ ...rule, message: text }] }) };
}

function retryAfterSeconds(rejection: Rejection): number | null {
	switch (rejection.reason) {
		case "security_lock":
			return Math.ceil(rejection.retryAfterMs / 1000);
		case "validation_in_progress":
		case "idempotency_in_progress":
			return RETRY_SOON;
		case "registry_unavailable":
		case "service_unavailable":
			return RETRY_LATER;
		default:
			return null;
	}
}

function locked(en: string, es: string): WireRejection {
	return { error: "LOCKED", message: { en, es } };
}

function rule(entry: { code: string; field?: string }, en: string, es: string): WireRejection {
	return { error: "VALIDATION_ERROR", rule: entry, message: { en, es } };
}
