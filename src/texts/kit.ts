import type { Text } from "./language.ts";

/* Texts of the parts of all pages, and of the page that shows them. */

export const COPYING = {
	copy: { es: "Copiar", en: "Copy" },
	copied: { es: "Copiado", en: "Copied" },
} as const satisfies Record<string, Text>;

/** Environment badge; prod has none. */
export const ENVIRONMENTS = {
	local: { es: "Local", en: "Local" },
	dev: { es: "Pruebas", en: "Test mode" },
} as const satisfies Record<string, Text>;

/** The page that shows each part once. */
export const KIT_PAGE = {
	title: { es: "Partes de las páginas", en: "Parts of the pages" },
	introduction: {
		es: "Cada parte de las páginas, una vez, con datos inventados. Sus formularios no llevan a ninguna parte.",
		en: "Each part of the pages once, with invented data. Its forms lead nowhere.",
	},
	statuses: { es: "Estados", en: "Statuses" },
	done: { es: "Se guardó.", en: "Saved." },
	problem: { es: "No se pudo guardar: el valor está vacío.", en: "Not saved: the value is empty." },
	warning: { es: "Esta API key vence en tres días.", en: "This API key ends in three days." },
	info: { es: "Los cambios tardan hasta un minuto.", en: "Changes take up to a minute." },
	field: { es: "Campo", en: "Field" },
	hint: { es: "Una explicación corta", en: "A short explanation" },
	day: { es: "Día", en: "Day" },
	button: { es: "Botón", en: "Button" },
	copyAll: { es: "Copiar todos", en: "Copy all" },
	print: { es: "Imprimir", en: "Print" },
	list: { es: "Tres códigos", en: "Three codes" },
	code: { es: "Código", en: "Code" },
	status: { es: "Estado", en: "Status" },
	nothing: { es: "Todavía no hay nada", en: "Nothing yet" },
	nothingYet: {
		es: "Aquí se ve lo que habría y cómo conseguirlo.",
		en: "This says what would be here and how to get it.",
	},
	figure: { es: "códigos", en: "codes" },
	chart: { es: "Certificados por día", en: "Certificates per day" },
	card: { es: "Tarjeta", en: "Card" },
	choice: { es: "Elección", en: "Choice" },
	one: { es: "Una opción", en: "One option" },
	other: { es: "Otra opción", en: "Another option" },
} as const satisfies Record<string, Text>;
