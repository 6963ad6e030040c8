import type { Text } from "./language.ts";

/** `message` of every answer that is not a success, by its reason. `{name}`s are filled in where it is sent. */
export const MESSAGES = {
	invalid_request: {
		en: "The request is not valid; see details.",
		es: "La solicitud no es válida; vea details.",
	},
	conditional_fields: {
		en: "The fields sent do not match this partner's configuration; see details.",
		es: "Los campos enviados no corresponden a la configuración de este partner; vea details.",
	},
	unauthorized: {
		en: "Send a valid API key in the x-gw header.",
		es: "Envíe una API key válida en el encabezado x-gw.",
	},
	session_unauthorized: {
		en: "This session does not exist, or its token is not valid.",
		es: "Esta sesión no existe o su token no es válido.",
	},
	session_ended: {
		en: "This session has ended; see details.",
		es: "Esta sesión terminó; vea details.",
	},
	ops_unauthorized: {
		en: "Send your operations token as Authorization: Bearer, or sign in through Cloudflare Access.",
		es: "Envíe su token de operaciones como Authorization: Bearer, o ingrese por Cloudflare Access.",
	},
	role_required: {
		en: "This call needs the role {role}, which you do not have. Roles are given in the setting OPS_ROLES.",
		es: "Esta llamada requiere el rol {role}, que usted no tiene. Los roles se dan en la configuración OPS_ROLES.",
	},
	scope_required: {
		en: "This call needs an API key with the scope {scope}.",
		es: "Esta llamada requiere una API key con el alcance {scope}.",
	},
	https_required: { en: "Call this address by https.", es: "Llame a esta dirección por https." },
	delivery_address_missing: {
		en: "This B2B partner has no address to deliver to. Nothing changed and no attempt was spent. Ask the operator to set a webhook or a delivery e-mail.",
		es: "Este partner B2B no tiene una dirección de entrega. Nada cambió ni se descontó un intento. Pida al operador que configure un webhook o un correo de entrega.",
	},
	not_found: { en: "Not found.", es: "No encontrado." },
	method_not_allowed: { en: "Use {methods}.", es: "Use {methods}." },
	request_timeout: {
		en: "The body did not arrive in time: send it without pauses of 15 seconds or more, within 60 seconds.",
		es: "El cuerpo no llegó a tiempo: envíelo sin pausas de 15 segundos o más, dentro de 60 segundos.",
	},
	body_too_large: {
		en: "The body must be at most {maximum} bytes.",
		es: "El cuerpo no debe superar los {maximum} bytes.",
	},
	unsupported_media_type: {
		en: "Send the body as JSON in UTF-8, with Content-Type: application/json.",
		es: "Envíe el cuerpo como JSON en UTF-8, con Content-Type: application/json.",
	},
	rate_limit_exceeded: {
		en: "Rate limit exceeded: {quota} calls per minute. Wait the number of seconds in the Retry-After header.",
		es: "Superó el límite de {quota} llamadas por minuto. Espere los segundos que indica el encabezado Retry-After.",
	},
	too_many_key_changes: {
		en: "You changed your API keys 60 times within an hour, the most that a partner may. Wait the number of seconds in the Retry-After header.",
		es: "Cambió sus API keys 60 veces en una hora, el máximo por partner. Espere los segundos que indica el encabezado Retry-After.",
	},
	too_many_delivery_emails: {
		en: "We sent 5 e-mails to confirm your delivery e-mail within an hour, the most that a partner may ask for. Wait the number of seconds in the Retry-After header.",
		es: "En una hora enviamos 5 correos para confirmar su correo de entrega, el máximo por partner. Espere los segundos que indica el encabezado Retry-After.",
	},
	too_many_unknown_keys: {
		en: "Too many unknown API keys came from this IP address. Wait the number of seconds in the Retry-After header.",
		es: "Esta dirección IP envió demasiadas API keys desconocidas. Espere los segundos que indica el encabezado Retry-After.",
	},
	too_many_frame_calls: {
		en: "Too many calls came from this IP address. Wait the number of seconds in the Retry-After header.",
		es: "Llegaron demasiadas llamadas desde esta dirección IP. Espere los segundos que indica el encabezado Retry-After.",
	},
	cancelled: {
		en: "This purchase code was cancelled.",
		es: "Este código de compra fue anulado.",
	},
	blocked: {
		en: "This purchase code is permanently blocked.",
		es: "Este código de compra está bloqueado definitivamente.",
	},
	request_blocked: {
		en: "Too many failed validations: certificate_request is closed for good for this purchase code. It can still be claimed.",
		es: "Demasiadas validaciones fallidas: certificate_request está cerrado definitivamente para este código de compra, que se puede retirar igualmente.",
	},
	holder_erased: {
		en: "The holder of this purchase code was erased: it cannot be used any more. Replace it.",
		es: "El titular de este código de compra fue eliminado: el código ya no se puede usar. Reemplácelo.",
	},
	security_lock: {
		en: "Too many failed attempts: this call is locked for this purchase code. Wait the number of seconds in the Retry-After header.",
		es: "Demasiados intentos fallidos: esta llamada está bloqueada para este código de compra. Espere los segundos que indica el encabezado Retry-After.",
	},
	rut_locked: {
		en: "Too many failed validations of this RUT. Wait the number of seconds in the Retry-After header.",
		es: "Demasiadas validaciones fallidas de este RUT. Espere los segundos que indica el encabezado Retry-After.",
	},
	code_already_used: {
		en: "The certificate of this purchase code was already issued.",
		es: "El certificado de este código de compra ya fue emitido.",
	},
	code_expired: {
		en: "The 14-day window to start using this purchase code has ended.",
		es: "Venció el plazo de 14 días para empezar a usar este código de compra.",
	},
	other_validation_in_progress: {
		en: "A validation is in progress for this purchase code, or for another one with the same RUT. Retry in a few seconds.",
		es: "Hay una validación en curso para este código de compra, o para otro con el mismo RUT. Reintente en unos segundos.",
	},
	serial_number_required: {
		en: "serialNumber is required: the serial number of the holder's ID card.",
		es: "Falta serialNumber: el número de serie de la cédula de identidad del titular.",
	},
	expiration_date_required: {
		en: "fechaVencimiento is required: the expiration date of the holder's ID card.",
		es: "Falta fechaVencimiento: la fecha de vencimiento de la cédula de identidad del titular.",
	},
	email_in_use: {
		en: "This e-mail address is already used by another holder.",
		es: "Otro titular ya usa este correo.",
	},
	id_card_mismatch: {
		en: "The ID card does not match the civil registry, or is not valid.",
		es: "La cédula de identidad no coincide con el Registro Civil o no está vigente.",
	},
	no_card_in_force: {
		en: "The civil registry has no ID card in force for this RUT.",
		es: "El Registro Civil no tiene una cédula de identidad vigente para este RUT.",
	},
	expiration_date_mismatch: {
		en: "The expiration date does not match the civil registry.",
		es: "La fecha de vencimiento no coincide con el Registro Civil.",
	},
	name_mismatch: {
		en: "The name does not match the civil registry.",
		es: "El nombre no coincide con el Registro Civil.",
	},
	sso_rejected: {
		en: "The single sign-on credential was rejected, or belongs to another person.",
		es: "La credencial de inicio de sesión único fue rechazada o es de otra persona.",
	},
	rut_mismatch: {
		en: "The RUT does not match the purchase code.",
		es: "El RUT no corresponde al código de compra.",
	},
	renewal_mismatch: {
		en: "renews is not the serial number of a certificate that you issued to this RUT.",
		es: "renews no es el número de serie de un certificado emitido por usted a este RUT.",
	},
	credentials_mismatch: {
		en: "The RUT or the PIN differs from the one sent in certificate_request.",
		es: "El RUT o el PIN no coincide con el enviado en certificate_request.",
	},
	already_issued: {
		en: "The certificate was already claimed; it is not generated again.",
		es: "El certificado ya fue retirado; no se vuelve a generar.",
	},
	validation_in_progress: {
		en: "A validation of this purchase code is in progress. Retry in a few seconds.",
		es: "Hay una validación en curso para este código de compra. Reintente en unos segundos.",
	},
	product_not_enabled: {
		en: "This product is not enabled for the partner.",
		es: "Este producto no está habilitado para el partner.",
	},
	code_quota_exceeded: {
		en: "These codes would pass your quota: those created in the last 14 days that are not issued. Issue some, wait, or ask us for more.",
		es: "Estos códigos superarían su cuota: los creados en los últimos 14 días que no están emitidos. Emita algunos, espere, o pídanos más.",
	},
	idempotency_in_progress: {
		en: "The first call with this Idempotency-Key is still running. Retry in a few seconds.",
		es: "La primera llamada con esta Idempotency-Key sigue en curso. Reintente en unos segundos.",
	},
	idempotency_mismatch: {
		en: "This Idempotency-Key was already used with a different request. Send a new key.",
		es: "Esta Idempotency-Key ya se usó con otra solicitud. Envíe una nueva.",
	},
	payload_erased: {
		en: "This delivery has no payload to send: it was delivered or withdrawn, or has expired.",
		es: "Este envío ya no tiene contenido: fue entregado o retirado, o venció.",
	},
	webhook_missing: {
		en: "There is no webhook. Set its address first.",
		es: "No hay un webhook. Primero configure la dirección.",
	},
	too_many_keys: {
		en: "There are 100 API keys in force, the most that a partner may have. Revoke one that is not used.",
		es: "Hay 100 API keys vigentes, el máximo por partner. Revoque una que no se use.",
	},
	wider_key: {
		en: "The new API key would have a scope, an end or addresses beyond those of the API key that makes it. Ask for less, or use a wider one.",
		es: "La API key nueva tendría alcances, término o direcciones que no tiene la API key con que se crea. Pida menos, o use una más amplia.",
	},
	last_manage_key: {
		en: "This is the last API key with the scope manage that has no end. Create another one first.",
		es: "Esta es la última API key con el alcance manage y sin término. Primero cree otra.",
	},
	registry_unavailable: {
		en: "The civil registry did not answer. Nothing changed and no attempt was spent. Retry later.",
		es: "El Registro Civil no respondió. Nada cambió ni se descontó un intento. Reintente más tarde.",
	},
	single_sign_on_unavailable: {
		en: "Single sign-on (ClaveÚnica) did not answer. Nothing changed and no attempt was spent. Retry later.",
		es: "El inicio de sesión único (ClaveÚnica) no respondió. Nada cambió ni se descontó un intento. Reintente más tarde.",
	},
	service_unavailable: {
		en: "The service cannot answer now. Retry later.",
		es: "El servicio no está disponible en este momento. Reintente más tarde.",
	},
	outcome_unknown: {
		en: "The service cannot answer now, and what you asked may have happened. Look before you repeat it; if you sent an Idempotency-Key, repeat with the same one.",
		es: "El servicio no está disponible en este momento y lo que pidió puede haberse hecho. Revíselo antes de repetir; si envió una Idempotency-Key, repita con la misma.",
	},
	setting_invalid: {
		en: "{setting} is missing or not valid",
		es: "{setting} falta o no es válido",
	},
	database_unavailable: { en: "D1 does not answer", es: "D1 no responde" },
	internal_error: { en: "An internal error occurred.", es: "Ocurrió un error interno." },
} as const satisfies Record<string, Text>;

/** Why an answer is not a success. */
export type ErrorReason = keyof typeof MESSAGES;
