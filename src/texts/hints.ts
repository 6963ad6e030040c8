import { SUBSCRIPTIONS } from "../domain/webhook-events.ts";
import type { Text } from "./language.ts";

/** Expected values, by the name that a schema gives as its error. They never quote the value sent. */
export const HINTS = {
	object: { en: "Send a JSON object.", es: "Envíe un objeto JSON." },
	unknown: {
		en: "Remove this field: this call does not have it.",
		es: "Quite este campo: no existe en esta llamada.",
	},
	missing: { en: "This field is required.", es: "Este campo es obligatorio." },
	fieldRequired: {
		en: "This field is required by the partner's configuration.",
		es: "La configuración del partner exige este campo.",
	},
	fieldNotAllowed: {
		en: "Remove this field: in the reduced flow it comes from the civil registry.",
		es: "Quite este campo: en el flujo reducido proviene del Registro Civil.",
	},
	idempotencyKey: {
		en: "Idempotency-Key must be 1 to 255 visible ASCII characters.",
		es: "Idempotency-Key debe tener de 1 a 255 caracteres ASCII visibles.",
	},
	cursor: {
		en: "Send the cursor of the previous page, unchanged.",
		es: "Envíe el cursor de la página anterior, sin cambios.",
	},
	parts: {
		en: "Send only the fields of this call: JSON of more than 10000 fields and elements is not read.",
		es: "Envíe solo los campos de esta llamada: no se lee un JSON de más de 10000 campos y elementos.",
	},
	duration: {
		en: "Send an ISO 8601 duration in whole units and longer than nothing, for example P15D, P1Y or PT30M.",
		es: "Envíe una duración ISO 8601 en unidades enteras y mayor que cero, por ejemplo P15D, P1Y o PT30M.",
	},
	clockMax: {
		en: "Your clock can be four years ahead at most, in all.",
		es: "Su reloj puede adelantarse a lo más cuatro años en total.",
	},
	waitSeconds: { en: "Send an integer from 0 to 20.", es: "Envíe un entero de 0 a 20." },
	httpStatus: {
		en: "Send an HTTP status from 200 to 599, or null when your server could not be reached.",
		es: "Envíe un estado HTTP de 200 a 599, o null si no se pudo contactar a su servidor.",
	},
	json: { en: "Send well-formed JSON.", es: "Envíe JSON bien formado." },
	encoding: {
		en: "Send the body in UTF-8: it contains bytes that are not.",
		es: "Envíe el cuerpo en UTF-8: contiene bytes que no lo son.",
	},
	text: {
		en: "Send a string of 1 to 128 characters, without control characters.",
		es: "Envíe un texto de 1 a 128 caracteres, sin caracteres de control.",
	},
	code: {
		en: "Send the purchase code as a string, for example 7K3M-9QXT-2B4C-H8WD.",
		es: "Envíe el código de compra como texto, por ejemplo 7K3M-9QXT-2B4C-H8WD.",
	},
	rut: {
		en: "Send a RUT with a correct check digit, for example 12345678-5.",
		es: "Envíe un RUT con su dígito verificador correcto, por ejemplo 12345678-5.",
	},
	email: {
		en: "Send an e-mail address of at most 254 characters, for example ana@example.cl.",
		es: "Envíe un correo de hasta 254 caracteres, por ejemplo ana@example.cl.",
	},
	pin: {
		en: "Send the PIN as a string of exactly 4 digits.",
		es: "Envíe el PIN como texto de exactamente 4 dígitos.",
	},
	cardSerial: {
		en: "Send the serial number of the ID card: 9 digits, A and 9 digits, or B and 8 digits.",
		es: "Envíe el número de serie de la cédula: 9 dígitos, A y 9 dígitos, o B y 8 dígitos.",
	},
	certificateSerial: {
		en: "Send the serial number of a certificate: 32 hexadecimal digits.",
		es: "Envíe el número de serie de un certificado: 32 dígitos hexadecimales.",
	},
	name: {
		en: "Send a name of 1 to 100 characters, without control characters.",
		es: "Envíe un nombre de 1 a 100 caracteres, sin caracteres de control.",
	},
	phone: {
		en: "Send the phone number in international format, for example +56912345678.",
		es: "Envíe el teléfono en formato internacional, por ejemplo +56912345678.",
	},
	credential: {
		en: "Send the single sign-on token as a string of 1 to 8000 visible ASCII characters.",
		es: "Envíe el token de inicio de sesión único: de 1 a 8000 caracteres ASCII visibles.",
	},
	picture: {
		en: "Send a JPEG, PNG or PDF as base64 or as a data URL, at most 4 MiB when decoded.",
		es: "Envíe un JPEG, PNG o PDF en base64 o como data URL, de hasta 4 MiB decodificado.",
	},
	date: {
		en: "Send an existing date as YYYY-MM-DD, DD-MM-YYYY or DD/MM/YYYY.",
		es: "Envíe una fecha que exista: AAAA-MM-DD, DD-MM-AAAA o DD/MM/AAAA.",
	},
	instant: {
		en: "Send YYYY-MM-DD or a timestamp such as 2026-01-31T09:30:00Z, only once.",
		es: "Envíe AAAA-MM-DD o una fecha y hora como 2026-01-31T09:30:00Z, una sola vez.",
	},
	timestamp: {
		en: "Send a past date and time such as 2026-01-31T09:30:00Z.",
		es: "Envíe una fecha y hora pasada, como 2026-01-31T09:30:00Z.",
	},
	range: {
		en: "created_from must not be after created_to.",
		es: "created_from no puede ser posterior a created_to.",
	},
	product: {
		en: "Send one of FV00, FV01, FV02, FV03.",
		es: "Envíe uno de estos: FV00, FV01, FV02, FV03.",
	},
	quantity: {
		en: "quantity must be an integer from 1 to 500.",
		es: "quantity debe ser un entero de 1 a 500.",
	},
	listStatus: {
		en: "Send one of anulado, emitido, bloqueado, en_proceso, validado, expirado, sin_utilizar, only once.",
		es: "Envíe uno de estos, una sola vez: anulado, emitido, bloqueado, en_proceso, validado, expirado, sin_utilizar.",
	},
	page: {
		en: "page must be 1 or more, and sent only once.",
		es: "page debe ser 1 o más, y enviarse una sola vez.",
	},
	limit: {
		en: "limit must be from 1 to 500, and sent only once.",
		es: "limit debe estar entre 1 y 500, y enviarse una sola vez.",
	},
	csvPaging: {
		en: "A CSV is the whole selection: leave page and limit out.",
		es: "Un CSV contiene toda la selección: no envíe page ni limit.",
	},
	requestOutcome: { en: "Send done or refused.", es: "Envíe done o refused." },
	csvRows: {
		en: "A file has at most 100000 codes: narrow created_from and created_to.",
		es: "Un archivo tiene hasta 100000 códigos: acote created_from y created_to.",
	},
	month: {
		en: "Send a month as YYYY-MM, for example 2026-11, only once.",
		es: "Envíe un mes como AAAA-MM, por ejemplo 2026-11, una sola vez.",
	},
	validity: {
		en: "Send valid, expired or revoked, only once.",
		es: "Envíe valid, expired o revoked, una sola vez.",
	},
	flag: { en: "Send 0 or 1.", es: "Envíe 0 o 1." },
	claimInB2b: {
		en: "Remove this field: the certificates of a B2B partner are delivered to the partner.",
		es: "Quite este campo: los certificados de un partner B2B se entregan al partner.",
	},
	locale: { en: "Send es or en.", es: "Envíe es o en." },
	sessionEnded: { en: "This session has ended.", es: "Esta sesión terminó." },
	termsVersion: {
		en: "Send the version of the terms that are shown now.",
		es: "Envíe la versión de los términos que se muestran ahora.",
	},
	step: { en: "Send the name of a step.", es: "Envíe el nombre de un paso." },
	origins: {
		en: "Send at most 20 different origins such as https://shop.example, without a path; http only for loopback, outside prod.",
		es: "Envíe hasta 20 orígenes distintos, como https://tienda.example, sin ruta; http solo en loopback, fuera de prod.",
	},
	accent: {
		en: "Send a colour as #rrggbb whose contrast with white is at least 4.5:1, or null.",
		es: "Envíe un color como #rrggbb con un contraste de al menos 4,5:1 con el blanco, o null.",
	},
	logo: {
		en: "Send a PNG or WebP of at most 32 KiB as base64 or as a data URL, or null.",
		es: "Envíe un PNG o WebP de hasta 32 KiB en base64 o como data URL, o null.",
	},
	deliveryAddress: {
		en: "A B2B partner needs a webhook_url that is switched on, or a delivery_email.",
		es: "Un partner B2B necesita un webhook_url activo o un delivery_email.",
	},
	move: {
		en: "Name another database that is bound, of a partner that is not on its way elsewhere and whose last copy was cleared.",
		es: "Indique otra base de datos conectada, de un partner que no vaya camino a otra y cuya copia anterior ya se borró.",
	},
	copyTooYoung: {
		en: "The old rows stay for a week after the move.",
		es: "Las filas anteriores se guardan una semana después del traslado.",
	},
	ssoInReducedFlow: {
		en: "The reduced flow has no single sign-on: send 0, or require_cedula_serie 0 too.",
		es: "El flujo reducido no usa inicio de sesión único: envíe 0, o también require_cedula_serie 0.",
	},
	serialWithoutSso: {
		en: "Single sign-on is not asked for: send 0, or require_cedula_serie 0 and require_sso 1 too.",
		es: "No se pide inicio de sesión único: envíe 0, o también require_cedula_serie 0 y require_sso 1.",
	},
	products: {
		en: "Send an array of FV00, FV01, FV02, FV03, without repeating any.",
		es: "Envíe un arreglo con FV00, FV01, FV02, FV03, sin repetir.",
	},
	mode: { en: "Send B2C or B2B.", es: "Envíe B2C o B2B." },
	pfxProfile: { en: "Send modern or legacy.", es: "Envíe modern o legacy." },
	language: { en: "Send es or en.", es: "Envíe es o en." },
	keyAlgorithm: { en: "Send rsa-2048 or ec-p256.", es: "Envíe rsa-2048 o ec-p256." },
	url: {
		en: "Send an https URL on port 443 without credentials, or null. http and other ports are accepted only for loopback, in local.",
		es: "Envíe una URL https en el puerto 443 y sin credenciales, o null. Se aceptan http y otros puertos solo en loopback, en local.",
	},
	verb: { en: "Use cancel, block, unblock or replace.", es: "Use cancel, block, unblock o replace." },
	identifier: {
		en: "Send the identifier exactly as this service returned it.",
		es: "Envíe el identificador tal como lo entregó este servicio.",
	},
	revocationReason: {
		en: "Send one of unspecified, keyCompromise, affiliationChanged, superseded, cessationOfOperation, privilegeWithdrawn.",
		es: "Envíe uno de estos: unspecified, keyCompromise, affiliationChanged, superseded, cessationOfOperation, privilegeWithdrawn.",
	},
	webhookEvents: {
		en: `Send an array of ${SUBSCRIPTIONS.join(", ")}, without repeating any.`,
		es: `Envíe un arreglo con ${SUBSCRIPTIONS.join(", ")}, sin repetir.`,
	},
	deliveryEvent: {
		en: "Send the name of one event, for example certificate.emitted, only once.",
		es: "Envíe el nombre de un evento, por ejemplo certificate.emitted, una sola vez.",
	},
	deliveryState: {
		en: "Send pending, delivered or dead, only once.",
		es: "Envíe pending, delivered o dead, una sola vez.",
	},
	overlapHours: { en: "Send an integer from 0 to 168.", es: "Envíe un entero de 0 a 168." },
	side: { en: "Use front or back.", es: "Use front o back." },
	scopes: {
		en: "Send an array of one or more of codes, redeem, read, manage, without repeating any.",
		es: "Envíe un arreglo con uno o más de codes, redeem, read, manage, sin repetir.",
	},
	expiry: {
		en: "Send a future date and time such as 2027-01-31T09:30:00Z, or null.",
		es: "Envíe una fecha y hora futura, como 2027-01-31T09:30:00Z, o null.",
	},
	ranges: {
		en: "Send null, or an array of 1 to 50 address ranges such as 203.0.113.0/24 or 2001:db8::/32.",
		es: "Envíe null o un arreglo de 1 a 50 rangos de direcciones, como 203.0.113.0/24 o 2001:db8::/32.",
	},
	database: {
		en: "Send the number of a bound database.",
		es: "Envíe el número de una base de datos conectada.",
	},
	codeQuota: { en: "Send an integer from 0 to 10000000.", es: "Envíe un entero de 0 a 10000000." },
	boolean: { en: "Send true or false.", es: "Envíe true o false." },
} as const satisfies Record<string, Text>;

export type Hint = keyof typeof HINTS;
