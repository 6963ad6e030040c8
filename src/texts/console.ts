import type { Text } from "./language.ts";

/** The partner's console: its frame, and signing in. */
export const CONSOLE = {
	name: { es: "Consola del partner", en: "Partner console" },
	signIn: { es: "Ingresar a la consola", en: "Sign in to the console" },
	signInIntroduction: {
		es: "Ingrese con una API key de su empresa que tenga el alcance manage. La consola no la guarda: la sesión dura 8 horas y termina antes si la API key se revoca o vence.",
		en: "Sign in with one of your company's API keys that has the scope manage. The console does not keep it: the session lasts 8 hours, and ends before if the API key is revoked or expires.",
	},
	key: { es: "API key", en: "API key" },
	keyHint: { es: "Empieza con gw_", en: "It begins with gw_" },
	signInButton: { es: "Ingresar", en: "Sign in" },
	ended: {
		es: "Su sesión terminó. Ingrese de nuevo; lo último que envió no se guardó.",
		en: "Your session has ended. Sign in again; what you sent last was not saved.",
	},
	keyRefused: {
		es: "Esta API key no es válida: no existe, fue revocada, venció o no se puede usar desde su dirección IP.",
		en: "This API key is not valid: it does not exist, was revoked, has expired or may not be used from your IP address.",
	},
	manageRequired: {
		es: "Esta API key no tiene el alcance manage. Pida una que lo tenga.",
		en: "This API key does not have the scope manage. Ask for one that has.",
	},
	sandboxClock: {
		es: "Reloj del sandbox: {ahead} adelantado. Por él van las horas de códigos, sesiones del widget y envíos; certificados, API keys e historial van por la hora real.",
		en: "Sandbox clock: {ahead} ahead. The times of codes, widget sessions and deliveries go by it; certificates, API keys and history go by the real time.",
	},
	signedOut: { es: "Usted salió de la consola.", en: "You have signed out." },
} as const satisfies Record<string, Text>;
