import type { Text } from "./language.ts";

/* Descriptions of a partner's widget settings in the reference. */

export const WIDGET_SETTINGS = {
	origins: {
		en: "Pages of these origins may embed the widget, at most 20: https://shop.example, without a path. With none, nobody may; the link of a session works all the same. http is accepted only for loopback, outside prod.",
		es: "Las páginas de estos orígenes pueden incrustar el widget, hasta 20: https://tienda.example, sin ruta. Si no hay ninguno, nadie puede; el enlace de una sesión funciona igual. Se acepta http solo en loopback, fuera de prod.",
	},
	accent: {
		en: "Colour of buttons and links, #rrggbb; its contrast with white must be at least 4.5:1. null: ours.",
		es: "Color de botones y enlaces, #rrggbb; su contraste con el blanco debe ser de al menos 4,5:1. null: el nuestro.",
	},
	logo: {
		en: "PNG or WebP of at most 32 KiB, as base64 or a data URL. null removes it; left out, it stays.",
		es: "PNG o WebP de hasta 32 KiB, en base64 o como data URL. null lo quita; si se omite, queda el que está.",
	},
	logoPath: { en: "Where we serve it.", es: "Dónde lo servimos." },
} as const satisfies Record<string, Text>;
