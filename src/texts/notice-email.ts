import type { Text } from "./language.ts";

/** Texts of the notice that one of a partner's keys has changed its settings. */
export const NOTICE_TEXTS = {
	title: { es: "Cambió la configuración de su servicio", en: "The settings of your service were changed" },
	opening: {
		es: "Con una de sus API keys se cambió la configuración de su servicio de certificados digitales.",
		en: "One of your API keys was used to change the settings of your digital-certificate service.",
	},
	preheader: { es: "{what}. Revise que haya sido su equipo.", en: "{what}. Check that it was your team." },
	button: { es: "Revisar en la consola", en: "Check in the console" },
	partner: { es: "Partner", en: "Partner" },
	what: { es: "Qué cambió", en: "What was changed" },
	count: { es: "Cambios desde el aviso anterior", en: "Changes since the notice before" },
	when: { es: "Cuándo, el último", en: "When, the latest" },
	key: { es: "API key que hizo el último", en: "API key that made the latest" },
	keys: { es: "Las API keys", en: "The API keys" },
	webhook: { es: "El webhook: su dirección o su secreto", en: "The webhook: its address or its secret" },
	delivery_email: { es: "El correo de entrega", en: "The delivery e-mail" },
	notYou: {
		es: "Si no lo hizo su equipo, revoque esa API key y avísenos de inmediato.",
		en: "If nobody of your team did this, revoke that API key and tell us at once.",
	},
	why: {
		es: "Recibe este correo porque esta dirección es, o era hasta este cambio, el correo de entrega de {partner}.",
		en: "You get this message because this address is, or was until this change, the delivery e-mail of {partner}.",
	},
} as const satisfies Record<string, Text>;
