import type { Text } from "./language.ts";

/* The partner's console: settings, webhook and e-mail, widget, keys. */

export const SETTINGS_PAGE = {
	title: { es: "Configuración", en: "Settings" },
	done: { es: "Se guardó el cambio.", en: "The change is saved." },
	applies: { es: "Qué rige para sus llamadas", en: "What applies to your calls" },
	byUs: {
		es: "Esto lo configuramos nosotros. Escríbanos a {support} para cambiarlo.",
		en: "We set these. Write to {support} to change them.",
	},
	partner: { es: "Partner", en: "Partner" },
	mode: { es: "Entrega", en: "Delivery" },
	B2C: { es: "B2C: el titular retira su certificado", en: "B2C: the holder claims the certificate" },
	B2B: { es: "B2B: le entregamos el certificado a usted", en: "B2B: we deliver the certificate to you" },
	checks: { es: "Qué se comprueba", en: "What is checked" },
	card_serial: { es: "número de serie de la cédula", en: "the ID card's serial number" },
	card_expiry: { es: "vencimiento de la cédula", en: "the ID card's expiry" },
	names: { es: "nombres", en: "names" },
	single_sign_on: { es: "ClaveÚnica", en: "ClaveÚnica" },
	products: { es: "Productos", en: "Products" },
	pfx: { es: "Archivo PFX", en: "PFX file" },
	algorithm: { es: "Clave del certificado", en: "Key of the certificate" },
	language: { es: "Idioma de los correos", en: "Language of e-mails" },
	spanish: { es: "español", en: "Spanish" },
	english: { es: "inglés", en: "English" },
	limits: { es: "Límites", en: "Limits" },
	limitsAre: {
		es: "{calls} llamadas, {bulk} de pcode/bulk y {requests} de certificate_request por minuto; {codes} códigos por lote",
		en: "{calls} calls, {bulk} of pcode/bulk and {requests} of certificate_request a minute; {codes} codes a batch",
	},
	key: { es: "API key de esta sesión", en: "API key of this session" },
	sandbox: { es: "Sandbox", en: "Sandbox" },
	clockReal: {
		es: "Su reloj no está adelantado: {now}.",
		en: "Your clock has not been moved: {now}.",
	},
	clockAhead: {
		es: "Su reloj va {ahead} adelante del real: {now}. No retrocede.",
		en: "Your clock is {ahead} ahead of the real one: {now}. It does not go back.",
	},
	reminders: { es: "Recordatorios a los titulares", en: "Reminders to holders" },
	remindersHint: {
		es: "Avisamos por correo a cada titular 30 y 7 días antes de que venza su certificado.",
		en: "We send each holder an e-mail 30 and 7 days before the certificate expires.",
	},
	remindersOn: { es: "Enviar recordatorios", en: "Send reminders" },
	save: { es: "Guardar", en: "Save" },
	sessions: { es: "Sesiones abiertas", en: "Open sessions" },
	sessionBegun: { es: "Inicio", en: "Begun" },
	sessionEnds: { es: "Termina", en: "Ends" },
	sessionKey: { es: "Ingresó con", en: "Signed in with" },
	thisSession: { es: "{label} (esta sesión)", en: "{label} (this session)" },
	noSessions: { es: "No hay sesiones abiertas.", en: "There are no open sessions." },
	endAll: { es: "Cerrar todas las sesiones", en: "End every session" },
	endAllHint: {
		es: "Cierra todas las sesiones de su empresa en la consola, también esta. Las API keys siguen funcionando.",
		en: "Ends every session of your company in the console, this one too. API keys go on working.",
	},
} as const satisfies Record<string, Text>;

export const WEBHOOK_PAGE = {
	title: { es: "Webhook y correo", en: "Webhook and e-mail" },
	address: { es: "Dirección", en: "Address" },
	state: { es: "Estado", en: "State" },
	on: { es: "activo", en: "on" },
	unset: { es: "sin configurar", en: "not set" },
	offByEndpoint: {
		es: "desactivado desde el {at}: su servidor respondió 410. Guarde la dirección para activarlo.",
		en: "off since {at}: your server answered 410. Save the address to switch it on.",
	},
	offByOps: {
		es: "desactivado por nosotros desde el {at}. Escríbanos a {support}.",
		en: "switched off by us since {at}. Write to {support}.",
	},
	email: { es: "Correo de entrega", en: "Delivery e-mail" },
	pending: { es: "Correo por confirmar", en: "E-mail to be confirmed" },
	openLink: {
		es: "{pending}. Rige cuando alguien abra el enlace que le enviamos y lo confirme, dentro de 24 horas. Si no llegó, guárdelo otra vez.",
		en: "{pending}. It applies once somebody opens the link that we sent there and confirms it, within 24 hours. If it did not arrive, save it again.",
	},
	change: { es: "Cambiar el webhook", en: "Change the webhook" },
	url: { es: "Dirección del webhook", en: "Address of the webhook" },
	urlHint: {
		es: "https, en el puerto 443. Vacío: sin webhook.",
		en: "https, on port 443. Empty: no webhook.",
	},
	events: { es: "Eventos", en: "Events" },
	everything: { es: "todos, también los que se agreguen", en: "all, those to come included" },
	save: { es: "Guardar", en: "Save" },
	done: {
		es: "Se guardó el cambio. Enviaremos ahora los eventos pendientes.",
		en: "The change is saved. We are sending the pending events now.",
	},
	test: { es: "Probar el webhook", en: "Test the webhook" },
	testHint: {
		es: "Enviamos un ping firmado a la dirección guardada y esperamos la respuesta hasta 5 segundos.",
		en: "We post a signed ping to the saved address and wait for the answer, 5 seconds at most.",
	},
	sendPing: { es: "Enviar un ping", en: "Send a ping" },
	pingArrived: {
		es: "El ping llegó: su servidor respondió {status} en {ms} ms.",
		en: "The ping arrived: your server answered {status} within {ms} ms.",
	},
	pingFailed: {
		es: "El ping no llegó: {outcome}, después de {ms} ms.",
		en: "The ping did not arrive: {outcome}, after {ms} ms.",
	},
	changeEmail: { es: "Cambiar el correo de entrega", en: "Change the delivery e-mail" },
	emailHint: {
		es: "Recibe los certificados B2B y los avisos de cambios. Vacío: sin correo.",
		en: "Gets the certificates of B2B and notices of changes. Empty: none.",
	},
	rotate: { es: "Reemplazar el secreto", en: "Replace the secret" },
	rotateHint: {
		es: "El secreto nuevo se muestra una sola vez. Durante el traslape firmamos con ambos.",
		en: "The new secret is shown once. During the overlap we sign with both.",
	},
	overlap: { es: "El anterior sigue vigente", en: "The old one stays valid" },
	rotateButton: { es: "Crear un secreto nuevo", en: "Make a new secret" },
	newSecret: { es: "Su secreto nuevo", en: "Your new secret" },
	secretOnce: {
		es: "Cópielo ahora: no lo volvemos a mostrar. El anterior vence el {until}.",
		en: "Copy it now: we do not show it again. The old one is valid until {until}.",
	},
} as const satisfies Record<string, Text>;

export const WIDGET_PAGE = {
	title: { es: "Widget", en: "Widget" },
	introduction: {
		es: "Dónde puede mostrarse el widget y cómo se ve. Las sesiones ya creadas conservan los orígenes con que se crearon.",
		en: "Where the widget may be shown, and how it looks. Sessions that exist keep the origins that they were made with.",
	},
	origins: { es: "Orígenes que pueden incrustarlo", en: "Origins that may embed it" },
	originsHint: {
		es: "Uno por línea, hasta 20: https://tienda.cl, sin ruta. Vacío: ninguno; el enlace de una sesión funciona igual.",
		en: "One a line, 20 at most: https://shop.example, without a path. Empty: none; the link of a session works all the same.",
	},
	accent: { es: "Color", en: "Colour" },
	accentHint: {
		es: "Como #0b5cad, con contraste suficiente sobre blanco. Vacío: el nuestro.",
		en: "Like #0b5cad, with enough contrast on white. Empty: ours.",
	},
	logo: { es: "Logo", en: "Logo" },
	logoHint: {
		es: "PNG o WebP de hasta 32 KiB. Si no elige uno, queda el que está.",
		en: "PNG or WebP of at most 32 KiB. If you choose none, the present one stays.",
	},
	logoNow: { es: "El logo actual", en: "The present logo" },
	removeLogo: { es: "Quitar el logo", en: "Remove the logo" },
	save: { es: "Guardar", en: "Save" },
	done: { es: "Se guardó el cambio.", en: "The change is saved." },
} as const satisfies Record<string, Text>;

export const KEYS_PAGE = {
	title: { es: "API keys", en: "API keys" },
	oneKey: { es: "API key {label}", en: "API key {label}" },
	inForce: { es: "Vigentes", en: "In force" },
	ended: { es: "API keys terminadas", en: "API keys that have ended" },
	noneEnded: { es: "Ninguna.", en: "None." },
	label: { es: "Nombre", en: "Name" },
	labelHint: { es: "Para reconocerla: dónde se usa.", en: "To know it by: where it is used." },
	scopes: { es: "Alcances", en: "Scopes" },
	codes: { es: "codes: crear y listar códigos de compra", en: "codes: create and list purchase codes" },
	redeem: {
		es: "redeem: certificate_request, certificate_claim, status, sesiones del widget",
		en: "redeem: certificate_request, certificate_claim, status, sessions of the widget",
	},
	read: { es: "read: todo lo que solo lee", en: "read: everything that only reads" },
	manage: {
		es: "manage: configuración, API keys, reenviar, anular, revocar y esta consola; incluye read",
		en: "manage: settings, API keys, sending again, cancelling, revoking and this console; includes read",
	},
	lastUsed: { es: "Último uso", en: "Last used" },
	never: { es: "nunca", en: "never" },
	ends: { es: "Termina", en: "Ends" },
	endedAt: { es: "Terminó", en: "Ended" },
	noEnd: { es: "sin término", en: "no end" },
	created: { es: "Creada", en: "Created" },
	ranges: { es: "Direcciones IP permitidas", en: "Allowed IP addresses" },
	rangesHint: {
		es: "Una por línea: 203.0.113.7 o 203.0.113.0/24. Vacío: desde cualquiera.",
		en: "One a line: 203.0.113.7 or 203.0.113.0/24. Empty: from anywhere.",
	},
	anywhere: { es: "desde cualquiera", en: "from anywhere" },
	create: { es: "Crear una API key", en: "Create an API key" },
	createButton: { es: "Crear", en: "Create" },
	days: { es: "{n} días", en: "{n} days" },
	hours: { es: "{n} horas", en: "{n} hours" },
	atOnce: {
		es: "no: termina ahora (si se filtró)",
		en: "no: it ends now (after a leak)",
	},
	newKey: { es: "Su API key nueva", en: "Your new API key" },
	keyOnce: {
		es: "Cópiela ahora: guardamos solo su huella y no podemos volver a mostrarla.",
		en: "Copy it now: we keep only its hash and cannot show it again.",
	},
	oldUntil: { es: "La anterior vence el {until}.", en: "The old one is valid until {until}." },
	backToKeys: { es: "Volver a las API keys", en: "Back to the API keys" },
	rotate: { es: "Reemplazar", en: "Replace" },
	rotateHint: {
		es: "Crea una API key de reemplazo con los mismos alcances. La anterior sigue vigente durante el traslape.",
		en: "Creates a replacement with the same scopes. The old API key goes on working during the overlap.",
	},
	overlap: { es: "La anterior sigue vigente", en: "The old one stays valid" },
	rotateButton: { es: "Crear la API key de reemplazo", en: "Create the replacement API key" },
	revoke: { es: "Revocar", en: "Revoke" },
	revokeHint: {
		es: "Deja de funcionar en todas partes en menos de un minuto y no se puede deshacer. Los sistemas que la usen recibirán 401.",
		en: "It stops working everywhere within a minute, and this cannot be undone. What uses it will get 401.",
	},
	revokeOwn: {
		es: "Es la API key de esta sesión: al revocarla, usted sale de la consola.",
		en: "This session began with it: revoking it signs you out of the console.",
	},
	revokeButton: { es: "Revocar esta API key", en: "Revoke this API key" },
	revoked: { es: "La API key fue revocada.", en: "The API key is revoked." },
} as const satisfies Record<string, Text>;
