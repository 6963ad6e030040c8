import type { Text } from "./language.ts";

/** The tab of the widget's single sign-on: it shows both languages, since it does not know the holder's. */
export const SIGN_ON = {
	title: { es: "Inicio de sesión", en: "Sign-in" },
	starting: { es: "Abriendo ClaveÚnica…", en: "Opening ClaveÚnica…" },
	finishing: { es: "Confirmando su inicio de sesión…", en: "Confirming your sign-in…" },
	verified: {
		es: "Listo. Ya puede cerrar esta pestaña y continuar donde estaba.",
		en: "Done. You may close this tab and continue where you were.",
	},
	cancelled: {
		es: "Canceló el inicio de sesión. Cierre esta pestaña; puede intentarlo de nuevo donde estaba.",
		en: "You cancelled the sign-in. Close this tab; you can try again where you were.",
	},
	unavailable: {
		es: "ClaveÚnica no confirmó su inicio de sesión. Cierre esta pestaña e inténtelo de nuevo en unos minutos.",
		en: "ClaveÚnica did not confirm your sign-in. Close this tab and try again in a few minutes.",
	},
	other_person: {
		es: "Inició sesión otra persona: su RUT no es el que ingresó en la solicitud. Cierre esta pestaña y corrija el RUT, o inicie sesión con su propia ClaveÚnica.",
		en: "Another person signed in: their RUT is not the one entered in the request. Close this tab and correct the RUT, or sign in with your own ClaveÚnica.",
	},
	refused: {
		es: "Este inicio de sesión no comenzó en esta pestaña, o ya se usó. No se guardó nada. Cierre esta pestaña e inicie sesión desde la página del certificado.",
		en: "This sign-in did not begin in this tab, or was used before. Nothing was stored. Close this tab and sign in from the certificate's page.",
	},
	oldBrowser: {
		es: "Este navegador es muy antiguo para iniciar sesión aquí. No se guardó nada. Actualícelo, o abra la página del certificado en otro: sirven Safari desde 16.4, Chrome y Edge desde 103 y Firefox desde 100.",
		en: "This browser is too old to sign in here. Nothing was stored. Update it, or open the certificate's page in another: Safari from 16.4, Chrome and Edge from 103 and Firefox from 100 work.",
	},
	ended: {
		es: "La solicitud terminó mientras iniciaba sesión. No se guardó nada. Cierre esta pestaña y comience de nuevo donde compró.",
		en: "The request ended while you signed in. Nothing was stored. Close this tab and start again where you bought.",
	},
	failed: {
		es: "No pudimos guardar su inicio de sesión. Cierre esta pestaña e inténtelo de nuevo en unos minutos.",
		en: "We could not store your sign-in. Close this tab and try again in a few minutes.",
	},
	needsScript: {
		es: "Active JavaScript en su navegador para continuar.",
		en: "Turn on JavaScript in your browser to continue.",
	},
} as const satisfies Record<string, Text>;
