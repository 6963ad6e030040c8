import type { Text } from "./language.ts";
import { WIDGET_PROBLEMS } from "./widget-problems.ts";

/** Texts of the widget in Chilean Spanish and in English. The page fills in `{name}`s. */
export const WIDGET_TEXTS = {
	title: { es: "Certificado digital", en: "Digital certificate" },
	loading: { es: "Cargando…", en: "Loading…" },
	noScript: {
		es: "Esta página necesita JavaScript. Actívelo en su navegador y vuelva a cargarla.",
		en: "This page needs JavaScript. Switch it on in your browser and load the page again.",
	},
	progress: { es: "Paso {step} de {steps}", en: "Step {step} of {steps}" },
	next: { es: "Continuar", en: "Continue" },
	back: { es: "Volver", en: "Back" },
	save: { es: "Guardar", en: "Save" },
	change: { es: "Cambiar", en: "Change" },
	close: { es: "Cerrar", en: "Close" },
	retry: { es: "Intentar de nuevo", en: "Try again" },
	optional: { es: "opcional", en: "optional" },
	sending: { es: "Guardando…", en: "Saving…" },
	offline: {
		es: "Se perdió la conexión. Seguiremos en cuanto vuelva; no se borra lo que escribió.",
		en: "The connection was lost. We will go on when it is back; what you typed is kept.",
	},
	endsSoon: {
		es: "Por seguridad, esta sesión termina a {time}.",
		en: "For your safety, this session ends at {time}.",
	},
	stay: { es: "Necesito más tiempo", en: "I need more time" },

	rutTitle: { es: "¿Cuál es su RUT?", en: "What is your RUT?" },
	rut: { es: "RUT", en: "RUT" },
	rutHint: { es: "Por ejemplo, 12.345.678-5", en: "For example, 12.345.678-5" },

	cardTitle: { es: "El número de serie de su cédula", en: "The serial number of your ID card" },
	card: { es: "Número de serie o de documento", en: "Serial or document number" },
	cardHint: {
		es: "No es el RUT. Escríbalo con su letra, si la tiene.",
		en: "It is not the RUT. Include its letter, if it has one.",
	},
	cardWhere: { es: "¿Dónde está?", en: "Where is it?" },
	cardNew: {
		es: "Desde diciembre de 2024: en el anverso, una B y 8 dígitos",
		en: "Since December 2024: on the front, a B and 8 digits",
	},
	cardMiddle: {
		es: "De 2013 a 2024: en el anverso, 9 dígitos",
		en: "2013 to 2024: on the front, 9 digits",
	},
	cardOld: {
		es: "Antes de 2013: en el reverso, una A y 9 dígitos",
		en: "Before 2013: on the back, an A and 9 digits",
	},

	expiryTitle: { es: "¿Cuándo vence su cédula?", en: "When does your ID card expire?" },
	expiry: { es: "Fecha de vencimiento", en: "Expiry date" },
	expiryHint: {
		es: "Día, mes y año. Por ejemplo, 20-05-2031",
		en: "Day, month and year. For example, 20-05-2031",
	},

	nameTitle: { es: "Su nombre y su teléfono", en: "Your name and your telephone" },
	nameIntro: {
		es: "Escriba el nombre tal como está en su cédula.",
		en: "Write the name just as it is on your ID card.",
	},
	names: { es: "Nombres", en: "Given names" },
	namesHint: { es: "Todos, en el mismo orden", en: "All of them, in the same order" },
	fLastname: { es: "Apellido paterno", en: "Father's surname" },
	mLastname: { es: "Apellido materno", en: "Mother's surname" },
	phone: { es: "Teléfono", en: "Telephone" },
	phoneHint: { es: "Por ejemplo, 9 1234 5678", en: "For example, 9 1234 5678" },

	signOnTitle: { es: "Confirme que es usted", en: "Confirm that it is you" },
	signOnIntro: {
		es: "Ingrese con su ClaveÚnica en la pestaña que se abrirá. Nosotros no vemos su clave.",
		en: "Sign in with your ClaveÚnica in the tab that opens. We do not see your password.",
	},
	signOnOpen: { es: "Ingresar con ClaveÚnica", en: "Sign in with ClaveÚnica" },
	signOnAgain: { es: "Abrir la pestaña de nuevo", en: "Open the tab again" },
	signOnWaiting: {
		es: "Termine en la pestaña de ClaveÚnica y vuelva aquí: continuará automáticamente.",
		en: "Finish in the ClaveÚnica tab and come back here: it goes on by itself.",
	},
	signOnBlocked: {
		es: "Su navegador no dejó abrir la pestaña. Use este enlace:",
		en: "Your browser did not let the tab open. Use this link:",
	},
	signOnDone: { es: "Identidad confirmada con ClaveÚnica", en: "Identity confirmed with ClaveÚnica" },
	signOnCancelled: {
		es: "No se completó el ingreso. Puede intentarlo de nuevo.",
		en: "The sign-in was not completed. You can try again.",
	},
	signOnOtherPerson: {
		es: "Quien ingresó con ClaveÚnica no es la persona del RUT que escribió. Ingrese con su propia ClaveÚnica, o vuelva y corrija el RUT; no perdió ningún intento.",
		en: "Who signed in with ClaveÚnica is not the person of the RUT you typed. Sign in with your own ClaveÚnica, or go back and correct the RUT; no attempt was spent.",
	},
	signOnUnavailable: {
		es: "ClaveÚnica no responde. Espere unos minutos e intente de nuevo; no perdió ningún intento.",
		en: "ClaveÚnica does not answer. Wait a few minutes and try again; no attempt was spent.",
	},

	emailTitle: { es: "¿Cuál es su correo?", en: "What is your e-mail address?" },
	email: { es: "Correo electrónico", en: "E-mail address" },
	emailHint: {
		es: "Irá dentro del certificado. Use uno al que solo usted tenga acceso.",
		en: "It goes into the certificate. Use one that only you can open.",
	},

	pinTitle: { es: "Cree un PIN", en: "Create a PIN" },
	pin: { es: "PIN de 4 dígitos", en: "4-digit PIN" },
	pinHint: {
		es: "Será la clave de su archivo. No lo guardamos: anótelo, no se puede recuperar.",
		en: "It will be the password of your file. We do not keep it: note it down, it cannot be recovered.",
	},
	pinRepeat: { es: "Repita el PIN", en: "Repeat the PIN" },
	pinShow: { es: "Mostrar el PIN", en: "Show the PIN" },
	pinAgain: {
		es: "No guardamos su PIN: escríbalo otra vez para seguir.",
		en: "We do not keep your PIN: enter it again to go on.",
	},

	reviewTitle: { es: "Revise antes de enviar", en: "Check before you send" },
	reviewIntro: {
		es: "Comprobaremos estos datos con el Registro Civil.",
		en: "We will check these data against the civil registry.",
	},
	reviewName: { es: "Nombre", en: "Name" },
	reviewPin: { es: "PIN", en: "PIN" },
	reviewSignOn: { es: "ClaveÚnica", en: "ClaveÚnica" },
	accept: {
		es: "Acepto los {terms} y el {privacy}.",
		en: "I accept the {terms} and the {privacy}.",
	},
	terms: { es: "términos y condiciones", en: "terms and conditions" },
	privacy: { es: "aviso de privacidad", en: "privacy notice" },
	newTab: { es: "se abre en otra pestaña", en: "opens in another tab" },
	submit: { es: "Validar mi identidad", en: "Validate my identity" },

	workTitle: { es: "Estamos validando su identidad", en: "We are validating your identity" },
	workIntro: {
		es: "Toma unos segundos. No cierre esta página.",
		en: "It takes a few seconds. Do not close this page.",
	},
	workCheck: { es: "Comprobar sus datos", en: "Check your data" },
	workIssue: { es: "Emitir su certificado", en: "Issue your certificate" },
	workDone: { es: "listo", en: "done" },
	workNow: { es: "en curso", en: "in progress" },

	readyTitle: { es: "Su certificado está listo", en: "Your certificate is ready" },
	readyUntil: { es: "Vence el {date}.", en: "It expires on {date}." },
	download: { es: "Descargar certificado", en: "Download certificate" },
	downloadPin: {
		es: "El archivo se abre con el PIN que usted creó. Guarde los dos en lugares distintos.",
		en: "The file opens with the PIN that you created. Keep the two in different places.",
	},
	downloadUntil: {
		es: "Puede descargarlo otra vez aquí hasta {time}.",
		en: "You can download it again here until {time}.",
	},
	downloadElsewhere: {
		es: "¿No se descargó? Ábralo en una pestaña aparte",
		en: "Did it not download? Open it in a tab of its own",
	},
	getTitle: { es: "Su identidad está validada", en: "Your identity is validated" },
	getIntro: {
		es: "Escriba el PIN que usted creó para obtener su certificado.",
		en: "Enter the PIN that you created to get your certificate.",
	},
	getIssuedIntro: {
		es: "Escriba el PIN que usted creó para descargarlo.",
		en: "Enter the PIN that you created to download it.",
	},
	get: { es: "Obtener mi certificado", en: "Get my certificate" },
	validatedTitle: { es: "Su identidad está validada", en: "Your identity is validated" },
	validatedText: {
		es: "{partner} le entregará su certificado. Va a necesitar su PIN.",
		en: "{partner} will give you your certificate. You will need your PIN.",
	},
	sentTitle: { es: "Su certificado fue emitido", en: "Your certificate was issued" },
	sentText: {
		es: "{partner} lo recibió y se lo entregará.",
		en: "{partner} has received it and will give it to you.",
	},
	sentPending: {
		es: "Todavía no llega a {partner}. Lo enviaremos de nuevo a las {time} (hora de Chile); no tiene que esperar aquí.",
		en: "It has not reached {partner} yet. We send it again at {time} (Chilean time); you need not wait here.",
	},
	sentWaiting: {
		es: "{partner} no tiene ahora dónde recibirlo. Se lo enviaremos en cuanto lo tenga; si tarda, pida ayuda a {partner}.",
		en: "{partner} has no address to receive it at now. We send it as soon as there is one; if it takes long, ask {partner} for help.",
	},
	sentEnded: {
		es: "El archivo ya no se puede entregar. Pida ayuda a {partner}.",
		en: "The file cannot be delivered any more. Ask {partner} for help.",
	},
	sentPin: {
		es: "El archivo se abre con el PIN que usted creó.",
		en: "The file opens with the PIN that you created.",
	},
	closeAsks: {
		es: "Todavía no ha descargado su certificado. Si quiere cerrar de todos modos, presione Cerrar otra vez.",
		en: "You have not downloaded your certificate yet. To close all the same, press Close again.",
	},
	mayClose: { es: "Ya puede cerrar esta página.", en: "You may close this page now." },

	...WIDGET_PROBLEMS,
} as const satisfies Record<string, Text>;

export type WidgetText = keyof typeof WIDGET_TEXTS;
