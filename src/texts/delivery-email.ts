import type { Text } from "./language.ts";

/** Texts of the e-mail and of the page by which the owner of a delivery e-mail confirms it. */
export const DELIVERY_EMAIL = {
	title: { es: "Confirme su correo de entrega", en: "Confirm your delivery e-mail" },
	preheader: {
		es: "{partner} escribió esta dirección. Confírmela antes del {until}.",
		en: "{partner} entered this address. Confirm it before {until}.",
	},
	opening: {
		es: "Un partner de nuestro servicio de certificados digitales quiere recibir en este correo los certificados que se le entregan y los avisos de cambios de su configuración.",
		en: "A partner of our digital-certificate service wants to get at this address the certificates that are delivered to it and notices of changes of its settings.",
	},
	until: { es: "Puede confirmarlo hasta", en: "You can confirm it until" },
	open: {
		es: "El botón abre una página donde usted confirma. Mientras tanto no cambia nada.",
		en: "The button opens a page where you confirm. Nothing changes until then.",
	},
	notYou: {
		es: "Si usted no conoce a este partner, no haga nada: no le enviaremos certificados.",
		en: "If you do not know this partner, do nothing: we shall send you no certificates.",
	},
	why: {
		es: "Recibe este correo porque {partner} escribió esta dirección como su correo de entrega.",
		en: "You get this message because {partner} entered this address as its delivery e-mail.",
	},
	asks: {
		es: "{partner} quiere recibir en {address} los certificados que se le entregan y los avisos de cambios de su configuración.",
		en: "{partner} wants to get at {address} the certificates that are delivered to it and notices of changes of its settings.",
	},
	stranger: {
		es: "Si usted no conoce a {partner}, cierre esta página.",
		en: "If you do not know {partner}, close this page.",
	},
	confirm: { es: "Confirmar este correo", en: "Confirm this e-mail" },
	done: { es: "El correo quedó confirmado", en: "The e-mail is confirmed" },
	doneNext: {
		es: "Desde ahora rige como correo de entrega. Puede cerrar esta página.",
		en: "It is the delivery e-mail from now on. You may close this page.",
	},
	over: { es: "El enlace ya no sirve", en: "The link is no longer good" },
	overNext: {
		es: "Venció, o el partner cambió el correo después de pedirlo. Si todavía lo quiere, guárdelo otra vez en la consola o por la API.",
		en: "It has ended, or the partner changed the e-mail after asking for it. If it is still wanted, save it again in the console or by the API.",
	},
	problem: { es: "No se pudo continuar", en: "That did not work" },
	tryAgain: { es: "Intentar de nuevo", en: "Try again" },
	tooFast: {
		es: "Llegaron demasiadas solicitudes desde esta conexión. Espere un minuto e intente de nuevo.",
		en: "Too many requests came from this connection. Wait a minute and try again.",
	},
	unavailable: {
		es: "El servicio no está disponible en este momento, y puede que el correo haya quedado confirmado. Abra el enlace de nuevo en unos minutos para ver.",
		en: "The service cannot answer now, and the e-mail may have been confirmed. Open the link again in a few minutes to see.",
	},
} as const satisfies Record<string, Text>;
