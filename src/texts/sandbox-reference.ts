import type { Text } from "./language.ts";

/* The partner's reference, continued: the calls that drive the sandbox, in local and dev alone. */

export const SANDBOX_REFERENCE = {
	tagSandbox: {
		en: "Try in seconds what takes days. In the sandbox alone: production has none of these calls.",
		es: "Pruebe en segundos lo que tarda días. Solo en el sandbox: producción no tiene estas llamadas.",
	},
	"changeSandboxSettings.summary": {
		en: "Set your own mode and flow",
		es: "Configurar su propio modo y flujo",
	},
	"changeSandboxSettings.description": {
		en: "Only what you send changes; GET /settings shows the whole. In production we set it with you.",
		es: "Solo cambia lo que envía; GET /settings muestra el total. En producción lo configuramos con usted.",
	},
	"changeSandboxSettings.success": {
		en: "The mode and flow as they are now.",
		es: "El modo y el flujo como quedaron.",
	},
	"showSandboxClock.summary": { en: "Read your clock", es: "Ver su reloj" },
	"showSandboxClock.success": {
		en: "Your time; by the real clock, as long as you have moved nothing.",
		es: "Su hora; la del reloj real mientras no haya adelantado nada.",
	},
	"advanceSandboxClock.summary": {
		en: "Move your clock forward",
		es: "Adelantar su reloj",
	},
	"advanceSandboxClock.description": {
		en: "Your time goes on from there, and never back: at most four years in all. The window of codes, locks, lapses, widget sessions, reminders, retries of deliveries, statuses and the times of codes go by it. Certificates, CRL, OCSP, webhook-timestamp, keys, rate limits, Idempotency-Keys and the history of a code stay real: a certificate that you issue after an advance is that much closer to its end. What is due by then is done before the answer: each due delivery is tried once. In force everywhere within 2 s. Made again, the call advances again: if its answer was lost, or was 503, read your clock first.",
		es: "Su tiempo sigue desde ahí y nunca retrocede: a lo más cuatro años en total. Por él se rigen la ventana de los códigos, los bloqueos, las caducidades, las sesiones del widget, los recordatorios, los reintentos de envíos, los estados y las fechas de los códigos. Siguen siendo reales los certificados, la CRL, el OCSP, webhook-timestamp, las API keys, los límites de llamadas, las Idempotency-Keys y la historia de un código: un certificado que emita después de adelantar queda igual de más cerca de su término. Lo que ya corresponda se hace antes de responder: cada envío pendiente se intenta una vez. Rige en todas partes antes de 2 s. Si repite la llamada, adelanta otra vez: si la respuesta se perdió, o fue 503, vea antes su reloj.",
	},
	"advanceSandboxClock.success": {
		en: "Your time, and what was done because it had come.",
		es: "Su hora, y lo que se hizo porque había llegado el momento.",
	},
	offset: {
		en: "How far your time is ahead, in all.",
		es: "Cuánto lleva adelantado su tiempo, en total.",
	},
	advance: {
		en: "An ISO 8601 duration: P15D, P1Y, PT30M.",
		es: "Una duración ISO 8601: P15D, P1Y, PT30M.",
	},
	"sendSandboxEvent.summary": {
		en: "Post a signed example of an event to your webhook and wait for its answer",
		es: "Enviar un ejemplo firmado de un evento a su webhook y esperar la respuesta",
	},
	"sendSandboxEvent.description": {
		en: "As POST /webhook/test: one attempt of at most 5 s, subscribed or not; nothing is repeated or recorded. The data is that of the example in this reference.",
		es: "Como POST /webhook/test: un intento de hasta 5 s, con o sin suscripción; nada se repite ni se registra. Los datos son los del ejemplo de esta referencia.",
	},
	"sendSandboxEvent.success": {
		en: "How it went, whatever that was.",
		es: "El resultado, cualquiera que haya sido.",
	},
	"listenInSandbox.summary": {
		en: "Wait for the next webhook",
		es: "Esperar el próximo webhook",
	},
	"listenInSandbox.description": {
		en: "What `npm run listen` calls, again and again. As long as it does, it is your endpoint, whether you have a webhook or not: your subscriptions stand, and its answer is the outcome of the delivery. It is no delivery address of a B2B partner.",
		es: "Lo que llama `npm run listen`, una y otra vez. Mientras lo haga, es su endpoint, tenga o no un webhook: sus suscripciones rigen, y su respuesta es el resultado del envío. No cuenta como dirección de entrega de un partner B2B.",
	},
	"listenInSandbox.success": {
		en: "The webhook, to be posted as it is; null when none came.",
		es: "El webhook, para reenviarlo tal cual; null si no llegó ninguno.",
	},
	waitSeconds: {
		en: "How long to wait; not at all when left out.",
		es: "Cuánto esperar; nada si se omite.",
	},
	"answerInSandbox.summary": {
		en: "Say what your server answered to a webhook",
		es: "Decir qué respondió su servidor a un webhook",
	},
	"answerInSandbox.success": { en: "Taken as the outcome.", es: "Queda como resultado." },
	answeredStatus: {
		en: "HTTP status; null when your server could not be reached.",
		es: "Estado HTTP; null si no se pudo contactar a su servidor.",
	},
	noWebhookWaits: {
		en: "No webhook of this id waits for an answer.",
		es: "Ningún webhook con este id espera una respuesta.",
	},
	"stopListeningInSandbox.summary": { en: "Stop listening", es: "Dejar de escuchar" },
	"stopListeningInSandbox.success": {
		en: "Your webhook, if you have one, is your endpoint again.",
		es: "Su webhook, si tiene, vuelve a ser su endpoint.",
	},
} as const satisfies Record<string, Text>;
