import type { Attention } from "../domain/attention.ts";
import type { Text } from "./language.ts";

/* The overview of a partner's console: what needs attention, the first steps, the week. */

export const OVERVIEW_PAGE = {
	attention: { es: "Requiere su atención", en: "Needs your attention" },
	nothing: { es: "Nada requiere su atención.", en: "Nothing needs your attention." },
	week: { es: "Últimos {days} días", en: "The last {days} days" },
	weekCounted: {
		es: "Por la hora de Chile, hoy incluido, comparado con los {days} días anteriores.",
		en: "By the clock of Chile, today included, compared with the {days} days before.",
	},
	created: { es: "códigos creados", en: "codes created" },
	validated: { es: "códigos validados", en: "codes validated" },
	emitted: { es: "certificados emitidos", en: "certificates issued" },
	begin: { es: "Para empezar: {done} de {all} pasos listos", en: "To begin: {done} of {all} steps done" },
	done: { es: "Listo", en: "Done" },
	open: { es: "Falta", en: "To do" },
	go: { es: "Hacerlo", en: "Do it" },
	guide: { es: "Guía", en: "Guide" },
} as const satisfies Record<string, Text>;

/** Words of each, and of the step that follows. */
export const ATTENTION: Record<Attention["kind"], { says: Text; next: Text }> = {
	no_address: {
		says: {
			es: "Ningún certificado puede entregarse: no hay webhook ni correo de entrega, y toda validación recibe 503.",
			en: "No certificate can be delivered: there is neither a webhook nor a delivery e-mail, and every validation gets 503.",
		},
		next: { es: "Configurar la entrega", en: "Set up the delivery" },
	},
	webhook_off: {
		says: {
			es: "El webhook está desactivado desde el {at}: su servidor respondió 410.",
			en: "The webhook is off since {at}: your server answered 410.",
		},
		next: {
			es: "Guardar otra vez su dirección para activarlo",
			en: "Save its address again to switch it on",
		},
	},
	webhook_failing: {
		says: {
			es: "El último webhook no llegó: {outcome}, el {at}. De los últimos {tried} llegaron {arrived}.",
			en: "The latest webhook did not arrive: {outcome}, on {at}. Of the latest {tried}, {arrived} arrived.",
		},
		next: { es: "Revisarlo y enviar una prueba", en: "Check it and send a test" },
	},
	deliveries_dead: {
		says: {
			es: "Envíos de los últimos {days} días que fallaron y ya no se reintentan: {n}.",
			en: "Deliveries of the last {days} days that failed and are not tried again: {n}.",
		},
		next: { es: "Verlos y reenviarlos", en: "See them and send them again" },
	},
	codes_ending: {
		says: {
			es: "Códigos sin utilizar a los que les quedan menos de {days} días: {n}.",
			en: "Unused codes with less than {days} days left: {n}.",
		},
		next: { es: "Ver cuáles son", en: "See which" },
	},
	key_ending: {
		says: {
			es: "La API key {label} deja de funcionar el {at}.",
			en: "The API key {label} stops working on {at}.",
		},
		next: { es: "Reemplazarla", en: "Replace it" },
	},
	email_waiting: {
		says: {
			es: "El correo de entrega {address} espera confirmación hasta el {at}.",
			en: "The delivery e-mail {address} waits to be confirmed until {at}.",
		},
		next: { es: "Verlo o cambiarlo", en: "See it or change it" },
	},
};

/** The first steps, in their order; `guide`: the page of the guide about it, `here`: the page of the console. */
export const FIRST_STEPS = {
	code: {
		text: { es: "Cree su primer código de compra", en: "Create your first purchase code" },
		here: "/console/codes#order",
		guide: "first-pfx",
	},
	validation: {
		text: { es: "Valide a un titular", en: "Validate a holder" },
		here: "/console/codes",
		guide: "sandbox",
	},
	certificate: {
		text: { es: "Emita su primer certificado", en: "Issue your first certificate" },
		here: "/console/codes",
		guide: "certificate",
	},
	webhook: {
		text: { es: "Reciba un webhook", en: "Receive a webhook" },
		here: "/console/webhook",
		guide: "webhooks",
	},
	ownKey: {
		text: { es: "Cree una API key propia para producción", en: "Make a key of your own for production" },
		here: "/console/keys",
		guide: "going-live",
	},
	widget: {
		text: {
			es: "Declare el origen que mostrará el widget",
			en: "Declare the origin that will show the widget",
		},
		here: "/console/widget",
		guide: "widget",
	},
} as const satisfies Record<string, { text: Text; here: string; guide: string }>;
