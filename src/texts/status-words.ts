import type { ListStatus } from "../domain/status-tables.ts";
import type { Validity } from "../domain/validity.ts";
import type { Text } from "./language.ts";

/* Words and colours of statuses, for all pages: of codes, certificates, deliveries, webhooks, partners and keys. */

export type Tone = "good" | "warn" | "bad" | "info" | "quiet";

interface Word {
	tone: Tone;
	name: Text;
}

const CODES: Readonly<Record<ListStatus, Word>> = {
	sin_utilizar: { tone: "quiet", name: { es: "Sin utilizar", en: "Unused" } },
	en_proceso: { tone: "info", name: { es: "En proceso", en: "In progress" } },
	validado: { tone: "info", name: { es: "Validado", en: "Validated" } },
	emitido: { tone: "good", name: { es: "Emitido", en: "Issued" } },
	bloqueado: { tone: "bad", name: { es: "Bloqueado", en: "Locked" } },
	expirado: { tone: "warn", name: { es: "Expirado sin usar", en: "Expired unused" } },
	anulado: { tone: "quiet", name: { es: "Anulado", en: "Cancelled" } },
};

const CERTIFICATES: Readonly<Record<Validity, Word>> = {
	valid: { tone: "good", name: { es: "Vigente", en: "Valid" } },
	expired: { tone: "warn", name: { es: "Vencido", en: "Expired" } },
	revoked: { tone: "bad", name: { es: "Revocado", en: "Revoked" } },
};

const OTHERS = {
	pending: { tone: "info", name: { es: "Pendiente", en: "Pending" } },
	delivered: { tone: "good", name: { es: "Entregado", en: "Delivered" } },
	dead: { tone: "bad", name: { es: "Fallido", en: "Failed" } },
	on: { tone: "good", name: { es: "Activo", en: "On" } },
	off: { tone: "bad", name: { es: "Desactivado", en: "Switched off" } },
	unset: { tone: "quiet", name: { es: "Sin configurar", en: "Not set" } },
	suspended: { tone: "bad", name: { es: "Suspendido", en: "Suspended" } },
	ended: { tone: "quiet", name: { es: "Terminado", en: "Ended" } },
} as const satisfies Readonly<Record<string, Word>>;

/** How much something needs somebody; the most severe first. */
export const SEVERITY_WORDS = {
	bad: { es: "Urgente", en: "Urgent" },
	warn: { es: "Atención", en: "Attention" },
	info: { es: "Aviso", en: "Notice" },
} as const satisfies Partial<Record<Tone, Text>>;

export type Severity = keyof typeof SEVERITY_WORDS;

export const SEVERITIES = Object.keys(SEVERITY_WORDS) as Severity[];

export const STATUS_WORDS = { ...CODES, ...CERTIFICATES, ...OTHERS };

export type Status = keyof typeof STATUS_WORDS;
