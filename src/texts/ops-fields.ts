import type { Text } from "./language.ts";

/* Descriptions of fields in the operators' reference, and of a reason that its message does not explain. */

export const OPS_FIELDS = {
	moreCodes: {
		en: "There are more than the 100 that are shown: ask for the next page; after an erasure, ask again.",
		es: "Hay más que los 100 que se muestran: pida la página siguiente; tras un borrado, pídalo de nuevo.",
	},
	codesPage: {
		en: "Which hundred of the codes, from 1.",
		es: "Qué centena de los códigos, desde 1.",
	},
	unopenable: {
		en: "null: it is kept, but its row does not open; the log names the row.",
		es: "null: se guarda, pero la fila no se puede abrir; el registro de eventos la nombra.",
	},
	erasure: {
		en: "erased: nothing of the holder is left. kept: the certificate was issued, and the law asks for its register. busy: a step of the code runs; ask again.",
		es: "erased: no queda nada del titular. kept: el certificado se emitió y la ley exige el registro. busy: el código está en uso; pídalo de nuevo.",
	},
	requestAnswer: {
		en: "For the holder, who reads it on /revocar.",
		es: "Para el titular, que la lee en /revocar.",
	},
	keptFor: {
		en: "register: kept by law for six years from the certificate's end, also if the holder asks for erasure. claim: until it is claimed or lapses. objection: 30 days after the code was closed. The second is erased at once if the holder asks; the last two if ops do.",
		es: "register: la ley obliga a conservarlo seis años desde el término del certificado, aunque el titular pida borrarlo. claim: hasta que se retire o caduque. objection: 30 días desde que se cerró el código. El segundo se borra de inmediato si el titular lo pide; los dos últimos, si lo pide operaciones.",
	},
	not_found: {
		en: "Not found, or neither an operations token nor Cloudflare Access is configured.",
		es: "No encontrado, o no hay ni token de operaciones ni Cloudflare Access configurado.",
	},
	databaseState: {
		en: "open: takes new partners. closed: takes those that name it. full: 70 % or more of its limit, takes none. silent: it did not answer.",
		es: "open: recibe partners nuevos. closed: solo los que la indican. full: 70 % o más de su límite; no recibe. silent: no respondió.",
	},
	databaseOf: {
		en: "Number of the database; 1, the one of binding DB, by default.",
		es: "Número de la base de datos; por defecto 1, la del binding DB.",
	},
	placeOf: {
		en: "Number of the database in which the partner will live; by default the open one with most room.",
		es: "Número de la base de datos en la que quedará el partner; por defecto, la abierta con más espacio.",
	},
	silent: {
		en: "Numbers of databases that did not answer: nothing of theirs is in this answer.",
		es: "Números de las bases de datos que no respondieron: nada de ellas está en esta respuesta.",
	},
	lostPartners: {
		en: "Partners of the directory whose rows no database has: they were made, or moved away, after the moment that was restored.",
		es: "Partners del directorio cuyas filas no tiene ninguna base de datos: se crearon, o se trasladaron, después del momento restaurado.",
	},
	dueMend: {
		en: "Databases in which a partner lives again since the one it had moved to was restored: mend each, from this moment.",
		es: "Bases de datos en las que vuelve a vivir un partner desde que se restauró aquella a la que se había trasladado: repara cada una, desde este momento.",
	},
	mendTo: {
		en: "The moment that D1 was restored to.",
		es: "El momento al que se restauró D1.",
	},
	mending: {
		en: "Whether the mending goes on: OCSP answers `tryLater` for every certificate that is not known as revoked.",
		es: "Si la reparación sigue: OCSP responde `tryLater` por todo certificado que no conste como revocado.",
	},
	restoredTo: {
		en: "The time to which the database had been put back; null for the digest of a day.",
		es: "El momento al que se había devuelto la base de datos; null en el resumen de un día.",
	},
	superseded: {
		en: "A restore changed its rows; a later digest stands for them.",
		es: "Una restauración cambió sus filas; las cubre un resumen posterior.",
	},
	fromVersion: { en: "First version to show; 1 by default.", es: "Primera versión; 1 por defecto." },
	actor: {
		en: "`partner:<key id>`, `ops:<name or e-mail>`, `widget:<session>`, `holder:<id>` or `job:<name>`.",
		es: "`partner:<id de la API key>`, `ops:<nombre o correo>`, `widget:<sesión>`, `holder:<id>` o `job:<nombre>`.",
	},
	requireSso: {
		en: "Full flow only. 1, the default there: every validation verifies the holder's single sign-on. 0: it asks for the card's serial number instead. 1 in the reduced flow is 400.",
		es: "Solo en el flujo completo. 1, su valor por defecto: toda validación verifica el inicio de sesión único del titular. 0: exige en su lugar el número de serie de la cédula. 1 en el flujo reducido es 400.",
	},
	requireSerialWithSso: {
		en: "Full flow with require_sso 1 only, else 400. 1: every validation also asks for the card's serial number and compares it; set it where the partner passes on credentials that it may not have obtained itself. 0, the default: one that is sent is ignored.",
		es: "Solo en el flujo completo con require_sso 1; si no, 400. 1: toda validación exige además el número de serie de la cédula y lo compara; actívelo donde el partner reenvía credenciales que quizás no obtuvo él mismo. 0, el valor por defecto: si llega uno, se ignora.",
	},
	identityChecks: {
		en: "What a validation checks besides that the card is in force; follows from the settings.",
		es: "Lo que revisa una validación además de que la cédula esté vigente; se deduce de la configuración.",
	},
	codeQuota: {
		en: "Purchase codes that may be created in any 14 days: cancelled ones and replacements count, those now issued do not. Beyond it pcode/bulk is 403 CODE_QUOTA_EXCEEDED.",
		es: "Códigos de compra que se pueden crear en 14 días: los anulados y los reemplazos cuentan; los ya emitidos, no. Más allá, pcode/bulk responde 403 CODE_QUOTA_EXCEEDED.",
	},
	issuingKey: {
		en: "Place of the issuing key: a secret of the Worker, or a signer with a hardware module.",
		es: "Dónde está la clave privada emisora: un secreto del Worker, o un firmador con un módulo de hardware.",
	},
	signerState: {
		en: "`failing`: its module does not answer; `silent`: it does not answer; `other_key`: it signs for another authority.",
		es: "`failing`: su módulo no responde; `silent`: no responde; `other_key`: firma para otra autoridad.",
	},
	headKeptAt: {
		en: "When a head of its log was last kept in the audit's bucket; null: not for a month.",
		es: "Cuándo se guardó por última vez una cabeza de su registro en el bucket de auditoría; null: hace más de un mes.",
	},
	refused: {
		en: "What it has refused since its start, by code.",
		es: "Lo que ha rechazado desde su inicio, por código.",
	},
	renews: {
		en: "Serial of the certificate that it renews, of the same holder and partner.",
		es: "Número de serie del certificado que renueva, del mismo titular y partner.",
	},
	holderReminders: {
		en: "Holders get an e-mail 30 and 7 days before their certificate expires.",
		es: "Los titulares reciben un correo 30 y 7 días antes de que venza su certificado.",
	},
	language: {
		en: "Language of the e-mails to the partner and to its holders; a holder who used the widget gets them in the widget's.",
		es: "Idioma de los correos al partner y a sus titulares; quien usó el widget los recibe en el idioma del widget.",
	},
	webhookOffBy: {
		en: "endpoint: it answered 410. ops: webhook_enabled false.",
		es: "endpoint: respondió 410. ops: webhook_enabled false.",
	},
	deliveryAddress: {
		en: "Where a B2B partner's certificates go. A webhook that ops switched off does not count, one that answered 410 does. missing: every certificate_request is 503. null in B2C.",
		es: "Adónde van los certificados de un partner B2B. Un webhook desactivado por ops no cuenta; uno que respondió 410, sí. missing: todo certificate_request es 503. null en B2C.",
	},
	webhookEnabled: {
		en: "A 410 from the endpoint switches the webhook off, and so does false. A new URL switches it on.",
		es: "Un 410 del endpoint desactiva el webhook, y también false. Una URL nueva lo activa.",
	},
	revocationReason: {
		en: "Of the certificate that a cancellation revokes; block and unblock ignore it.",
		es: "Del certificado que una anulación revoca; block y unblock lo ignoran.",
	},
} as const satisfies Record<string, Text>;
