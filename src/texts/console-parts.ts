import type { Text } from "./language.ts";

/** Texts common to the pages of both consoles. */
export const CONSOLE_PARTS = {
	other: { es: "English", en: "Español" },
	skip: { es: "Ir al contenido", en: "Skip to content" },
	navigation: { es: "Páginas de la consola", en: "Pages of the console" },
	menu: { es: "Menú", en: "Menu" },
	signOut: { es: "Salir", en: "Sign out" },
	previous: { es: "Anterior", en: "Previous" },
	next: { es: "Siguiente", en: "Next" },
	pager: { es: "Páginas de la lista", en: "Pages of the list" },
	problem: { es: "Hay un problema", en: "There is a problem" },
	chileTime: { es: "Las horas son las de Chile.", en: "Times are Chile's." },
	none: { es: "ninguno", en: "none" },
	back: { es: "Volver a la consola", en: "Back to the console" },
	foreignForm: {
		es: "Este formulario no viene de una página de su sesión. No cambió nada. Abra la página de nuevo e inténtelo otra vez.",
		en: "This form does not come from a page of your session. Nothing was changed. Open the page again and try once more.",
	},
	lostForm: {
		es: "Este formulario ya se envió y no sabemos si se hizo lo que pide. Mire la página antes de llenarlo otra vez.",
		en: "This form was sent before, and we do not know whether it was done. Look at the page before you fill it in again.",
	},
	shownBefore: {
		es: "Esta página muestra un resultado una sola vez, por cinco minutos, en el navegador que lo pidió. Ya no está.",
		en: "This page shows a result once, for five minutes, in the browser that asked for it. It is no longer here.",
	},
	unreadableForm: {
		es: "El formulario llegó incompleto. No cambió nada. Inténtelo otra vez.",
		en: "The form did not arrive whole. Nothing was changed. Try once more.",
	},
} as const satisfies Record<string, Text>;

/** Headings in the navigation. */
export const NAV_GROUPS = {
	integration: { es: "Integración", en: "Integration" },
	service: { es: "Servicio", en: "Service" },
} as const satisfies Record<string, Text>;
