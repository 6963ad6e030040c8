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
	webhookOff: { es: "Webhook apagado", en: "Webhook off" },
	active: { es: "activo", en: "active" },
	isSuspended: { es: "suspendido", en: "suspended" },
	webhookState: { es: "Estado del webhook", en: "Webhook state" },
	offSince: { es: "Apagado desde", en: "Off since" },
	offByEndpoint: { es: "apagado por su servidor (410)", en: "switched off by its endpoint (410)" },
	offByOps: { es: "apagado por operaciones", en: "switched off by ops" },
	isOn: { es: "encendido", en: "on" },

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
	reminders: { es: "Recordatorios a titulares", en: "Reminders to holders" },
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
		es: "Sus claves dejan de servir en todas partes antes de 60 segundos.",
		en: "Its keys stop working everywhere within 60 seconds.",
	},
	resume: { es: "Reactivar", en: "Resume" },
	switchOff: { es: "Apagar el webhook", en: "Switch the webhook off" },
	switchOn: { es: "Encender el webhook", en: "Switch the webhook on" },
	rotateSecret: { es: "Rotar el secreto del webhook", en: "Rotate the webhook secret" },
	overlap: { es: "Horas en que el anterior también sirve", en: "Hours in which the one before works too" },
	secretTitle: { es: "Secreto nuevo del webhook", en: "New webhook secret" },

	keys: { es: "Claves", en: "Keys" },
	keyId: { es: "Id", en: "Id" },
	label: { es: "Etiqueta", en: "Label" },
	scopes: { es: "Alcances", en: "Scopes" },
	ends: { es: "Término", en: "End" },
	ended: { es: "terminada", en: "ended" },
	inForce: { es: "vigente", en: "in force" },
	addKey: { es: "Agregar una clave", en: "Add a key" },
	keyTitle: { es: "Clave nueva", en: "New key" },
	key: { es: "Clave", en: "Key" },
	secret: { es: "Secreto", en: "Secret" },
	revokeKey: { es: "Revocar", en: "Revoke" },
	rotateKey: { es: "Rotar", en: "Rotate" },
	expires: {
		es: "Vence (opcional, por ejemplo 2027-01-31T12:00:00Z)",
		en: "Expires (optional, for example 2027-01-31T12:00:00Z)",
	},
	ranges: { es: "Rangos de IP", en: "IP ranges" },
	allowedRanges: {
		es: "Rangos de IP permitidos (opcional, uno por línea)",
		en: "Allowed IP ranges (optional, one a line)",
	},
	itsDeliveries: { es: "Sus envíos fallidos", en: "Its dead deliveries" },
	itsAudit: { es: "Su auditoría", en: "Its audit" },
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
