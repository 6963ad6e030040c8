import type { Text } from "./language.ts";

/* Finding a thing, and the forms above the lists, of both consoles. */

export const LISTS = {
	filter: { es: "Filtrar", en: "Filter" },
	clear: { es: "Quitar filtros", en: "Clear filters" },
	any: { es: "Todos", en: "All" },
	perPage: { es: "Por página", en: "Per page" },
	sort: { es: "Orden", en: "Order" },
	newest: { es: "Más nuevos primero", en: "Newest first" },
	oldest: { es: "Más antiguos primero", en: "Oldest first" },
	toPage: { es: "Ir a la página", en: "Go to page" },
	go: { es: "Ir", en: "Go" },
} as const satisfies Record<string, Text>;

export const FIND = {
	title: { es: "Buscar", en: "Find" },
	own: {
		es: "Buscar código, referencia, lote, serie o RUT",
		en: "Find a code, reference, batch, serial or RUT",
	},
	ops: { es: "Buscar partner, código o número de serie", en: "Find a partner, code or serial number" },
	none: { es: "No se encontró nada con “{text}”.", en: "Nothing was found by “{text}”." },
	nothingAsked: { es: "¿Qué busca?", en: "What are you looking for?" },
	ownWays: {
		es: "Escriba arriba un código, o sus primeros cuatro símbolos o más, como se lo dicten: da igual si va en minúsculas o sin guiones. También una referencia suya o un lote, completos; el número de serie de un certificado; o el RUT de su titular, con dígito verificador.",
		en: "Enter above a code, or its first four symbols or more, as it was read out to you: case and hyphens do not matter. Or a reference of yours or a batch, in full; the serial number of a certificate; or its holder's RUT, with its check digit.",
	},
	opsWays: {
		es: "Escriba arriba un código, o los cuatro primeros símbolos de uno, o más; el número de serie de un certificado; o un partner, por su id o por el comienzo de su nombre.",
		en: "Enter above a code, or its first four symbols or more; the serial number of a certificate; or a partner, by its id or the beginning of its name.",
	},
	found: { es: "Resultados de “{text}”", en: "Results for “{text}”" },
	byPrefix: { es: "Códigos que comienzan así", en: "Codes that begin so" },
	byReference: { es: "Códigos con esta referencia", en: "Codes with this reference" },
	byRut: { es: "Certificados de este RUT", en: "Certificates of this RUT" },
	bySerial: { es: "Certificado con este número de serie", en: "Certificate with this serial number" },
	batch: { es: "Lote", en: "Batch" },
	batchOf: { es: "{n} códigos de {product}", en: "{n} codes of {product}" },
	first: { es: "Se muestran {n}; hay más.", en: "{n} are shown; there are more." },
	narrow: { es: "Escriba más símbolos.", en: "Enter more symbols." },
	all: { es: "Ver la lista completa", en: "Show the whole list" },
	byName: { es: "Partners cuyo nombre comienza así", en: "Partners whose name begins so" },
	inNames: {
		es: "Buscar dentro de los nombres de todos los partners",
		en: "Look within the names of all partners",
	},
	holders: {
		es: "Los titulares se buscan en su propia página, con un motivo que queda en la auditoría.",
		en: "Holders are searched on a page of their own, with a reason that is recorded in the audit.",
	},
	toHolders: { es: "Ir a los titulares", en: "Go to the holders" },
	nameHas: { es: "El nombre contiene", en: "The name contains" },
} as const satisfies Record<string, Text>;
