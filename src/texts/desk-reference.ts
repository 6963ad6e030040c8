import type { Text } from "./language.ts";

/* The partner's reference, continued: its own settings, keys and deliveries. */

export const DESK_REFERENCE = {
	tagDesk: {
		en: "Your own keys, webhook, deliveries and settings. What changes something needs a key with the scope manage.",
		es: "Sus API keys, webhook, envíos y configuración. Lo que cambia algo requiere una API key con el alcance manage.",
	},

	"listOwnKeys.summary": { en: "List your API keys", es: "Listar sus API keys" },
	"listOwnKeys.success": {
		en: "The keys in force, oldest first.",
		es: "Las API keys vigentes, primero las más antiguas.",
	},
	"listOwnEndedKeys.summary": {
		en: "List your API keys that have ended, the latest first",
		es: "Listar sus API keys terminadas, primero las últimas",
	},
	"listOwnEndedKeys.description": {
		en: "A key is deleted 90 days after its end. For the next page send `next` as cursor.",
		es: "Una API key se borra 90 días después de su término. Para la página siguiente envíe `next` como cursor.",
	},
	"listOwnEndedKeys.success": {
		en: "One page; `next` is null on the last.",
		es: "Una página; `next` es null en la última.",
	},
	"addOwnKey.summary": {
		en: "Add an API key, shown only in this answer",
		es: "Agregar una API key, que solo se muestra en esta respuesta",
	},
	"addOwnKey.success": { en: "The key.", es: "La API key." },
	"rotateOwnKey.summary": {
		en: "Replace an API key: the new one is shown only in this answer, the old one ends after the overlap",
		es: "Reemplazar una API key: la nueva solo se muestra en esta respuesta, la anterior termina después del traslape",
	},
	"rotateOwnKey.success": {
		en: "The new key, with the scopes and address ranges of the old one, and the old one with its end.",
		es: "La API key nueva, con los alcances y rangos de direcciones de la anterior, y la anterior con su término.",
	},
	"revokeOwnKey.summary": {
		en: "Revoke an API key; in force everywhere within 60 s",
		es: "Revocar una API key; rige en todas partes antes de 60 s",
	},
	"revokeOwnKey.success": { en: "The key as it is now.", es: "La API key como quedó." },

	"listOwnDeliveries.summary": {
		en: "List your webhooks and e-mails, newest first",
		es: "Listar sus webhooks y correos, primero los más nuevos",
	},
	"listOwnDeliveries.description": {
		en: "pending: still to be tried. dead: no attempt follows unless it is sent again. For the next page send `next` as cursor.",
		es: "pending: falta intentarlo. dead: no habrá más intentos a menos que se reenvíe. Para la página siguiente envíe `next` como cursor.",
	},
	"listOwnDeliveries.success": {
		en: "One page; `next` is null on the last.",
		es: "Una página; `next` es null en la última.",
	},
	"showOwnDelivery.summary": {
		en: "Show a delivery and its attempts; never its content",
		es: "Ver un envío y sus intentos; nunca su contenido",
	},
	"showOwnDelivery.success": {
		en: "The delivery, and its attempts of the last 90 days, oldest first. An attempt that crashed has no row.",
		es: "El envío y sus intentos de los últimos 90 días, primero los más antiguos. Un intento interrumpido no aparece.",
	},
	"resendOwnDelivery.summary": {
		en: "Send a delivery again: a new round of attempts under the same webhook-id",
		es: "Reenviar: una nueva ronda de intentos con el mismo webhook-id",
	},
	"resendOwnDelivery.success": { en: "The delivery as it is now.", es: "El envío como quedó." },
	deliveryCode: {
		en: "Null for what is of no single code.",
		es: "Null si no es de un código en particular.",
	},
	standing: {
		en: "Of a B2B certificate, over all of your addresses: delivered to one of them; pending, tried again at next_attempt_at; waiting_for_address, sent as soon as you set an address or send it again; ended, withdrawn or no longer kept.",
		es: "De un certificado B2B, sumando todas sus direcciones: delivered, llegó a una de ellas; pending, se reintenta en next_attempt_at; waiting_for_address, se envía en cuanto usted configure una dirección o lo reenvíe; ended, retirado o ya no se conserva.",
	},
	attemptOutcome: {
		en: "delivered, http and the status, timeout, unreachable, gone (410), or why nothing was sent: no_endpoint, endpoint_off, no_secret, address_refused.",
		es: "delivered, http y el estado, timeout, unreachable, gone (410), o por qué no se envió: no_endpoint, endpoint_off, no_secret, address_refused.",
	},
	since: {
		en: "Created then or later. UTC; YYYY-MM-DD or a full timestamp.",
		es: "Creados desde entonces. UTC; AAAA-MM-DD o fecha y hora completa.",
	},

	"showOwnWebhook.summary": { en: "Show your webhook", es: "Ver su webhook" },
	"showOwnWebhook.success": { en: "The webhook.", es: "El webhook." },
	"changeOwnWebhook.summary": {
		en: "Set your webhook's address and events",
		es: "Configurar la dirección y los eventos de su webhook",
	},
	"changeOwnWebhook.description": {
		en: "An address switches on a webhook that a 410 switched off, and what waits for it is sent. The operator alone switches on what the operator switched off. The change is told to your delivery e-mail or, without one, to the former address.",
		es: "Una dirección activa un webhook que un 410 desactivó, y se envían los eventos pendientes. Lo que desactivó el operador solo lo activa el operador. El cambio se avisa a su correo de entrega o, si no tiene, a la dirección anterior.",
	},
	"changeOwnWebhook.success": { en: "The webhook as it is now.", es: "El webhook como quedó." },
	"rotateOwnWebhookSecret.summary": {
		en: "Replace the webhook secret: the new one is shown only in this answer, both sign during the overlap",
		es: "Reemplazar el secreto de webhook: el nuevo solo se muestra en esta respuesta, ambos firman durante el traslape",
	},
	"rotateOwnWebhookSecret.success": { en: "The secret.", es: "El secreto." },
	"testOwnWebhook.summary": {
		en: "Post a signed ping to your webhook and wait for its answer",
		es: "Enviar un ping firmado a su webhook y esperar la respuesta",
	},
	"testOwnWebhook.description": {
		en: "One attempt of at most 5 s, also while the webhook is switched off. Nothing is repeated, recorded or switched: a 410 to a ping changes nothing.",
		es: "Un intento de hasta 5 s, también con el webhook desactivado. Nada se repite, registra ni desactiva: un 410 a un ping no cambia nada.",
	},
	"testOwnWebhook.success": {
		en: "How it went, whatever that was.",
		es: "El resultado, cualquiera que haya sido.",
	},
	"onSettingsChanged.summary": {
		en: "One of your keys changed your settings",
		es: "Una de sus API keys cambió su configuración",
	},
	"onSettingsChanged.description": {
		en: "Told without a subscription: a change of the delivery e-mail; when there is none, also of the webhook, then to its former address, and of keys. One of each of changed in 15 minutes: changes meanwhile are told by the next. count is how many it tells of; action and key_id are those of the latest.",
		es: "Se avisa sin suscripción: un cambio del correo de entrega; si no hay, también del webhook, a la dirección anterior, y de las API keys. Uno por cada changed en 15 minutos: los cambios que siguen se informan en el próximo. count es cuántos informa; action y key_id son los del último.",
	},
	"onPing.summary": { en: "A test that you asked for", es: "Una prueba que usted pidió" },
	"onPing.description": {
		en: "Posted by POST /webhook/test alone, once, without a subscription.",
		es: "Lo envía solo POST /webhook/test, una vez, sin suscripción.",
	},

	"showOwnSettings.summary": {
		en: "Show what applies to your calls",
		es: "Ver lo que rige para sus llamadas",
	},
	"showOwnSettings.success": {
		en: "Your settings, the rights of the key of this call, and the limits.",
		es: "Su configuración, los alcances de la API key de esta llamada y los límites.",
	},
	pendingEmail: {
		en: "A delivery e-mail that you set and that nobody has confirmed yet: the link sent to it is good for 24 hours. Until then delivery_email stays in force, and this one does not count as an address.",
		es: "Un correo de entrega que usted configuró y que nadie ha confirmado todavía: el enlace que se le envió vale 24 horas. Hasta entonces rige delivery_email, y este no cuenta como dirección.",
	},
	callingKey: { en: "The key of this call.", es: "La API key de esta llamada." },
	"changeOwnDeliveryEmail.summary": {
		en: "Set the e-mail that B2B certificates are delivered to",
		es: "Configurar el correo al que se entregan los certificados B2B",
	},
	"changeOwnDeliveryEmail.description": {
		en: "What waits for an address is sent to it. The change is told to your webhook or, without one, to the former address.",
		es: "Se le envían los eventos pendientes. El cambio se avisa a su webhook o, si no tiene, a la dirección anterior.",
	},
	"changeOwnDeliveryEmail.success": { en: "The address as it is now.", es: "La dirección como quedó." },
	"changeOwnReminders.summary": {
		en: "Switch reminders to holders on or off",
		es: "Activar o desactivar los recordatorios a titulares",
	},
	"changeOwnReminders.description": {
		en: "E-mails to holders 30 and 7 days before their certificate expires.",
		es: "Correos a los titulares 30 y 7 días antes de que venza su certificado.",
	},
	"changeOwnReminders.success": { en: "The setting as it is now.", es: "La configuración como quedó." },

	"showOwnWidget.summary": { en: "Show your widget's settings", es: "Ver la configuración de su widget" },
	"showOwnWidget.success": { en: "The settings.", es: "La configuración." },
	"setOwnWidget.summary": {
		en: "Set the widget's origins, accent and logo",
		es: "Configurar los orígenes, el color y el logo del widget",
	},
	"setOwnWidget.success": { en: "The settings as they are now.", es: "La configuración como quedó." },
	"exportOwnData.summary": {
		en: "Take your data with you: settings, usage, and every code with its certificate",
		es: "Llevarse sus datos: configuración, consumo y cada código con su certificado",
	},
	"exportOwnData.description": {
		en: "One JSON document, sent while it is made, under one moment: the settings of `GET /settings` and `GET /widget`, the usage of every month, and each code of `GET /pcodes` with the certificate that was issued for it. Of holders it has only the referenceId that you sent. At most 100,000 codes: narrow created_from and created_to for more. It counts with pcode/bulk's 30 a minute. A transfer that breaks off is no valid JSON: ask again.",
		es: "Un solo documento JSON, que se envía mientras se arma, de un mismo momento: la configuración de `GET /settings` y `GET /widget`, el consumo de cada mes y cada código de `GET /pcodes` con el certificado que se emitió con él. De los titulares solo trae el referenceId que usted envió. Hasta 100.000 códigos: para más, acote created_from y created_to. Cuenta junto con las 30 por minuto de pcode/bulk. Una transferencia que se corta no es JSON válido: pídala de nuevo.",
	},
	"exportOwnData.success": {
		en: "Your data; codes newest first, months latest first.",
		es: "Sus datos; primero los códigos más nuevos y los últimos meses.",
	},
} as const satisfies Record<string, Text>;
