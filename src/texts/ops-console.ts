import type { Text } from "./language.ts";
import { RECEIPT } from "./widget-receipt.ts";

/** The console of ops: what every page has, signing in, and what a form answers. */
export const OPS_CONSOLE = {
	title: { es: "Consola de operaciones", en: "Operations console" },
	overview: { es: "Resumen", en: "Overview" },
	partners: { es: "Partners", en: "Partners" },
	holders: { es: "Titulares", en: "Holders" },
	codes: { es: "Códigos", en: "Codes" },
	certificates: { es: "Certificados", en: "Certificates" },
	deliveries: { es: "Envíos", en: "Deliveries" },
	audit: { es: "Auditoría", en: "Audit" },
	jobs: { es: "Tareas", en: "Jobs" },
	databases: { es: "Bases de datos", en: "Databases" },
	authority: { es: "Autoridad", en: "Authority" },

	signIn: { es: "Ingresar", en: "Sign in" },
	signInWith: {
		es: "Ingrese con su token de operaciones. La sesión dura una hora y solo existe en local y dev; en producción se ingresa por Cloudflare Access.",
		en: "Sign in with your operations token. The session lasts an hour and exists in local and dev alone; in production people come in through Cloudflare Access.",
	},
	token: { es: "Token de operaciones", en: "Operations token" },
	tokenWrong: { es: "Ese token no es válido.", en: "That token is not valid." },

	silent: {
		es: "No respondió: {which}. Falta lo de los partners que viven ahí.",
		en: "No answer from {which}. What belongs to the partners who live there is missing.",
	},
	done: { es: "Hecho.", en: "Done." },
	shownOnce: {
		es: "Cópielo ahora: no se vuelve a mostrar.",
		en: "Copy it now: it is not shown again.",
	},
	back: { es: "Volver", en: "Back" },
	open: { es: "Abrir", en: "Open" },
	find: { es: "Buscar", en: "Find" },
	reason: { es: "Motivo (queda en la auditoría)", en: "Reason (recorded in the audit)" },
	reasonHint: {
		es: "Sin datos personales: por ejemplo, el número del caso.",
		en: "No personal data: for example, the number of the ticket.",
	},
	yes: { es: "sí", en: "yes" },
	no: { es: "no", en: "no" },
	none: { es: "No hay.", en: "There are none." },
	nothing: { es: "—", en: "—" },
	ahead: { es: "reloj del sandbox: {ahead} adelantado", en: "sandbox clock: {ahead} ahead" },
	never: { es: "nunca", en: "never" },
	created: { es: "Creado", en: "Created" },
	changed: { es: "Cambiado", en: "Changed" },
	state: { es: "Estado", en: "State" },
	partner: { es: "Partner", en: "Partner" },
	code: { es: "Código", en: "Code" },
	product: { es: "Producto", en: "Product" },
	serial: RECEIPT.serial,
	action: { es: "Acción", en: "Action" },
	doIt: { es: "Confirmar", en: "Confirm" },
	continue: { es: "Continuar", en: "Continue" },
} as const satisfies Record<string, Text>;

/** The first page: each figure names its unit. */
export const OPS_OVERVIEW = {
	partners: { es: "partners", en: "partners" },
	suspended: { es: "partners suspendidos", en: "suspended partners" },
	unreachable: {
		es: "partners B2B sin dirección de entrega: toda validación recibe 503",
		en: "B2B partners without a delivery address: every validation gets 503",
	},
	weak: {
		es: "partners de flujo completo sin inicio de sesión único",
		en: "full-flow partners without single sign-on",
	},
	ssoAlone: {
		es: "partners cuya única prueba es el inicio de sesión único: sin número de serie",
		en: "partners whose only proof is single sign-on: without the card's serial",
	},
	webhooksOff: { es: "webhooks desactivados", en: "webhooks that are off" },
	dead: { es: "envíos fallidos", en: "failed deliveries" },
	requests: { es: "solicitudes de titulares sin respuesta", en: "requests of holders without an answer" },
	faults: {
		es: "problemas que encontró la última verificación de la auditoría",
		en: "faults that the last run of the audit's verification found",
	},
	inconsistencies: {
		es: "contradicciones que encontró la última conciliación",
		en: "inconsistencies that the last reconciliation found",
	},
	neverRun: {
		es: "tareas nunca ejecutadas aquí: cron no se ejecuta en local",
		en: "jobs never run here: cron does not run locally",
	},
	notVerified: { es: "la auditoría aún no se ha verificado", en: "the audit has not been verified yet" },
	notReconciled: { es: "las tablas aún no se han conciliado", en: "the tables have not been reconciled yet" },
	late: {
		es: "tareas sin ejecutarse hace más de dos horas",
		en: "jobs that have not run for more than two hours",
	},
	ending: {
		es: "certificados o CRL de la autoridad por renovar",
		en: "certificates or CRLs of the authority to renew",
	},
	keyInWorker: {
		es: "clave privada emisora en el Worker: sin módulo de hardware",
		en: "issuing key in the Worker: without a hardware module",
	},
	signer: { es: "estado del firmador", en: "state of the signer" },
	signerUrgent: {
		es: "Firmador: {state}. Ningún partner recibe certificados",
		en: "Signer: {state}. No partner gets certificates",
	},
	silentDatabases: {
		es: "no responde: los clientes de sus partners no reciben certificados",
		en: "does not answer: the customers of its partners get no certificate",
	},
	database: {
		normal: { es: "de los 10 GB de D1 en uso", en: "of the 10 GB of D1 in use" },
		high: {
			es: "de los 10 GB de D1 en uso: alto, planifique qué hacer",
			en: "of the 10 GB of D1 in use: high, plan what to do",
		},
		critical: {
			es: "de los 10 GB de D1 en uso: crítico, actúe hoy",
			en: "of the 10 GB of D1 in use: critical, act today",
		},
	},
} as const satisfies Record<string, Text | Record<string, Text>>;

/** Purchase codes, certificates and holders. */
export const OPS_CODES = {
	findCode: { es: "Código de compra", en: "Purchase code" },
	findCertificate: { es: "Número de serie del certificado", en: "Serial number of the certificate" },
	processing: { es: "Una validación o emisión corre ahora", en: "A validation or an emission runs now" },
	reference: { es: "Referencia del partner", en: "Partner's reference" },
	window: { es: "Plazo para usarlo", en: "To be used by" },
	issued: { es: "Emitido", en: "Issued" },
	validUntil: { es: "Válido hasta", en: "Valid until" },
	failures: { es: "Intentos fallidos (validación, retiro)", en: "Failed attempts (validation, claim)" },
	locks: { es: "Bloqueos de seguridad (validación, retiro)", en: "Security locks (validation, claim)" },
	revoked: { es: "Revocado", en: "Revoked" },
	renews: { es: "Renueva el certificado", en: "Renews" },
	itsCertificate: { es: "Certificado del código", en: "The code's certificate" },
	itsAudit: { es: "Auditoría", en: "Audit" },
	neverIssued: { es: "nunca entregado", en: "never handed out" },

	cancel: { es: "Anular", en: "Cancel" },
	cancelWhy: {
		es: "Anula el código para siempre y revoca el certificado, si lo hay.",
		en: "Voids the code for good and revokes its certificate, if it has one.",
	},
	block: { es: "Bloquear", en: "Block" },
	blockWhy: {
		es: "Nadie puede validar ni retirar hasta que se desbloquee.",
		en: "Nobody can validate or claim until it is unblocked.",
	},
	unblock: { es: "Desbloquear", en: "Unblock" },
	unblockWhy: {
		es: "Levanta el bloqueo y olvida los intentos fallidos.",
		en: "Lifts the block and forgets failed attempts.",
	},
	replace: { es: "Reemplazar", en: "Replace" },
	replaceWhy: {
		es: "Entrega un código nuevo del mismo producto; anula este, salvo que se haya emitido.",
		en: "Gives a new code of the same product; cancels this one, unless it was issued.",
	},
	replacement: { es: "El código nuevo es {code}.", en: "The new code is {code}." },
	revoke: { es: "Revocar", en: "Revoke" },
	revokeWhy: {
		es: "No se puede deshacer. El código queda como está.",
		en: "This cannot be undone. The code stays as it is.",
	},
	revocationReason: { es: "Motivo de la revocación", en: "Reason of the revocation" },
	rfc: { es: "Con los nombres de RFC 5280", en: "By the names of RFC 5280" },
	cancelReason: {
		es: "Motivo de la revocación, si al anular se revoca un certificado",
		en: "Reason of the revocation, where cancelling revokes a certificate",
	},
	chooseAction: { es: "Elija qué hacer.", en: "Choose what to do." },
	notFound: { es: "No existe.", en: "There is none." },
	confirmation: {
		es: "Anular, reemplazar y revocar son para siempre",
		en: "Cancelling, replacing and revoking are for good",
	},
	understood: { es: "Entiendo que no se puede deshacer", en: "I understand that this cannot be undone" },
	confirm: {
		es: "Marque la casilla para confirmar.",
		en: "Tick the box to confirm.",
	},

	holder: { es: "RUT del titular", en: "RUT of the holder" },
	holderWhy: {
		es: "Busca en todos los partners. La búsqueda, el motivo y los códigos encontrados quedan en la auditoría a su nombre; el RUT, no.",
		en: "Looks at every partner. The search, its reason and the codes it found are recorded in the audit under your name; the RUT is not.",
	},
	held: { es: "Códigos de este RUT", en: "Codes of this RUT" },
	heldNone: {
		es: "Ningún código guarda un titular con este RUT.",
		en: "No code has a holder of this RUT on record.",
	},
	heldMore: {
		es: "Hay más códigos que los de esta página.",
		en: "There are more codes than on this page.",
	},
	heldNext: { es: "Ver los 100 siguientes", en: "Show the next 100" },
} as const satisfies Record<string, Text>;
