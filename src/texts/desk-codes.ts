import type { Text } from "./language.ts";

/* The partner's reference, continued: its own codes, certificates and usage. Calls, then their fields. */

export const DESK_CODES = {
	tagCertificates: {
		en: "Your certificates: find and revoke them, and see what you used.",
		es: "Sus certificados: búsquelos, revóquelos y vea su consumo.",
	},
	"showPurchaseCode.summary": {
		en: "Show one purchase code: facts, both statuses, certificate and history",
		es: "Ver un código de compra: datos, ambos estados, certificado e historial",
	},
	"showPurchaseCode.success": { en: "The purchase code.", es: "El código de compra." },
	"cancelPurchaseCode.summary": {
		en: "Cancel a purchase code; its certificate is revoked",
		es: "Anular un código de compra; su certificado se revoca",
	},
	"cancelPurchaseCode.description": {
		en: "For good. A certificate that was issued for the code is revoked with cessationOfOperation, unless it was revoked before. Cancelling a cancelled code changes nothing and answers the same.",
		es: "Es definitivo. Si ya se emitió un certificado con el código, se revoca por cessationOfOperation, salvo que ya estuviera revocado. Anular un código ya anulado no cambia nada y responde lo mismo.",
	},
	"cancelPurchaseCode.success": { en: "The code is cancelled.", es: "El código quedó anulado." },
	"listCertificates.summary": {
		en: "List your certificates by the end of their validity",
		es: "Listar sus certificados por su fecha de vencimiento",
	},
	"listCertificates.description": {
		en: "The certificate that ends first comes first. Nothing of a holder is shown: `external_reference_id` is the referenceId that you sent.",
		es: "Primero los que vencen antes. No se muestra ningún dato del titular: `external_reference_id` es el referenceId que usted envió.",
	},
	"listCertificates.success": { en: "One page.", es: "Una página." },
	"searchCertificates.summary": {
		en: "Find the certificates that you had issued for a RUT",
		es: "Buscar los certificados que usted emitió para un RUT",
	},
	"searchCertificates.description": {
		en: "By purchase code. The RUT goes in the body, so that no address contains it. A RUT without certificates gives an empty list.",
		es: "Por código de compra. El RUT va en el cuerpo, para que no aparezca en ninguna URL. Un RUT sin certificados entrega una lista vacía.",
	},
	"searchCertificates.success": { en: "One page.", es: "Una página." },
	"revokeOwnCertificate.summary": { en: "Revoke a certificate", es: "Revocar un certificado" },
	"revokeOwnCertificate.description": {
		en: "For good. CRL and OCSP show it within a minute. The purchase code stays EMITTED; cancel it to void both. A certificate that was revoked before keeps its date and reason, and the answer shows them.",
		es: "Es definitivo. La CRL y OCSP lo muestran dentro de un minuto. El código de compra sigue en EMITTED; anúlelo para dejar ambos sin efecto. Un certificado ya revocado conserva su fecha y su motivo, y la respuesta los muestra.",
	},
	"revokeOwnCertificate.success": { en: "The revoked certificate.", es: "El certificado revocado." },
	"getUsage.summary": {
		en: "What you used in a month, by product",
		es: "Su consumo de un mes, por producto",
	},
	"getUsage.description": {
		en: "Exact at the moment of the answer. Days and months are those of America/Santiago. A code counts as created, validated (the first time) and emitted on the day on which it happened; a certificate as revoked or, unless it was revoked before its end, as expired.",
		es: "Exacto al momento de la respuesta. Los días y meses son los de America/Santiago. Un código se cuenta como created, validated (la primera vez) y emitted el día en que ocurrió; un certificado, como revoked o, salvo que se haya revocado antes de vencer, como expired.",
	},
	"getUsage.success": { en: "The sums of the month.", es: "Los totales del mes." },
} as const satisfies Record<string, Text>;

export const DESK_FIELDS = {
	codeNotFound: {
		en: "You have no such purchase code.",
		es: "Usted no tiene ese código de compra.",
	},
	certificateNotFound: { en: "You have no such certificate.", es: "Usted no tiene ese certificado." },
	cancelReason: {
		en: "Shown in the code's history and in the event pcode.cancelled. No personal data.",
		es: "Aparece en el historial del código y en el evento pcode.cancelled. Sin datos personales.",
	},
	cancelledSerial: {
		en: "The certificate that is revoked with the code.",
		es: "El certificado que queda revocado con el código.",
	},
	actor: {
		en: "Who did it: you (with the id of the key), ops (our staff), the holder, the widget or the service itself.",
		es: "Quién lo hizo: usted (con el id de la API key), ops (nuestro equipo), el titular, el widget o el propio servicio.",
	},
	validationLockedUntil: {
		en: "End of the latest security lock of certificate_request. A validated code can still be claimed.",
		es: "Término del último bloqueo de seguridad de certificate_request. Un código validado se puede retirar igualmente.",
	},
	validationBlockedAt: {
		en: "Since then certificate_request is closed for good for this validated code, which can still be claimed.",
		es: "Desde entonces certificate_request está cerrado definitivamente para este código validado, que se puede retirar igualmente.",
	},
	claimLockedUntil: {
		en: "End of the latest security lock of certificate_claim. certificate_request stays open, and a success there clears it.",
		es: "Término del último bloqueo de seguridad de certificate_claim. certificate_request sigue abierto, y una validación correcta lo quita.",
	},
	timeline: {
		en: "The creation and the latest 200 changes, oldest first.",
		es: "La creación y los últimos 200 cambios, primero los más antiguos.",
	},
	validity: {
		en: "valid, expired or revoked. A revoked certificate stays revoked when its time is over.",
		es: "valid, expired o revoked. Un certificado revocado sigue como revoked después de vencer.",
	},
	expiringBefore: {
		en: "Only certificates that end before this: a date (UTC, its first moment) or a timestamp. With validity=valid, those that are about to expire.",
		es: "Solo los certificados que vencen antes de este momento: una fecha (UTC, desde su comienzo) o una fecha y hora. Con validity=valid, los que están por vencer.",
	},
	next: {
		en: "Send it as cursor for the next page; null on the last.",
		es: "Envíelo como cursor para obtener la página siguiente; null en la última.",
	},
	month: {
		en: "The current month of America/Santiago if it is not sent.",
		es: "Si no se envía, el mes en curso en America/Santiago.",
	},
} as const satisfies Record<string, Text>;
