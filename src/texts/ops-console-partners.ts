import type { Text } from "./language.ts";

/** The console of ops: partners, their settings and keys. */
export const OPS_PARTNERS = {
	name: { es: "Nombre", en: "Name" },
	mode: { es: "Modo", en: "Mode" },
	checks: { es: "Qué comprueba", en: "What it checks" },
	address: { es: "Dónde recibe", en: "Where it receives" },
	all: { es: "Todos", en: "All" },
	unreachable: { es: "Sin dirección de entrega", en: "Without a delivery address" },
	suspended: { es: "Suspendidos", en: "Suspended" },
	weak: { es: "Flujo completo sin inicio de sesión único", en: "Full flow without single sign-on" },
	ssoAlone: {
		es: "Inicio de sesión único sin número de serie",
		en: "Single sign-on without the card's serial",
	},
	webhookOff: { es: "Webhook desactivado", en: "Webhook off" },
	webhookState: { es: "Estado del webhook", en: "Webhook state" },
	offSince: { es: "Desactivado desde", en: "Off since" },
	offByEndpoint: {
		es: "desactivado: el servidor del partner respondió 410",
		en: "switched off by its endpoint (410)",
	},
	offByOps: { es: "desactivado por operaciones", en: "switched off by ops" },

	create: { es: "Crear un partner", en: "Create a partner" },
	createdTitle: { es: "Partner creado", en: "Partner created" },
	settings: { es: "Configuración", en: "Settings" },
	cardSerial: {
		es: "Flujo reducido: pide el número de serie de la cédula",
		en: "Reduced flow: asks for the card's serial number",
	},
	cardExpiry: { es: "Compara el vencimiento de la cédula", en: "Compares the card's expiration date" },
	sso: { es: "Flujo completo: exige inicio de sesión único", en: "Full flow: requires single sign-on" },
	serialWithSso: {
		es: "Flujo completo: además del inicio de sesión único, pide el número de serie de la cédula",
		en: "Full flow: beside single sign-on, asks for the card's serial number",
	},
	products: { es: "Productos", en: "Products" },
	pfx: { es: "Perfil del PFX", en: "PFX profile" },
	keyAlgorithm: { es: "Clave del certificado", en: "Certificate's key" },
	webhook: { es: "Webhook", en: "Webhook" },
	events: { es: "Eventos del webhook", en: "Webhook events" },
	email: { es: "Correo de entrega", en: "Delivery e-mail" },
	codeQuota: { es: "Códigos en 14 días, máximo", en: "Codes in 14 days, at most" },
	reminders: { es: "Recordatorios a titulares", en: "Reminders to holders" },
	language: { es: "Idioma de los correos", en: "Language of e-mails" },
	origins: { es: "Orígenes del widget", en: "Widget origins" },
	widget: { es: "Widget", en: "Widget" },
	originsHint: { es: "Uno por línea", en: "One a line" },
	accent: { es: "Color del widget", en: "Widget colour" },
	changedMeanwhile: {
		es: "Alguien cambió este partner mientras usted llenaba el formulario. No se guardó nada: vea cómo quedó y repita su cambio.",
		en: "Somebody changed this partner while you filled in the form. Nothing was saved: look at it as it is now and repeat your change.",
	},
	save: { es: "Guardar", en: "Save" },

	suspend: { es: "Suspender", en: "Suspend" },
	suspendWhy: {
		es: "Las API keys del partner dejan de funcionar en todas partes en menos de un minuto.",
		en: "The partner's API keys stop working everywhere within a minute.",
	},
	resume: { es: "Reactivar", en: "Resume" },
	switchOff: { es: "Desactivar el webhook", en: "Switch the webhook off" },
	switchOn: { es: "Activar el webhook", en: "Switch the webhook on" },
	rotateSecret: { es: "Reemplazar el secreto del webhook", en: "Replace the webhook secret" },
	overlap: { es: "Horas que el anterior sigue vigente", en: "Hours that the old one stays valid" },
	secretTitle: { es: "Secreto nuevo del webhook", en: "New webhook secret" },

	keys: { es: "API keys", en: "API keys" },
	keyId: { es: "Id", en: "Id" },
	label: { es: "Nombre", en: "Name" },
	scopes: { es: "Alcances", en: "Scopes" },
	ends: { es: "Término", en: "End" },
	endedKeys: { es: "API keys terminadas", en: "API keys that have ended" },
	backToPartner: { es: "Volver al partner", en: "Back to the partner" },
	addKey: { es: "Agregar una API key", en: "Add an API key" },
	keyTitle: { es: "API key nueva", en: "New API key" },
	key: { es: "API key", en: "API key" },
	secret: { es: "Secreto", en: "Secret" },
	revokeKey: { es: "Revocar", en: "Revoke" },
	rotateKey: { es: "Reemplazar", en: "Replace" },
	expires: {
		es: "Vence (opcional, por ejemplo 2027-01-31T12:00:00Z)",
		en: "Expires (optional, for example 2027-01-31T12:00:00Z)",
	},
	ranges: { es: "Rangos de IP", en: "IP ranges" },
	allowedRanges: {
		es: "Rangos de IP permitidos (opcional, uno por línea)",
		en: "Allowed IP ranges (optional, one a line)",
	},
	itsPending: { es: "Envíos pendientes del partner", en: "The partner's pending deliveries" },
	itsDeliveries: { es: "Envíos fallidos del partner", en: "The partner's failed deliveries" },
	itsAudit: { es: "Auditoría del partner", en: "The partner's audit" },
} as const satisfies Record<string, Text>;

/** `identity_checks` and `delivery_address`, in words. */
export const CHECKS = {
	card_serial: { es: "serie de la cédula", en: "card's serial" },
	card_expiry: { es: "vencimiento de la cédula", en: "card's expiry" },
	names: { es: "nombres", en: "names" },
	single_sign_on: { es: "inicio de sesión único", en: "single sign-on" },
} as const satisfies Record<string, Text>;

export const ADDRESSES = {
	webhook: { es: "webhook", en: "webhook" },
	email: { es: "correo", en: "e-mail" },
	webhook_and_email: { es: "webhook y correo", en: "webhook and e-mail" },
	missing: { es: "falta", en: "missing" },
} as const satisfies Record<string, Text>;
