import type { RequestKind, RequestOutcome } from "../domain/holder-requests.ts";
import type { KeptFor } from "../domain/retention.ts";
import type { Text } from "./language.ts";

/** The page on which a holder sees what is kept of it (Ley 19.628 as amended by Ley 21.719). */
export const HOLDER_DATA = {
	title: { es: "Los datos que guardamos de usted", en: "The data that we keep of you" },
	introduction: {
		es: "Esto es todo lo que guardamos con su RUT y este correo, de cada código con que usted validó su identidad. Los datos nos los entregó usted o quien le vendió el certificado, y su nombre, el Registro Civil. Los usamos para emitir su certificado de firma electrónica y para responder por él; los conoce quien se lo vendió; al Registro Civil le preguntamos por su cédula. Si validó su identidad con otro correo, entre de nuevo con ese.",
		en: "This is all that we keep under your RUT and this e-mail address, for each code with which you validated your identity. You or whoever sold you the certificate gave us the data, and the civil registry your name. We use them to issue your certificate for electronic signatures and to answer for it; whoever sold it to you knows them; we ask the civil registry about your ID card. If you validated your identity with another address, come in again with that one.",
	},
	nothing: {
		es: "No guardamos ningún dato suyo con este correo.",
		en: "We keep no data of yours under this address.",
	},
	partShown: {
		es: "Página {page}: se muestran 100 códigos por página, y lo que haga aquí vale para los de esta página.",
		en: "Page {page}: 100 codes are shown on a page, and what you do here is done for those of this page.",
	},
	earlier: { es: "Los 100 anteriores", en: "The 100 before" },
	later: { es: "Los 100 siguientes", en: "The next 100" },
	unopenable: {
		es: "Lo guardamos, pero en este momento no podemos leerlo. Ya tenemos el aviso y lo estamos revisando.",
		en: "We keep it, but cannot read it now. We have been told and are looking into it.",
	},
	soldBy: { es: "Código {code}, vendido por {partner}", en: "Code {code}, sold by {partner}" },
	name: { es: "Nombre", en: "Name" },
	phone: { es: "Teléfono (oculto en parte)", en: "Phone (partly hidden)" },
	copy: { es: "Correo para una copia (oculto en parte)", en: "E-mail for a copy (partly hidden)" },
	validated: { es: "Identidad validada", en: "Identity validated" },
	terms: { es: "Términos aceptados", en: "Terms accepted" },
	termsValue: { es: "versión {version}, el {at}", en: "version {version}, on {at}" },
	renews: { es: "Renueva el certificado", en: "Renews the certificate" },
	reference: { es: "Referencia de quien vendió", en: "The seller's reference" },
	pin: { es: "PIN", en: "PIN" },
	pinKept: {
		es: "no lo guardamos; solo una huella para compararlo, hasta que se emita el certificado",
		en: "not kept; only a fingerprint to compare it with, until the certificate is issued",
	},
	failed: { es: "Validaciones fallidas de su RUT", en: "Failed validations of your RUT" },
	certificate: { es: "Certificado", en: "Certificate" },
	certificateValue: {
		es: "número de serie {serial}, válido hasta el {to}",
		en: "serial number {serial}, valid until {to}",
	},
	pictures: {
		es: "Imágenes de su cédula (guardadas; aquí no se muestran)",
		en: "Pictures of your ID card (kept; not shown here)",
	},
	deliveries: { es: "Avisos y envíos por este código", en: "Messages and deliveries for this code" },
	why: { es: "Por qué y hasta cuándo", en: "Why, and until when" },
	besides: { es: "Qué más guardamos", en: "What else we keep" },
	what: { es: "Qué", en: "What" },
	forWhat: { es: "Para qué", en: "What for" },
	untilWhen: { es: "Hasta cuándo", en: "Until when" },
	download: { es: "Descargar todo (JSON)", en: "Download all of it (JSON)" },

	requests: { es: "Sus solicitudes", en: "Your requests" },
	asked: { es: "Pedida el", en: "Asked on" },
	request: { es: "Solicitud", en: "Request" },
	answer: { es: "Respuesta", en: "Answer" },
	pending: { es: "la respuesta estará aquí a más tardar el {at}", en: "the answer will be here by {at}" },
	askTitle: {
		es: "Pedir que corrijamos o dejemos de usar un dato",
		en: "Ask us to correct a datum, or to stop using it",
	},
	askHint: {
		es: "Una persona lee su solicitud y responde en esta página dentro de 30 días; le avisamos por correo. El certificado mismo no se puede corregir: se revoca y se emite otro.",
		en: "A person reads your request and answers on this page within 30 days; an e-mail tells you. The certificate itself cannot be corrected: it is revoked and another one issued.",
	},
	kind: { es: "Qué pide", en: "What you ask for" },
	code: { es: "Sobre qué código", en: "About which code" },
	detail: { es: "Cuéntenos qué dato y por qué", en: "Tell us which datum, and why" },
	send: { es: "Enviar la solicitud", en: "Send the request" },
	chooseKind: { es: "Elija qué pide.", en: "Choose what you ask for." },
	chooseCode: { es: "Elija un código.", en: "Choose a code." },
	detailWrong: { es: "Escriba entre 1 y {max} caracteres.", en: "Write 1 to {max} characters." },
	tooMany: {
		es: "Ya hay {max} solicitudes suyas sin responder sobre ese código. Espere nuestra respuesta.",
		en: "{max} requests of yours about that code are not answered yet. Wait for our answer.",
	},
	sent: { es: "Recibimos su solicitud.", en: "We received your request." },

	eraseTitle: { es: "Borrar mis datos", en: "Erase my data" },
	eraseHint: {
		es: "Borramos de inmediato los datos de los códigos con que no se emitió un certificado, con sus imágenes y solicitudes; esos códigos dejan de servir. Lo que la ley nos obliga a conservar se queda hasta la fecha que aparece arriba, y entonces se borra solo.",
		en: "We erase at once the data of codes without a certificate, with their pictures and requests; those codes stop working. What the law obliges us to keep stays until the date shown above, and is erased by itself then.",
	},
	nothingToErase: {
		es: "Ahora no hay nada que podamos borrar: lo de arriba se conserva, por la razón que aparece, hasta las fechas que aparecen.",
		en: "There is nothing that we can erase now: the above is kept, for the reasons shown, until the dates shown.",
	},
	understand: { es: "Entiendo que no se puede deshacer", en: "I understand that this cannot be undone" },
	confirm: { es: "Marque la casilla para confirmar.", en: "Tick the box to confirm." },
	erase: { es: "Borrar lo que se puede", en: "Erase what can be erased" },
	erased: {
		es: "Borramos los datos de {erased} código(s). Lo que queda se muestra abajo, con su razón y su fecha.",
		en: "We erased the data of {erased} code(s). What is left is shown below, with its reason and its date.",
	},
	busy: {
		es: "No pudimos borrar los datos de {busy} código(s): se están usando en este momento. Inténtelo de nuevo en un minuto.",
		en: "The data of {busy} code(s) could not be erased: they are in use now. Try again in a minute.",
	},
	back: { es: "Volver a mis certificados", en: "Back to my certificates" },
} as const satisfies Record<string, Text>;

export const KEPT_WHY: Record<KeptFor, Text> = {
	register: {
		es: "La ley de firma electrónica (19.799, art. 12 b) obliga a conservar el registro de los certificados emitidos, y con él sus datos y las imágenes. Se borran el {until}.",
		en: "The law on electronic signatures (19.799, art. 12 b) obliges us to keep the register of issued certificates, and with it your data and the pictures. They are erased on {until}.",
	},
	claim: {
		es: "Para que usted pueda retirar su certificado. Si no lo retira, se borran el {until}. Puede pedir que los borremos ahora.",
		en: "So that you can claim your certificate. If you do not, they are erased on {until}. You may have them erased now.",
	},
	objection: {
		es: "El código se cerró sin emitir un certificado; los guardamos por si hay un reclamo y se borran el {until}, no antes: si otra persona usó su RUT, son la prueba.",
		en: "The code was closed without a certificate; we keep them in case of an objection, and they are erased on {until}, not before: if somebody else used your RUT, they are the proof.",
	},
};

/** Kinds of records that are kept beside those of a code, each with its purpose and its end. */
export const KEPT_BESIDES = {
	certificate: [
		{ es: "El certificado emitido, cifrado", en: "The issued certificate, sealed" },
		{ es: "el registro que pide la ley 19.799", en: "the register that law 19.799 asks for" },
		{ es: "seis años desde que vence", en: "six years from its end" },
	],
	register: [
		{
			es: "Códigos, números de serie, fechas, revocaciones y auditoría: no lo nombran",
			en: "Codes, serial numbers, dates, revocations and audit: they do not name you",
		},
		{ es: "el registro público y su prueba", en: "the public register and its evidence" },
		{ es: "siempre", en: "for good" },
	],
	hashes: [
		{
			es: "Huellas de su RUT y de su correo, que no permiten leerlos",
			en: "Fingerprints of your RUT and address, from which neither can be read",
		},
		{
			es: "encontrar sus datos; que un correo sea de un solo RUT; contar intentos fallidos (24 horas)",
			en: "to find your data; to keep one address to one RUT; to count failed attempts (24 hours)",
		},
		{ es: "junto con sus datos", en: "as long as your data" },
	],
	widget: [
		{
			es: "Lo que escribe al validar su identidad en línea y la sesión, cifrados",
			en: "What you type while you validate your identity online and the session, sealed",
		},
		{ es: "seguir donde quedó", en: "to go on where you were" },
		{ es: "hasta que termina la sesión, un día a lo más", en: "until the session ends, a day at most" },
	],
	deliveries: [
		{
			es: "Destinatario y contenido de los correos, cifrados",
			en: "Recipient and content of e-mails, sealed",
		},
		{ es: "poder entregarlos", en: "to be able to deliver them" },
		{ es: "hasta que llegan; si no llegan, 90 días", en: "until they arrive; if they do not, 90 days" },
	],
	visits: [
		{
			es: "Sus visitas a esta página y los formularios que envía, sin su nombre",
			en: "Your visits to this page and the forms you send, without your name",
		},
		{ es: "saber qué pasó e impedir abusos", en: "to know what happened, and against abuse" },
		{ es: "24 horas", en: "24 hours" },
	],
} as const satisfies Record<string, readonly [what: Text, why: Text, until: Text]>;

export const REQUEST_KIND_TEXTS: Record<RequestKind, Text> = {
	correct: { es: "Corregir un dato", en: "Correct a datum" },
	object: { es: "Oponerme a que usen un dato", en: "Object to the use of a datum" },
	block: { es: "Bloquear mis datos por un tiempo", en: "Block my data for a time" },
};

export const REQUEST_OUTCOME_TEXTS: Record<RequestOutcome, Text> = {
	done: { es: "aceptada", en: "granted" },
	refused: { es: "rechazada", en: "refused" },
};
