import type { AuditAction, JobName } from "../domain/audit-actions.ts";
import type { Language, Text } from "./language.ts";

/** The cron's jobs, in words. */
export const JOB_NAMES: Record<JobName, Text> = {
	"forget-idempotency-keys": {
		es: "Borrar Idempotency-Keys vencidas",
		en: "Delete expired Idempotency-Keys",
	},
	"forget-onboarding-sessions": { es: "Borrar sesiones del widget", en: "Delete widget sessions" },
	"forget-rut-attempts": { es: "Borrar intentos por RUT", en: "Delete attempts by RUT" },
	"forget-console-sessions": { es: "Borrar sesiones de la consola", en: "Delete console sessions" },
	"forget-holder-visits": { es: "Borrar visitas a /revocar", en: "Delete visits to /revocar" },
	"forget-holder-counts": { es: "Borrar cuentas de /revocar", en: "Delete counts of /revocar" },
	"forget-delivery-attempts": { es: "Borrar intentos de envío", en: "Delete delivery attempts" },
	"forget-emails": { es: "Borrar correos de titulares", en: "Delete holders' e-mail addresses" },
	"lapse-validations": { es: "Cerrar validaciones sin retiro", en: "Close validations nobody claimed" },
	"erase-holders": { es: "Borrar datos de titulares", en: "Erase holders' data" },
	"erase-leaves": { es: "Borrar certificados guardados", en: "Erase stored certificates" },
	"erase-old-copies": {
		es: "Borrar en copias antiguas lo ya borrado",
		en: "Erase in old copies what is erased",
	},
	"erase-delivery-details": { es: "Borrar contenido de envíos", en: "Erase the content of deliveries" },
	"sweep-stray-pictures": {
		es: "Borrar imágenes sin validación",
		en: "Delete pictures without a validation",
	},
	"remind-of-certificates": {
		es: "Avisar certificados por vencer",
		en: "Remind of certificates that end soon",
	},
	"remind-of-codes": { es: "Avisar códigos por vencer", en: "Remind of codes that end soon" },
	"remind-of-lapses": { es: "Avisar validaciones por caducar", en: "Remind of validations about to lapse" },
	reconcile: { es: "Conciliar las tablas", en: "Reconcile the tables" },
	"reseal-rows": { es: "Volver a sellar filas", en: "Seal rows again" },
	"reseal-evidence": { es: "Volver a sellar imágenes", en: "Seal pictures again" },
	"digest-audit": { es: "Resumir la auditoría del día", en: "Digest the day's audit" },
	"verify-audit": { es: "Verificar la auditoría", en: "Verify the audit" },
	"watch-authority": { es: "Vigilar las fechas de la autoridad", en: "Watch the authority's dates" },
};

/** Entries of the audit and of a code's history, in words. */
const ACTION_NAMES: Record<AuditAction, Text> = {
	...JOB_NAMES,
	created: { es: "Creado", en: "Created" },
	validated: { es: "Titular validado", en: "Holder validated" },
	emitted: { es: "Certificado emitido", en: "Certificate issued" },
	validation_failed: { es: "Validación fallida", en: "Validation failed" },
	validation_refused: { es: "Validación rechazada", en: "Validation refused" },
	claim_failed: { es: "Retiro fallido", en: "Claim failed" },
	cancel: { es: "Anulado", en: "Cancelled" },
	block: { es: "Bloqueado", en: "Blocked" },
	unblock: { es: "Desbloqueado", en: "Unblocked" },
	replace: { es: "Reemplazado por otro código", en: "Replaced by another code" },
	revoke: { es: "Certificado revocado", en: "Certificate revoked" },
	holder_erased: { es: "Datos del titular borrados", en: "Holder's data erased" },
	step_abandoned: { es: "Operación interrumpida", en: "Operation interrupted" },
	session_made: { es: "Sesión del widget creada", en: "Widget session made" },
	certificate_entered: {
		es: "Certificado registrado otra vez tras una restauración",
		en: "Certificate entered again after a restore",
	},
	mended_after_restore: { es: "Reparado tras una restauración", en: "Mended after a restore" },
	batch_abandoned: { es: "Lote no creado", en: "Batch not created" },
	changed: { es: "Configuración cambiada", en: "Settings changed" },
	suspended: { es: "Partner suspendido", en: "Partner suspended" },
	resumed: { es: "Partner reactivado", en: "Partner resumed" },
	widget_changed: { es: "Widget cambiado", en: "Widget changed" },
	webhook_switched_off: { es: "Webhook desactivado", en: "Webhook switched off" },
	webhook_secret_rotated: { es: "Secreto del webhook reemplazado", en: "Webhook secret replaced" },
	key_added: { es: "API key creada", en: "API key created" },
	key_rotated: { es: "API key reemplazada", en: "API key replaced" },
	key_revoked: { es: "API key revocada", en: "API key revoked" },
	delivery_email_asked: {
		es: "Se pidió confirmar el correo de entrega",
		en: "The delivery e-mail was asked to be confirmed",
	},
	move_began: { es: "Traslado a otra base de datos comenzado", en: "Move to another database begun" },
	move_given_up: { es: "Traslado abandonado", en: "Move given up" },
	moved: { es: "Trasladado a otra base de datos", en: "Moved to another database" },
	move_cleared: { es: "Copia anterior al traslado borrada", en: "Copy from before the move erased" },
	clock_advanced: { es: "Reloj del sandbox adelantado", en: "Sandbox clock advanced" },
	signed_in: { es: "Ingreso a la consola", en: "Signed in to the console" },
	signed_out: { es: "Salida de la consola", en: "Signed out of the console" },
	signed_out_everywhere: {
		es: "Todas las sesiones de la consola cerradas",
		en: "Every session of the console ended",
	},
	session_ended: { es: "Sesión de la consola cerrada", en: "Session of the console ended" },
	ended_by_address: {
		es: "Sesión de la consola terminada: dirección IP no permitida",
		en: "Console session ended: IP address not allowed",
	},
	started: { es: "Sesión del widget abierta", en: "Widget session opened" },
	ended: { es: "Sesión del widget terminada", en: "Widget session ended" },
	delivery_resent: { es: "Envío reenviado", en: "Delivery sent again" },
	evidence_listed: { es: "Imágenes de la cédula listadas", en: "Pictures of the card listed" },
	evidence_read: { es: "Imagen de la cédula vista", en: "Picture of the card seen" },
	holder_searched: { es: "Titular buscado por RUT", en: "Holder searched by RUT" },
	holder_shown: { es: "Datos de un titular vistos por RUT", en: "Holder's data shown by RUT" },
	holder_erasure_asked: { es: "Borrado de un titular pedido por RUT", en: "Holder's erasure asked by RUT" },
	holder_request_made: { es: "Solicitud de un titular", en: "Holder's request made" },
	holder_request_closed: { es: "Solicitud de un titular respondida", en: "Holder's request answered" },
	database_opened: { es: "Base de datos abierta a partners nuevos", en: "Database opened to new partners" },
	database_closed: { es: "Base de datos cerrada a partners nuevos", en: "Database closed to new partners" },
	mending_ended: { es: "Reparación tras la restauración terminada", en: "Mending after the restore ended" },
	directory_rebuilt: { es: "Directorio de partners rehecho", en: "Directory of partners rebuilt" },
	restore_recorded: { es: "Restauración de D1 registrada", en: "Restore of D1 recorded" },
};

/** A row that another version of the service wrote is shown as it is. */
export function actionName(action: AuditAction, language: Language): string {
	return (ACTION_NAMES[action] as Text | undefined)?.[language] ?? action;
}
