import type { Hint } from "./hints.ts";
import type { Text } from "./language.ts";

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
	name: { es: "Escriba un nombre de 1 a 100 caracteres.", en: "Enter a name of 1 to 100 characters." },
	scopes: { es: "Elija al menos un alcance.", en: "Choose at least one scope." },
	ranges: {
		es: "Escriba hasta 50 direcciones o rangos como 203.0.113.0/24 o 2001:db8::/32, uno por línea.",
		en: "Enter at most 50 addresses or ranges such as 203.0.113.0/24 or 2001:db8::/32, one a line.",
	},
};
