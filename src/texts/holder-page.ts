import type { Text } from "./language.ts";

/** The page where a holder revokes a certificate. */
export const HOLDER_PAGE = {
	title: { es: "Revocar mi certificado digital", en: "Revoke my digital certificate" },
	other: { es: "English", en: "Español" },
	problem: { es: "Hay un problema", en: "There is a problem" },
	introduction: {
		es: "Si perdió el archivo de su certificado, se lo robaron o usted no lo pidió, revóquelo aquí: desde ese momento deja de servir para firmar. No se puede deshacer.",
		en: "If you lost the file of your certificate, it was stolen or you did not ask for it, revoke it here: from then on it is no good for signing. This cannot be undone.",
	},
	whose: {
		es: "Esta página es de {brand}, el servicio que emitió su certificado digital. Se lo vendió otra empresa: es la que nombra el correo que recibió cuando se emitió.",
		en: "This page is of {brand}, the service that issued your digital certificate. Another company sold it to you: the one named in the message that you got when it was issued.",
	},
	whatHappens: { es: "Qué va a pasar", en: "What happens" },
	rut: { es: "RUT", en: "RUT" },
	rutHint: { es: "Por ejemplo, 12.345.678-5", en: "For example, 12.345.678-5" },
	email: { es: "Correo electrónico", en: "E-mail address" },
	emailHint: {
		es: "El que entregó al pedir el certificado",
		en: "The one you gave when you asked for the certificate",
	},
	sendCode: { es: "Enviarme un código", en: "Send me a code" },
	rutWrong: {
		es: "Escriba un RUT con su dígito verificador correcto, por ejemplo 12.345.678-5.",
		en: "Enter a RUT with its right check digit, for example 12.345.678-5.",
	},
	emailWrong: {
		es: "Escriba un correo electrónico, por ejemplo ana@example.cl.",
		en: "Enter an e-mail address, for example ana@example.cl.",
	},
	codeTitle: { es: "Escriba el código", en: "Enter the code" },
	codeIntroduction: {
		es: "Si el RUT y el correo corresponden a datos que guardamos, le enviamos un código de 12 dígitos a ese correo. Presione el botón de ese correo en este mismo navegador, o escriba el código aquí, antes de {minutes} minutos. Si ya le había llegado uno y no llega otro, use el último que recibió. Revise también el correo no deseado.",
		en: "If the RUT and the e-mail address match data that we keep, we sent a code of 12 digits to that address. Press the button of that message in this same browser, or enter the code here, within {minutes} minutes. If you had got one before and no other comes, use the latest. Look in the spam folder too.",
	},
	code: { es: "Código de 12 dígitos", en: "Code of 12 digits" },
	codeFilled: {
		es: "Tomamos el código de su correo. Presione Continuar.",
		en: "We took the code from your message. Press Continue.",
	},
	openTitle: { es: "Continuar la revocación", en: "Go on to revoke" },
	openIntroduction: {
		es: "Siga en el mismo navegador donde pidió el código. Todavía no se ha revocado nada.",
		en: "Go on in the browser where you asked for the code. Nothing has been revoked yet.",
	},
	check: { es: "Continuar", en: "Continue" },
	codeShape: { es: "Escriba los 12 dígitos del código.", en: "Enter the 12 digits of the code." },
	codeWrong: {
		es: "El código no es correcto. Intentos que quedan: {left}.",
		en: "The code is not right. Tries left: {left}.",
	},
	codeOver: {
		es: "Esta página venció, se agotaron los intentos, el código ya se usó o lo pidió en otro navegador. Vuelva a empezar: un código que no se ha usado sirve hasta la hora que dice su correo.",
		en: "This page has expired, no tries are left, the code was used before, or you asked for it in another browser. Start again: a code that was not used works until the time that its e-mail says.",
	},
	lost: {
		es: "Este formulario ya se envió y no sabemos si se hizo lo que pide. Vuelva a empezar para verlo.",
		en: "This form was sent before, and we do not know whether it was done. Start again to see.",
	},
	startAgain: { es: "Volver a empezar", en: "Start again" },
	noCode: {
		es: "¿No llegó? Revise que el RUT y el correo sean los que entregó y pida otro. Si ya no tiene ese correo, contacte a quien le vendió el certificado: también puede revocarlo.",
		en: "Did it not come? Check that RUT and e-mail address are those you gave, and ask for another code. If you no longer have that address, contact whoever sold you the certificate: they can have it revoked too.",
	},
	listTitle: { es: "Elija el certificado", en: "Choose the certificate" },
	listIntroduction: {
		es: "Se muestran los certificados vigentes de su RUT con este correo.",
		en: "Shown are the certificates of your RUT with this e-mail address that have not expired.",
	},
	incomplete: {
		es: "Hay certificados que en este momento no podemos mostrar. Si falta el suyo, vuelva a empezar en unos minutos.",
		en: "There are certificates that we cannot show at the moment. If yours is missing, start again in some minutes.",
	},
	soldBy: { es: "Vendido por {partner}", en: "Sold by {partner}" },
	serial: { es: "Número de serie {serial}", en: "Serial number {serial}" },
	dates: { es: "Emitido el {from}, válido hasta el {to}", en: "Issued on {from}, valid until {to}" },
	revokedOn: { es: "Revocado el {at}", en: "Revoked on {at}" },
	noneLeft: {
		es: "Ya no tiene certificados vigentes con este RUT y este correo.",
		en: "You have no certificates in force left with this RUT and this e-mail address.",
	},
	reason: { es: "Motivo", en: "Reason" },
	understand: {
		es: "Entiendo que la revocación no se puede deshacer",
		en: "I understand that this cannot be undone",
	},
	revoke: { es: "Revocar el certificado", en: "Revoke the certificate" },
	chooseCertificate: { es: "Elija un certificado.", en: "Choose a certificate." },
	chooseReason: { es: "Elija un motivo.", en: "Choose a reason." },
	confirm: {
		es: "Marque la casilla para confirmar que entiende que no se puede deshacer.",
		en: "Tick the box to confirm that you understand that this cannot be undone.",
	},
	done: { es: "El certificado quedó revocado", en: "The certificate is revoked" },
	doneNext: {
		es: "Ya no sirve para firmar, y quien consulte su estado lo verá revocado en menos de un minuto. Si alguien pudo usarlo, revise lo que se firmó a su nombre. Para tener otro, contacte a {partner}.",
		en: "It is no good for signing any more; whoever asks for its status sees it revoked within a minute. If somebody may have used it, look at what was signed in your name. For another one, contact {partner}.",
	},
	receipt: { es: "Comprobante de revocación", en: "Receipt of the revocation" },
	issuer: { es: "Emitido y revocado por", en: "Issued and revoked by" },
	issuedOn: { es: "Emitido el", en: "Issued on" },
	validTo: { es: "Iba a vencer el", en: "Would have expired on" },
	revokedAt: { es: "Revocado el", en: "Revoked on" },
	whyRevoked: { es: "Motivo", en: "Reason" },
	receiptNote: {
		es: "Lo que se firmó antes de esa hora no se anula con la revocación. Le enviamos también un correo con estos datos.",
		en: "The revocation does not undo what was signed before that time. We sent you an e-mail with these facts too.",
	},
	print: { es: "Imprimir o guardar", en: "Print or save" },
	toData: { es: "Ver los datos que guardamos de usted", en: "See the data that we keep of you" },
	leave: { es: "Terminar", en: "Finish" },
	left: { es: "Puede cerrar esta página.", en: "You may close this page." },
	tooFast: {
		es: "Llegaron demasiadas solicitudes desde esta conexión. Espere un minuto e intente de nuevo.",
		en: "Too many requests came from this connection. Wait a minute and try again.",
	},
	tooMany: {
		es: "Se pidieron demasiados códigos desde esta conexión. Vuelva a intentarlo después del {at}. Si es urgente, contacte a quien le vendió el certificado: también puede revocarlo.",
		en: "Too many codes were asked for from this connection. Try again after {at}. If it is urgent, contact whoever sold you the certificate: they can have it revoked too.",
	},
	expired: {
		es: "La página estuvo abierta demasiado tiempo o su navegador no acepta cookies. Vuelva a empezar.",
		en: "The page was open for too long, or your browser takes no cookies. Start again.",
	},
	notFound: {
		es: "No encontramos ese certificado en nuestro registro, así que no lo revocamos. Contacte a {partner}: también puede revocarlo.",
		en: "We did not find that certificate in our register, so it was not revoked. Contact {partner}: they can have it revoked too.",
	},
	tryAgain: { es: "Intentar de nuevo", en: "Try again" },
	unavailable: {
		es: "El servicio no está disponible en este momento. Inténtelo de nuevo en unos minutos.",
		en: "The service cannot answer now. Try again in a few minutes.",
	},
} as const satisfies Record<string, Text>;

/** Steps of a revocation, as they are told before the first. */
export const REVOCATION_STEPS: readonly Text[] = [
	{
		es: "Escriba su RUT y el correo que entregó al pedir el certificado.",
		en: "Enter your RUT and the e-mail address that you gave when you asked for the certificate.",
	},
	{
		es: "Le enviamos a ese correo un botón y un código de 12 dígitos: presione el botón o escriba el código.",
		en: "We send a button and a code of 12 digits to that address: press the button or enter the code.",
	},
	{
		es: "Elija el certificado y el motivo, y confirme. Antes de ese paso no se revoca nada.",
		en: "Choose the certificate and the reason, and confirm. Nothing is revoked before that step.",
	},
	{
		es: "Queda revocado al instante, con un comprobante que puede imprimir, y le avisamos por correo.",
		en: "It is revoked at once, with a receipt that you can print, and we tell you by e-mail.",
	},
];

/** Why a holder revokes, in its words. */
export const HOLDER_REASONS = {
	lost: {
		es: "Perdí el archivo, me lo robaron o alguien más conoce el PIN",
		en: "I lost the file, it was stolen, or somebody else knows the PIN",
	},
	not_mine: { es: "Yo no pedí este certificado", en: "I did not ask for this certificate" },
	replaced: { es: "Tengo otro que lo reemplaza", en: "I have another one in its place" },
	unused: { es: "Ya no lo uso", en: "I do not use it any more" },
	changed: { es: "Cambiaron mis datos", en: "My particulars have changed" },
	other: { es: "Otro motivo", en: "Another reason" },
} as const satisfies Record<string, Text>;

export type HolderReason = keyof typeof HOLDER_REASONS;
