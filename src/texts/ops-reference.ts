import type { Text } from "./language.ts";
import { HOLDERS_REFERENCE } from "./ops-holders.ts";
import { UPKEEP_REFERENCE } from "./ops-upkeep-reference.ts";

/* The operators' reference (`/ops/openapi.json`). Calls are named by their operationId: its summary and success. */

export const OPS_REFERENCE = {
	title: { en: "Operations of the certificate service", es: "Operación del servicio de certificados" },
	introduction: {
		en: "Partners, keys, purchase codes, certificates, deliveries, pictures, audit and jobs, for the operators of the service. Every call needs an operations token or a sign-in through Cloudflare Access; with neither configured no path under /ops exists. Each call names the role it needs: `read`, `operate` or `evidence` (pictures of identity cards). Every change is recorded in the audit.",
		es: "Partners, API keys, códigos de compra, certificados, envíos, imágenes, auditoría y tareas, para los operadores del servicio. Toda llamada requiere un token de operaciones o haber ingresado por Cloudflare Access; si no hay ninguno configurado, no existe ninguna ruta bajo /ops. Cada llamada indica el rol que requiere: `read`, `operate` o `evidence` (imágenes de cédulas). Todo cambio queda en la auditoría.",
	},
	opsToken: {
		en: "A token of one person or program (OPS_TOKENS).",
		es: "El token de una persona o un programa (OPS_TOKENS).",
	},
	cloudflareAccess: {
		en: "What Cloudflare Access adds to the call of a person who has signed in.",
		es: "Lo que Cloudflare Access agrega a la llamada de una persona que ha ingresado.",
	},
	tagPartners: {
		en: "Partners, their settings, keys and webhook secrets.",
		es: "Partners, su configuración, API keys y secretos de webhook.",
	},
	tagCodes: {
		en: "Purchase codes, certificates and the pictures of a validation.",
		es: "Códigos de compra, certificados e imágenes de una validación.",
	},
	tagDeliveries: {
		en: "Webhooks and e-mails to partners.",
		es: "Webhooks y correos a los partners.",
	},
	tagAudit: { en: "The record of every change.", es: "El registro de todo cambio." },
	tagJobs: {
		en: "What the cron runs, and the check of the database against itself.",
		es: "Lo que ejecuta el cron, y la revisión de la base de datos contra sí misma.",
	},

	"createPartner.summary": {
		en: "Create a partner with its first API key and webhook secret, shown only in this answer",
		es: "Crear un partner con su primera API key y su secreto de webhook, que solo se muestran en esta respuesta",
	},
	"createPartner.success": {
		en: "The partner, its key and secret.",
		es: "El partner, su API key y su secreto.",
	},
	"listPartners.summary": {
		en: "List partners, oldest first",
		es: "Listar partners, primero los más antiguos",
	},
	"listPartners.success": { en: "All partners.", es: "Todos los partners." },
	"showPartner.summary": {
		en: "Show a partner and its keys in force",
		es: "Ver un partner y sus API keys vigentes",
	},
	"showPartner.success": {
		en: "The partner and its keys in force.",
		es: "El partner y sus API keys vigentes.",
	},
	"changePartner.summary": {
		en: "Change a partner's settings, suspend it or resume it",
		es: "Cambiar la configuración de un partner, suspenderlo o reactivarlo",
	},
	"changePartner.success": { en: "The partner as it is now.", es: "El partner como quedó." },
	"movePartner.summary": {
		en: "Move a partner to another database, go back, clear the old rows, or carry on what was begun",
		es: "Trasladar un partner a otra base de datos, volver atrás, borrar las filas anteriores o continuar lo comenzado",
	},
	"movePartner.success": {
		en: "How far the move has come. A call works for 20 s at most: send it again with `next` as `cursor` until `next` is null.",
		es: "Hasta dónde llegó el traslado. Una llamada trabaja 20 s como máximo: repítala con `next` como `cursor` hasta que `next` sea null.",
	},
	"listEndedKeys.summary": {
		en: "List a partner's keys that have ended, the latest first",
		es: "Listar las API keys terminadas de un partner, primero las últimas",
	},
	"listEndedKeys.success": {
		en: "One page; `next` is null on the last. A key is deleted 90 days after its end.",
		es: "Una página; `next` es null en la última. Una API key se borra 90 días después de su término.",
	},
	"addKey.summary": {
		en: "Add an API key, shown only in this answer",
		es: "Agregar una API key, que solo se muestra en esta respuesta",
	},
	"addKey.success": { en: "The key.", es: "La API key." },
	"rotateKey.summary": {
		en: "Replace an API key: the new one is shown only in this answer, the old one ends after the overlap",
		es: "Reemplazar una API key: la nueva solo se muestra en esta respuesta, la anterior termina después del traslape",
	},
	"rotateKey.success": {
		en: "The new key, and the old one with its end.",
		es: "La API key nueva, y la anterior con su término.",
	},
	"revokeKey.summary": {
		en: "Revoke an API key; in force everywhere within 60 s",
		es: "Revocar una API key; rige en todas partes antes de 60 s",
	},
	"revokeKey.success": { en: "The key as it is now.", es: "La API key como quedó." },
	"rotateWebhookSecret.summary": {
		en: "Replace the webhook secret: the new one is shown only in this answer, both sign during the overlap",
		es: "Reemplazar el secreto de webhook: el nuevo solo se muestra en esta respuesta, ambos firman durante el traslape",
	},
	"rotateWebhookSecret.success": { en: "The secret.", es: "El secreto." },
	"showWidget.summary": {
		en: "Show a partner's settings of the widget",
		es: "Ver la configuración del widget de un partner",
	},
	"showWidget.success": { en: "The settings.", es: "La configuración." },
	"setWidget.summary": {
		en: "Set where a partner's widget may be embedded, its accent colour and its logo",
		es: "Definir dónde se puede incrustar el widget de un partner, su color y su logo",
	},
	"setWidget.success": { en: "The settings as they are now.", es: "La configuración como quedó." },
	"showCode.summary": {
		en: "Show the stored facts of a purchase code; no personal data, no secrets",
		es: "Ver los datos guardados de un código de compra; sin datos personales ni secretos",
	},
	"showCode.success": { en: "The facts.", es: "Los datos." },
	"operateCode.summary": {
		en: "Cancel (revoking its certificate), block or unblock a purchase code",
		es: "Anular (revocando su certificado), bloquear o desbloquear un código de compra",
	},
	"operateCode.success": { en: "The facts as they are now.", es: "Los datos como quedaron." },
	"replaceCode.summary": {
		en: "Replace a purchase code that cannot be used any more: cancels it, unless it was issued, and creates one of the same product and partner; repeating it answers the same code",
		es: "Reemplazar un código de compra que ya no se puede usar: lo anula, salvo que esté emitido, y crea otro del mismo producto y partner; al repetirlo responde el mismo código",
	},
	"replaceCode.success": {
		en: "The new code, with its own 14 days.",
		es: "El código nuevo, con sus propios 14 días.",
	},
	"showCertificate.summary": {
		en: "Show the stored facts of a certificate; no personal data",
		es: "Ver los datos guardados de un certificado; sin datos personales",
	},
	"showCertificate.success": { en: "The facts.", es: "Los datos." },
	"revokeCertificate.summary": {
		en: "Revoke a certificate without cancelling its purchase code; a revoked one keeps its date and reason",
		es: "Revocar un certificado sin anular su código de compra; uno ya revocado conserva su fecha y motivo",
	},
	"revokeCertificate.success": { en: "The facts as they are now.", es: "Los datos como quedaron." },
	...HOLDERS_REFERENCE,

	"listDeliveries.summary": {
		en: "List deliveries, newest first: pending, delivered, dead letters; no personal data",
		es: "Listar envíos, primero los más nuevos: pendientes, entregados, fallidos; sin datos personales",
	},
	"listDeliveries.success": { en: "The deliveries.", es: "Los envíos." },
	"resendDelivery.summary": {
		en: "Send a delivery again: a new round of attempts under the same webhook-id; audited",
		es: "Reenviar: una nueva ronda de intentos con el mismo webhook-id; queda en la auditoría",
	},
	"resendDelivery.success": { en: "The delivery as it is now.", es: "El envío como quedó." },
	"listPictures.summary": {
		en: "List the pictures kept of a code's validations; audited",
		es: "Listar las imágenes guardadas de las validaciones de un código; queda en la auditoría",
	},
	"listPictures.success": {
		en: "The pictures, oldest first, without their content.",
		es: "Las imágenes, primero las más antiguas, sin su contenido.",
	},
	"downloadPicture.summary": {
		en: "Download a picture: of one validation, or the latest of this side; audited",
		es: "Descargar una imagen: de una validación, o la última de este lado; queda en la auditoría",
	},
	"downloadPicture.success": {
		en: "The picture as the partner sent it.",
		es: "La imagen tal como la envió el partner.",
	},
	...UPKEEP_REFERENCE,
} as const satisfies Record<string, Text>;
