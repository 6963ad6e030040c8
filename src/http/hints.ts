import type { Text } from "./languages.ts";

/** What to send instead, by the name a schema gives as its error. Never quotes what was sent. */
export const HINTS = {
	object: { en: "Send a JSON object.", es: "Envíe un objeto JSON." },
	unknown: {
		en: "Leave this field out: it is not part of this call.",
		es: "No envíe este campo: no es parte de esta llamada.",
	},
	missing: { en: "Send this field: it is required.", es: "Envíe este campo: es obligatorio." },
	cursor: {
		en: "Send the cursor of the page before, as it was.",
		es: "Envíe el cursor de la página anterior, tal cual.",
	},
	json: { en: "Send well-formed JSON.", es: "Envíe JSON bien formado." },
	text: {
		en: "Send a string of 1 to 128 characters without control characters.",
		es: "Envíe un texto de 1 a 128 caracteres, sin caracteres de control.",
	},
	code: {
		en: "Send the purchase code as a string, like 7K3M-9QXT-2B4C-H8WD.",
		es: "Envíe el código de compra como texto, por ejemplo 7K3M-9QXT-2B4C-H8WD.",
	},
	rut: {
		en: "Send a RUT with its right check digit, like 12345678-5.",
		es: "Envíe un RUT con su dígito verificador correcto, por ejemplo 12345678-5.",
	},
	email: {
		en: "Send an e-mail address of at most 254 characters, like ana@example.cl.",
		es: "Envíe un correo de a lo más 254 caracteres, por ejemplo ana@example.cl.",
	},
	pin: {
		en: "Send the PIN as a string of exactly 4 digits.",
		es: "Envíe el PIN como texto de exactamente 4 dígitos.",
	},
	cardSerial: {
		en: "Send the card's serial number: 9 digits, A and 9 digits, or B and 8 digits.",
		es: "Envíe el número de serie de la cédula: 9 dígitos, A y 9 dígitos, o B y 8 dígitos.",
	},
	name: {
		en: "Send a name of 1 to 100 characters without control characters.",
		es: "Envíe un nombre de 1 a 100 caracteres, sin caracteres de control.",
	},
	phone: {
		en: "Send the phone in international format, like +56912345678.",
		es: "Envíe el teléfono en formato internacional, por ejemplo +56912345678.",
	},
	credential: {
		en: "Send the single sign-on token as a string of 1 to 8000 visible ASCII characters.",
		es: "Envíe el token de inicio de sesión único: 1 a 8000 caracteres ASCII visibles.",
	},
	picture: {
		en: "Send a JPEG, PNG or PDF as base64 or as a data URL, at most 4 MiB decoded.",
		es: "Envíe un JPEG, PNG o PDF en base64 o como data URL, de a lo más 4 MiB decodificado.",
	},
	date: {
		en: "Send a date that exists, as YYYY-MM-DD, DD-MM-YYYY or DD/MM/YYYY.",
		es: "Envíe una fecha que exista: YYYY-MM-DD, DD-MM-YYYY o DD/MM/YYYY.",
	},
	instant: {
		en: "Send YYYY-MM-DD or a timestamp like 2026-01-31T09:30:00Z, once.",
		es: "Envíe YYYY-MM-DD o una fecha y hora como 2026-01-31T09:30:00Z, una sola vez.",
	},
	range: {
		en: "Send a created_from that is not after created_to.",
		es: "Envíe un created_from que no sea posterior a created_to.",
	},
	product: { en: "Send one of FV00, FV01, FV02, FV03.", es: "Envíe uno de FV00, FV01, FV02, FV03." },
	quantity: { en: "Send an integer from 1 to 500.", es: "Envíe un entero de 1 a 500." },
	listStatus: {
		en: "Send one of anulado, emitido, bloqueado, en_proceso, validado, expirado, sin_utilizar, once.",
		es: "Envíe uno de anulado, emitido, bloqueado, en_proceso, validado, expirado, sin_utilizar, una sola vez.",
	},
	page: { en: "Send an integer from 1 on, once.", es: "Envíe un entero desde 1, una sola vez." },
	limit: { en: "Send an integer from 1 to 500, once.", es: "Envíe un entero de 1 a 500, una sola vez." },
	flag: { en: "Send 0 or 1.", es: "Envíe 0 o 1." },
	products: {
		en: "Send an array of FV00, FV01, FV02, FV03, each at most once.",
		es: "Envíe un arreglo de FV00, FV01, FV02, FV03, cada uno a lo más una vez.",
	},
	mode: { en: "Send B2C or B2B.", es: "Envíe B2C o B2B." },
	pfxProfile: { en: "Send modern or legacy.", es: "Envíe modern o legacy." },
	keyAlgorithm: { en: "Send rsa-2048 or ec-p256.", es: "Envíe rsa-2048 o ec-p256." },
	url: {
		en: "Send an https URL without credentials (http only on loopback, on a developer's machine), or null.",
		es: "Envíe una URL https sin credenciales (http solo en loopback, en una máquina de desarrollo), o null.",
	},
	verb: { en: "Use cancel, block or unblock.", es: "Use cancel, block o unblock." },
	identifier: {
		en: "Use an identifier as this service gave it.",
		es: "Use un identificador tal como lo entregó este servicio.",
	},
	revocationReason: {
		en: "Send one of unspecified, keyCompromise, affiliationChanged, superseded, cessationOfOperation, privilegeWithdrawn.",
		es: "Envíe uno de unspecified, keyCompromise, affiliationChanged, superseded, cessationOfOperation, privilegeWithdrawn.",
	},
	webhookEvents: {
		en: "Send an array of certificate.emitted, pcode.validated, pcode.locked, pcode.cancelled, each at most once.",
		es: "Envíe un arreglo de certificate.emitted, pcode.validated, pcode.locked, pcode.cancelled, cada uno a lo más una vez.",
	},
	deliveryState: {
		en: "Send pending, delivered or dead, once.",
		es: "Envíe pending, delivered o dead, una sola vez.",
	},
	overlapHours: { en: "Send an integer from 0 to 168.", es: "Envíe un entero de 0 a 168." },
	side: { en: "Use front or back.", es: "Use front o back." },
	boolean: { en: "Send true or false.", es: "Envíe true o false." },
} as const satisfies Record<string, Text>;

export type Hint = keyof typeof HINTS;
