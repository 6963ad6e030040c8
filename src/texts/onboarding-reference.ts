import type { Text } from "./language.ts";

/* The partner's reference, continued: sessions of the widget. */

export const ONBOARDING_REFERENCE = {
	tagOnboarding: {
		en: "Let a holder enter the data in our widget, on your page or by a link. Your server makes a session, your page opens it.",
		es: "Deje que el titular ingrese sus datos en nuestro widget, en su página o por un enlace. Su servidor crea una sesión y su página la abre.",
	},
	"createOnboardingSession.summary": {
		en: "Make a session of the widget for a purchase code",
		es: "Crear una sesión del widget para un código de compra",
	},
	"createOnboardingSession.description": {
		en: "The session waits 24 hours to be opened, then lives for 30 minutes after the holder's last step. A newer session of the code ends it; so does a certificate_request or certificate_claim of the code that succeeds by API. Making one does not count as a certificate_request: the holder's submission does. What certificate_request would refuse whatever the holder enters is refused here. Make it on your server: the holder's browser gets `session_id` and `token`, never your API key.",
		es: "La sesión espera 24 horas a que la abran y después dura 30 minutos desde el último paso del titular. Una sesión más nueva del código la termina, y también un certificate_request o certificate_claim exitoso del código por API. Crearla no cuenta como un certificate_request: cuenta el envío del titular. Lo que certificate_request rechazaría sin importar lo que ingrese el titular se rechaza aquí. Créela en su servidor: el navegador del titular recibe `session_id` y `token`, nunca su API key.",
	},
	"createOnboardingSession.success": { en: "The session.", es: "La sesión." },
	"showOnboardingSession.summary": { en: "Progress of a session", es: "Avance de una sesión" },
	"showOnboardingSession.success": { en: "The session.", es: "La sesión." },
	"endOnboardingSession.summary": {
		en: "End a session; one that has ended stays as it is",
		es: "Terminar una sesión; una ya terminada queda como está",
	},
	"endOnboardingSession.success": { en: "The session as it is now.", es: "La sesión como quedó." },
	sessionNotFound: {
		en: "No such session, or it ended more than 24 hours ago.",
		es: "No existe esa sesión, o terminó hace más de 24 horas.",
	},
	sessionBusy: {
		en: "The holder's data are being validated at this moment. Retry in a few seconds.",
		es: "Los datos del titular se están validando en este momento. Reintente en unos segundos.",
	},
	sessionClaim: {
		en: "B2C: whether the holder gets the certificate in the widget; true unless sent. false: you claim it by certificate_claim. Not for B2B partners.",
		es: "B2C: si el titular recibe el certificado en el widget; true si no se envía. false: usted lo retira con certificate_claim. No es para partners B2B.",
	},
	sessionLocale: {
		en: "Language of the widget: es unless sent.",
		es: "Idioma del widget: es si no se envía.",
	},
	sessionPrefill: {
		en: "What you know of the holder, who can change it.",
		es: "Lo que usted sabe del titular, que puede cambiarlo.",
	},
	sessionToken: {
		en: "Opens the session. Shown only in this answer: give it to your page's script, never put it in a path or a query.",
		es: "Abre la sesión. Solo se muestra en esta respuesta: entréguelo al script de su página, nunca lo ponga en una ruta ni en una query.",
	},
	sessionUrl: {
		en: "A page of ours with the same widget, for a partner who only wants a link. It contains the token: send it to the holder alone.",
		es: "Una página nuestra con el mismo widget, para quien solo quiere un enlace. Contiene el token: envíela solo al titular.",
	},
	sessionStatus: {
		en: "created: not opened yet. open: the holder is in it. validated: the holder has still to get the certificate. completed: done. ended: see end_reason.",
		es: "created: aún no se abre. open: el titular está en ella. validated: al titular le falta recibir el certificado. completed: lista. ended: vea end_reason.",
	},
	sessionEndReason: {
		en: "completed; expired: its time was over; replaced: by a newer session; cancelled: by you; superseded: the code was validated or claimed by API; code_closed: the code was cancelled or blocked for good; too_many_submits: ten submissions in an hour were refused before the registry was asked.",
		es: "completed; expired: se acabó su tiempo; replaced: por una sesión más nueva; cancelled: por usted; superseded: el código se validó o retiró por API; code_closed: el código se anuló o se bloqueó definitivamente; too_many_submits: en una hora se rechazaron diez envíos antes de consultar al Registro Civil.",
	},
	"onOnboardingCompleted.summary": {
		en: "A holder has completed the widget",
		es: "Un titular completó el widget",
	},
	"onOnboardingCompleted.description": {
		en: "status is VALIDATED where you claim the certificate yourself, else EMITTED. pcode.validated and certificate.emitted come as well, to who subscribes to them.",
		es: "status es VALIDATED cuando usted mismo retira el certificado; si no, EMITTED. También llegan pcode.validated y certificate.emitted a quien esté suscrito.",
	},
	"onOnboardingExpired.summary": {
		en: "A session of the widget ended before its holder completed it",
		es: "Una sesión del widget terminó antes de que el titular la completara",
	},
} as const satisfies Record<string, Text>;
