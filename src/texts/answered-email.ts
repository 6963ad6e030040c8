import type { Text } from "./language.ts";

/** Texts for a holder whose request about its data was answered. The answer itself is behind the page's code. */
export const ANSWERED_TEXTS = {
	preheader: {
		es: "Lea la respuesta con su RUT y este correo.",
		en: "Read the answer with your RUT and this address.",
	},
	title: { es: "Respondimos su solicitud sobre sus datos", en: "We answered your request about your data" },
	opening: {
		es: "{name}: respondimos la solicitud que hizo sobre sus datos. Para leer la respuesta, entre con su RUT y este correo: le enviaremos un código.",
		en: "{name}: we answered the request that you made about your data. To read the answer, come in with your RUT and this address: we will send you a code.",
	},
	code: { es: "Código de compra", en: "Purchase code" },
	request: { es: "Solicitud", en: "Request" },
	asked: { es: "Pedida el", en: "Asked on" },
	outcome: { es: "Resultado", en: "Outcome" },
	button: { es: "Leer la respuesta", en: "Read the answer" },
	notYou: {
		es: "¿No la hizo usted? Entonces otra persona lee este correo: cambie su contraseña y contáctenos.",
		en: "Was it not you? Then somebody else reads this mailbox: change its password and contact us.",
	},
	why: {
		es: "Recibe este correo porque alguien que entró con su RUT y un código enviado a esta dirección hizo una solicitud.",
		en: "You get this message because somebody who came in with your RUT and a code sent to this address made a request.",
	},
} as const satisfies Record<string, Text>;
