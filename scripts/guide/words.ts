import type { Language } from "./pages.ts";

/* Words around the guide's pages. */

export const WORDS = {
	es: {
		tag: "es-CL",
		guide: "Guía para partners",
		skip: "Saltar al contenido",
		pages: "Páginas",
		previous: "Anterior",
		next: "Siguiente",
		around: "Página anterior y siguiente",
		onThisPage: "En esta página",
		reference: "Referencia de la API",
		search: "Buscar en la guía y la referencia",
		results: "Resultados",
		copy: "Copiar",
		language: "Lenguaje",
		contact: "Contacto",
	},
	en: {
		tag: "en",
		guide: "Guide for partners",
		skip: "Skip to the content",
		pages: "Pages",
		previous: "Previous",
		next: "Next",
		around: "Previous and next page",
		onThisPage: "On this page",
		reference: "API reference",
		search: "Search the guide and the reference",
		results: "Results",
		copy: "Copy",
		language: "Language",
		contact: "Contact",
	},
} as const satisfies Record<Language, Record<string, string>>;
