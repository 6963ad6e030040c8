import type { Hint } from "./hints.ts";
import type { Text } from "./language.ts";

const ONE_OF_THE_LIST: Text = { es: "Elija uno de la lista.", en: "Choose one of the list." };
const OPEN_AGAIN: Text = {
	es: "La dirección de esta página no está completa: ábrala de nuevo desde el menú.",
	en: "The address of this page is not whole: open it again from the menu.",
};

/** Hints for people who fill in a form, by the name of the hint that a program is given. */
export const FORM_HINTS: Partial<Record<Hint, Text>> = {
	url: {
		es: "Escriba una dirección https en el puerto 443, sin usuario ni contraseña, que no sea nuestra ni de una red interna.",
		en: "Enter an https address on port 443, without user or password, that is not ours nor of an internal network.",
	},
	webhookEvents: { es: "Elija entre los eventos de la lista.", en: "Choose among the events of the list." },
	email: {
		es: "Escriba un correo electrónico, por ejemplo entregas@empresa.cl.",
		en: "Enter an e-mail address, for example deliveries@company.example.",
	},
	deliveryAddress: {
		es: "Un partner B2B necesita un webhook activo o un correo de entrega: configure antes el otro.",
		en: "A B2B partner needs a webhook that is on, or a delivery e-mail: set the other one first.",
	},
	origins: {
		es: "Escriba hasta 20 orígenes distintos como https://tienda.cl, sin ruta ni barra final.",
		en: "Enter at most 20 different origins such as https://shop.example, without a path or a slash at the end.",
	},
	accent: {
		es: "Escriba un color como #0b5cad que se lea sobre blanco (contraste de 4,5:1 o más).",
		en: "Enter a colour like #0b5cad that can be read on white (contrast of 4.5:1 or more).",
	},
	logo: { es: "Elija un PNG o WebP de hasta 32 KiB.", en: "Choose a PNG or WebP of at most 32 KiB." },
	codeQuota: { es: "Escriba un número de 0 a 10000000.", en: "Enter a number from 0 to 10000000." },
	name: { es: "Escriba un nombre de 1 a 100 caracteres.", en: "Enter a name of 1 to 100 characters." },
	scopes: { es: "Elija al menos un alcance.", en: "Choose at least one scope." },
	instant: {
		es: "Revise la fecha: use DD-MM-AAAA.",
		en: "Check the date: use DD-MM-YYYY.",
	},
	range: {
		es: "La fecha inicial no puede ser posterior a la final.",
		en: "The first date must not be after the last one.",
	},
	month: { es: "Escriba un mes como 2026-11.", en: "Enter a month such as 2026-11." },
	listStatus: ONE_OF_THE_LIST,
	validity: ONE_OF_THE_LIST,
	deliveryState: ONE_OF_THE_LIST,
	deliveryEvent: ONE_OF_THE_LIST,
	product: ONE_OF_THE_LIST,
	products: { es: "Elija entre los productos de la lista.", en: "Choose among the products of the list." },
	code: {
		es: "Escriba un código como 7K3M-9QXT-2B4C-H8WD.",
		en: "Enter a code such as 7K3M-9QXT-2B4C-H8WD.",
	},
	text: {
		es: "Escriba un texto de 1 a 128 caracteres en una sola línea.",
		en: "Enter a text of 1 to 128 characters, in one line.",
	},
	rut: {
		es: "Escriba un RUT con su dígito verificador correcto, por ejemplo 12.345.678-5.",
		en: "Enter a RUT with its right check digit, for example 12.345.678-5.",
	},
	page: OPEN_AGAIN,
	limit: OPEN_AGAIN,
	cursor: OPEN_AGAIN,
	identifier: OPEN_AGAIN,
	quantity: {
		es: "Escriba un número entero de 1 a 5.000.",
		en: "Enter a whole number from 1 to 5,000.",
	},
	expiry: {
		es: "Escriba una fecha y hora futura, por ejemplo 2027-01-31T09:30:00-03:00.",
		en: "Enter a future date and time, for example 2027-01-31T09:30:00-03:00.",
	},
	ssoInReducedFlow: {
		es: "El inicio de sesión único es solo del flujo completo: quítelo, o quite el número de serie de la cédula.",
		en: "Single sign-on belongs to the full flow alone: untick it, or untick the card's serial number.",
	},
	ranges: {
		es: "Escriba hasta 50 direcciones o rangos como 203.0.113.0/24 o 2001:db8::/32, uno por línea.",
		en: "Enter at most 50 addresses or ranges such as 203.0.113.0/24 or 2001:db8::/32, one a line.",
	},
};
