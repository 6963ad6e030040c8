import type { Text } from "./language.ts";

/** Texts on API keys in both references. */
export const KEY_TEXTS = {
	scopes: {
		en: "codes: create and list purchase codes. redeem: certificate_request, certificate_claim, status. read: every call that only reads. manage: settings, keys, webhook, revoking and cancelling; includes read. When left out: all but manage.",
		es: "codes: crear y listar códigos de compra. redeem: certificate_request, certificate_claim, status. read: toda llamada que solo lee. manage: configuración, API keys, webhook, revocar y anular; incluye read. Si se omite: todos menos manage.",
	},
	expiresAt: {
		en: "When the key ends by itself; null: never. In a rotation that leaves it out, that of the old key.",
		es: "Cuándo termina la API key por sí sola; null: nunca. En una rotación que lo omite, el de la API key anterior.",
	},
	allowedCidrs: {
		en: "Address ranges that the key may be used from; null: from anywhere. A call from another address is answered like an unknown key.",
		es: "Rangos de direcciones desde los que se puede usar la API key; null: desde cualquiera. Una llamada desde otra dirección se responde como una API key desconocida.",
	},
	lastUsedAt: { en: "To five minutes.", es: "Con precisión de cinco minutos." },
	revokedAt: {
		en: "When it ended; in the future while a rotated key overlaps its successor.",
		es: "Cuándo terminó; en el futuro mientras una API key rotada coexiste con la de reemplazo.",
	},
	overlapHours: {
		en: "Hours that the old one stays valid: 24 by default; 0 after a leak.",
		es: "Horas que el anterior sigue vigente: 24 por defecto; 0 después de una filtración.",
	},
} as const satisfies Record<string, Text>;
