import type { Text } from "./language.ts";

/* The partner's reference, continued: posts to its webhook. */

export const WEBHOOK_REFERENCE = {
	tagWebhooks: {
		en: "What the service posts to the partner's webhook (Standard Webhooks 1.0).",
		es: "Lo que el servicio envía al webhook del partner (Standard Webhooks 1.0).",
	},
	webhookSuccess: {
		en: "Any 2xx: received. 410 stops deliveries to this address. Anything else is tried again for up to 3 days.",
		es: "Cualquier 2xx: recibido. 410 detiene los envíos a esta dirección. Cualquier otra respuesta se reintenta por hasta 3 días.",
	},
	webhookId: {
		en: "The same at every attempt of a delivery: use it to drop repeats.",
		es: "El mismo en cada intento de un envío: úselo para descartar repetidos.",
	},
	webhookTimestamp: {
		en: "When the attempt was made, seconds since 1970.",
		es: "Momento del intento, en segundos desde 1970.",
	},
	webhookSignature: {
		en: "`v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`, one per valid secret, separated by spaces.",
		es: "`v1,` y el base64 de HMAC-SHA-256 sobre `id.timestamp.body`, uno por cada secreto vigente, separados por espacios.",
	},
	"onCertificateEmitted.summary": {
		en: "A certificate was issued",
		es: "Se emitió un certificado",
	},
	"onCertificateEmitted.description": {
		en: "For B2B partners with the PFX and the holder; for B2C partners without them.",
		es: "Para partners B2B con el PFX y el titular; para partners B2C sin ellos.",
	},
	"onCodeValidated.summary": {
		en: "A holder's identity was validated",
		es: "Se validó la identidad de un titular",
	},
	"onCodeLocked.summary": {
		en: "A purchase code was locked",
		es: "Se bloqueó un código de compra",
	},
	"onCodeLocked.description": {
		en: "By too many failed attempts, for 30 minutes or for good; for good, 90 days after a validation that nobody claimed, or by the operator.",
		es: "Por demasiados intentos fallidos, por 30 minutos o en forma definitiva; en forma definitiva, 90 días después de una validación sin retiro, o por el operador.",
	},
	"onCodeCancelled.summary": {
		en: "A purchase code was cancelled",
		es: "Se anuló un código de compra",
	},
	"onCodeCancelled.description": {
		en: "A certificate that was issued for it is revoked: serialNumber names it.",
		es: "Si ya tenía un certificado emitido, queda revocado: serialNumber lo identifica.",
	},
	"onCertificateRevoked.summary": {
		en: "A certificate was revoked",
		es: "Se revocó un certificado",
	},
	"onCertificateRevoked.description": {
		en: "revoked_by says who did it: the holder on our page, you, or our operators (`ops`). When the code was cancelled, `pcode.cancelled` comes too.",
		es: "revoked_by dice quién lo hizo: el titular en nuestra página (`holder`), usted (`partner`) o nuestros operadores (`ops`). Si se anuló el código, también llega `pcode.cancelled`.",
	},
	"onCertificateExpiring.summary": {
		en: "A certificate expires in 60, 30 or 7 days",
		es: "A un certificado le quedan 60, 30 o 7 días",
	},
	"onCertificateExpiring.description": {
		en: "Once each, unless it was revoked, or renewed by another that names it in `renews`. A day that was already over when it was issued has none: a certificate of 30 days has that of 7 alone.",
		es: "Una vez por cada plazo, salvo que esté revocado o lo haya renovado otro que lo indica en `renews`. Los plazos anteriores a la emisión no se avisan: uno de 30 días solo tiene el de 7.",
	},
	"onCodesExpiring.summary": {
		en: "Codes of a batch that nobody has used can be used for two more days",
		es: "A los códigos sin utilizar de un lote les quedan dos días",
	},
	"onCodesExpiring.description": {
		en: "Once per batch, on day 12 of 14. count is how many of them are unused; GET /pcodes?batch_id= lists them.",
		es: "Una vez por lote, el día 12 de 14. count indica cuántos siguen sin utilizar; GET /pcodes?batch_id= los lista.",
	},
	"onCodeLapsing.summary": {
		en: "A validated code that nobody has claimed is blocked for good in 14 days",
		es: "Un código validado que nadie ha retirado se bloquea definitivamente en 14 días",
	},
	"onCodeLapsing.description": {
		en: "Once per code, 14 days before lapses_at. A certificate_claim until then ends it.",
		es: "Una vez por código, 14 días antes de lapses_at. Un certificate_claim hasta entonces lo evita.",
	},
} as const satisfies Record<string, Text>;
