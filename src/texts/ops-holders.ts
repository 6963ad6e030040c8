import type { Text } from "./language.ts";

/* Holders' data for ops: the calls of the reference, and the console's pages. */

export const HOLDERS_REFERENCE = {
	"searchHolder.summary": {
		en: "Find the codes and certificates of a RUT over all partners; the search, its reason and what it found are recorded in the audit, the RUT is not",
		es: "Buscar los códigos y certificados de un RUT en todos los partners; la búsqueda, su motivo y lo encontrado quedan en la auditoría; el RUT, no",
	},
	"searchHolder.success": {
		en: "The codes, newest first. Without name and e-mail.",
		es: "Los códigos, primero los más nuevos. Sin nombre ni correo.",
	},
	"showHolderData.summary": {
		en: "Show what is kept of the holder of a RUT over all partners, as the holder sees it on /revocar; the call, its reason and the codes are recorded in the audit",
		es: "Ver lo que se guarda del titular de un RUT en todos los partners, como lo ve el titular en /revocar; la llamada, su motivo y los códigos quedan en la auditoría",
	},
	"showHolderData.success": {
		en: "What is kept. Name, e-mail, phone and copy address are masked; pictures and secrets are not in it.",
		es: "Lo que se guarda. Nombre, correos y teléfono van ocultos en parte; las imágenes y los secretos no van.",
	},
	"eraseHolderData.summary": {
		en: "Erase, at the holder's request, what need not be kept of the holder of a RUT; codes that were not issued stop working. Make sure that the holder asked",
		es: "Borrar, a pedido del titular de un RUT, lo que no hay que conservar; los códigos no emitidos dejan de servir. Compruebe que lo pidió el titular",
	},
	"eraseHolderData.success": {
		en: "Each code, and what became of its holder's data.",
		es: "Cada código, y qué pasó con los datos del titular.",
	},
	"listHolderRequests.summary": {
		en: "List requests of holders that wait for an answer, the oldest first, at most 100; they have 30 days",
		es: "Listar solicitudes de titulares sin respuesta, primero las más antiguas, hasta 100; hay 30 días para responder",
	},
	"listHolderRequests.success": { en: "The open requests.", es: "Las solicitudes abiertas." },
	"answerHolderRequest.summary": {
		en: "Answer a request of a holder, who reads the answer on /revocar; recorded in the audit without its text",
		es: "Responder la solicitud de un titular, que lee la respuesta en /revocar; queda en la auditoría sin el texto",
	},
	"answerHolderRequest.success": { en: "The request as it is now.", es: "La solicitud como quedó." },
} as const satisfies Record<string, Text>;

export const OPS_HOLDERS = {
	show: { es: "Ver lo que se guarda", en: "See what is kept" },
	shown: { es: "Lo que se guarda de un titular", en: "What is kept of a holder" },
	json: { es: "Todo, en JSON", en: "All of it, as JSON" },
	masked: {
		es: "Nombre, correos y teléfono van ocultos en parte. El titular los ve en /revocar con el código que le llega por correo.",
		en: "Name, e-mail addresses and phone are partly hidden. The holder sees them on /revocar with the code that comes by e-mail.",
	},
	erase: { es: "Borrar lo que se puede", en: "Erase what can be erased" },
	eraseWhy: {
		es: "Solo a pedido del titular, cuya identidad se haya comprobado. Los códigos no emitidos dejan de servir; lo de certificados emitidos se conserva seis años desde que vencen (ley 19.799). Se borran hasta 100 códigos a la vez: repítalo mientras haya más.",
		en: "Only at the request of the holder, once the identity was checked. Codes that were not issued stop working; what belongs to issued certificates is kept for six years from their end (law 19.799). At most 100 codes are erased at once: repeat it while there are more.",
	},
	erased: {
		es: "Se borraron los datos de {erased} código(s); se conservan los de {kept}; {busy} están en uso: intente de nuevo en un minuto.",
		en: "The data of {erased} code(s) were erased; those of {kept} are kept; {busy} are in use: try again in a minute.",
	},
	requests: { es: "Solicitudes de titulares", en: "Requests of holders" },
	requestsOpen: {
		es: "Solicitudes de titulares sin respuesta: {open}",
		en: "Requests of holders without an answer: {open}",
	},
	requestsNone: { es: "No hay solicitudes sin respuesta.", en: "No request waits for an answer." },
	requestsWhy: {
		es: "Lo que los titulares piden en /revocar sobre datos propios: corregir, oponerse o bloquear. Hay 30 días para responder; el titular lee la respuesta en /revocar.",
		en: "What holders ask on /revocar about data of their own: to correct, to object or to block. There are 30 days to answer; the holder reads the answer on /revocar.",
	},
	answerBy: { es: "Responder hasta", en: "Answer by" },
	asked: { es: "Pedida", en: "Asked" },
	kind: { es: "Solicitud", en: "Request" },
	detail: { es: "Lo que escribió el titular", en: "Text of the holder" },
	unopenable: {
		es: "No se puede leer: la fila no se abre (unopenable en el registro de eventos)",
		en: "It cannot be read: its row does not open (unopenable in the log)",
	},
	answer: { es: "Respuesta para el titular", en: "Answer to the holder" },
	outcome: { es: "Resultado", en: "Outcome" },
	send: { es: "Responder", en: "Answer" },
	answered: { es: "Respondida, o no existe.", en: "It was answered, or there is none." },
} as const satisfies Record<string, Text>;
