import type { Text } from "./language.ts";

/* The partner's reference, continued: its own settings, keys and deliveries. */

export const DESK_REFERENCE = {
	tagDesk: {
		en: "Your own keys, webhook, deliveries and settings. What changes something needs a key with the scope manage.",
		es: "Sus propias claves, webhook, envíos y configuración. Lo que cambia algo requiere una clave con el alcance manage.",
	},

	"listOwnKeys.summary": { en: "List your API keys", es: "Listar sus API keys" },
	"listOwnKeys.success": {
		en: "All keys, oldest first, those that have ended included.",
		es: "Todas las claves, primero las más antiguas, incluidas las terminadas.",
	},
	"addOwnKey.summary": {
		en: "Add an API key, shown only in this answer",
		es: "Agregar una API key, que solo se muestra en esta respuesta",
	},
	"addOwnKey.success": { en: "The key.", es: "La clave." },
	"rotateOwnKey.summary": {
		en: "Replace an API key: the new one is shown only in this answer, the old one ends after the overlap",
		es: "Reemplazar una API key: la nueva solo se muestra en esta respuesta, la anterior termina después del traslape",
	},
	"rotateOwnKey.success": {
		en: "The new key, with the scopes and address ranges of the old one, and the old one with its end.",
		es: "La clave nueva, con los alcances y rangos de direcciones de la anterior, y la anterior con su término.",
	},
	"revokeOwnKey.summary": {
		en: "Revoke an API key; in force everywhere within 60 s",
		es: "Revocar una API key; rige en todas partes antes de 60 s",
	},
	"revokeOwnKey.success": { en: "The key as it is now.", es: "La clave como quedó." },
} as const satisfies Record<string, Text>;
