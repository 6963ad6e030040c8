import type { Text } from "./language.ts";

/** The operators' reference: calls about the audit, the databases, the jobs, the authority and a restore. */
export const UPKEEP_REFERENCE = {
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
