import type { Text } from "./language.ts";
import { HOLDERS_REFERENCE } from "./ops-holders.ts";

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
	"showAudit.summary": {
		en: "Show and verify the audit of one code, partner, batch, delivery or job, or of who saw a code's pictures; no personal data",
		es: "Ver y verificar la auditoría de un código, partner, lote, envío o tarea, o de quién vio las imágenes de un código; sin datos personales",
	},
	"showAudit.success": {
		en: "Its rows, oldest first, and the faults found in them.",
		es: "Sus filas, primero las más antiguas, y las fallas encontradas.",
	},
	"verifyAudit.summary": {
		en: "Verify the whole audit, one page per call: finds altered, removed, reordered and forged rows",
		es: "Verificar toda la auditoría, una página por llamada: encuentra filas alteradas, borradas, reordenadas o falsificadas",
	},
	"verifyAudit.success": {
		en: "What this page has; `next` is null after the last page.",
		es: "Lo que tiene esta página; `next` es null después de la última.",
	},
	"listDigests.summary": {
		en: "List the digests of each day's audit rows, kept outside the database, oldest first",
		es: "Listar los resúmenes de las filas de auditoría de cada día, guardados fuera de la base de datos, primero los más antiguos",
	},
	"listDigests.success": { en: "All digests.", es: "Todos los resúmenes." },
	"listDatabases.summary": {
		en: "List the databases: size, partners, certificates, and whether each takes new partners",
		es: "Listar las bases de datos: tamaño, partners, certificados y si reciben partners nuevos",
	},
	"listDatabases.success": { en: "The databases.", es: "Las bases de datos." },
	"changeDatabase.summary": {
		en: "Open a database to new partners, or close it",
		es: "Abrir una base de datos a partners nuevos, o cerrarla",
	},
	"changeDatabase.success": { en: "The database.", es: "La base de datos." },
	"recordRestore.summary": {
		en: "Record that the database was put back to an earlier time: the days since then get one new digest; audited",
		es: "Registrar que la base de datos se devolvió a un momento anterior: los días desde entonces reciben un nuevo resumen; queda en la auditoría",
	},
	"recordRestore.success": { en: "The new digest.", es: "El nuevo resumen." },
	"listJobs.summary": {
		en: "List the jobs: when each last ran, what it found and did",
		es: "Listar las tareas: cuándo corrió cada una, qué encontró y qué hizo",
	},
	"listJobs.success": { en: "The jobs.", es: "Las tareas." },
	"runJob.summary": {
		en: "Run one bounded batch of a job now, as the cron does",
		es: "Ejecutar ahora una parte acotada de una tarea, como lo hace el cron",
	},
	"runJob.success": {
		en: "What the run found and did; `done` is false while there is more.",
		es: "Qué encontró y qué hizo; `done` es false mientras quede más.",
	},
	"showAuthority.summary": {
		en: "Show where the issuing key is, how its signer is, and what of the authority ends by itself",
		es: "Mostrar dónde está la clave privada emisora, cómo está su firmador, y qué de la autoridad termina por sí solo",
	},
	"showAuthority.success": { en: "The authority.", es: "La autoridad." },
	"rebuildDirectory.summary": {
		en: "After a restore: make the directory of partners and keys agree with all databases",
		es: "Tras una restauración: rehacer el directorio de partners y API keys a partir de todas las bases de datos",
	},
	"rebuildDirectory.success": {
		en: "The partners whose place was settled, and those that no database has. Repeating it changes nothing.",
		es: "Los partners cuyo lugar se corrigió y los que ninguna base de datos tiene. Repetirlo no cambia nada.",
	},
	"mendRestored.summary": {
		en: "After a restore of D1: enter again the certificates and revocations that it has forgotten, one page of codes per call",
		es: "Después de restaurar D1: volver a registrar los certificados y revocaciones que olvidó, una página de códigos por llamada",
	},
	"mendRestored.success": {
		en: "Codes whose certificates are registered again, and codes that could not be asked: walk again until `failed` is empty and `mending` is false. `next` is null after the last page.",
		es: "Códigos cuyos certificados quedaron registrados otra vez, y códigos que no se pudo consultar: repite el recorrido hasta que `failed` esté vacío y `mending` sea false. `next` es null después de la última página.",
	},
	"readSettings.summary": {
		en: "After a restore of D1: partners' settings, and their keys and webhook secrets in force, as D1 has them, one page of partners per call",
		es: "Después de restaurar D1: la configuración de los partners, y sus API keys y secretos de webhook vigentes, tal como están en D1, una página de partners por llamada",
	},
	"readSettings.success": {
		en: "Rows of this page, without hashes and secrets; `next` is null after the last page.",
		es: "Las filas de esta página, sin hashes ni secretos; `next` es null después de la última.",
	},
	"endMending.summary": {
		en: "End the mending without a walk that found nothing more: OCSP takes D1's word again; audited",
		es: "Terminar la reparación sin un recorrido que no encuentre nada más: OCSP vuelve a confiar en D1; queda en la auditoría",
	},
	"endMending.success": { en: "It has ended, or none was under way.", es: "Terminó, o no había ninguna." },
	"reconcile.summary": {
		en: "Compare the database with itself, one page per call; with repair, fix what can be fixed without guessing",
		es: "Comparar la base de datos consigo misma, una página por llamada; con repair, corrige lo que se puede sin adivinar",
	},
	"reconcile.success": {
		en: "What this page has; `next` is null after the last page.",
		es: "Lo que tiene esta página; `next` es null después de la última.",
	},
} as const satisfies Record<string, Text>;
