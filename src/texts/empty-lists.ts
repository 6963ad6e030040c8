import type { Text } from "./language.ts";

interface Empty {
	/** Says that the list is empty. */
	title: Text;
	/** Says which rows would be here, and how they come. */
	text: Text;
	next?: { label: Text; href: string } | { label: Text; guide: string };
}

/** Words of each list while it is empty. */
export const EMPTY_LISTS = {
	codes: {
		title: { es: "Todavía no hay códigos de compra", en: "There are no purchase codes yet" },
		text: {
			es: "Aquí aparece cada código que cree, con su estado. Se crean en esta página o con POST /pcode/bulk.",
			en: "Each code that you create appears here, with its status. They are created on this page or by POST /pcode/bulk.",
		},
		next: { label: { es: "Crear códigos", en: "Create codes" }, href: "#order" },
	},
	certificates: {
		title: { es: "Todavía no hay certificados", en: "There are no certificates yet" },
		text: {
			es: "Aquí queda el certificado de cada código emitido. Se emite cuando el titular se valida (B2B) o lo retira (B2C).",
			en: "The certificate of each issued code stays here. It is issued when its holder is validated (B2B) or claims it (B2C).",
		},
		next: {
			label: { es: "Emitir el primero, en la guía", en: "Issue the first, in the guide" },
			guide: "first-pfx",
		},
	},
	ofRut: {
		title: { es: "Ese RUT no tiene certificados suyos", en: "That RUT has no certificate of yours" },
		text: {
			es: "Se buscan los certificados emitidos con sus códigos, también los vencidos y los revocados.",
			en: "The certificates issued with your codes are searched, expired and revoked ones too.",
		},
	},
	deliveries: {
		title: { es: "Todavía no hay envíos", en: "There are no deliveries yet" },
		text: {
			es: "Aquí aparece cada webhook y correo que sale por un código, con sus intentos.",
			en: "Each webhook and e-mail that a code brings about appears here, with its attempts.",
		},
		next: { label: { es: "Configurar el webhook", en: "Set up the webhook" }, href: "/console/webhook" },
	},
	attempts: {
		title: { es: "Todavía no hay intentos", en: "There are no attempts yet" },
		text: {
			es: "Cada intento queda aquí por 90 días, con su resultado.",
			en: "Each attempt stays here for 90 days, with its outcome.",
		},
	},
	endedKeys: {
		title: { es: "Ninguna API key ha terminado", en: "No API key has ended" },
		text: {
			es: "Las que se revocan, se reemplazan o vencen quedan aquí por 90 días.",
			en: "Those that are revoked, replaced or expire stay here for 90 days.",
		},
	},
	filtered: {
		title: { es: "Nada coincide con estos filtros", en: "Nothing matches these filters" },
		text: {
			es: "Cambie un filtro o quítelos todos para ver la lista entera.",
			en: "Change a filter, or clear them all to see the whole list.",
		},
	},
	partners: {
		title: { es: "No hay partners", en: "There are no partners" },
		text: {
			es: "Aquí aparece cada partner, con lo que le falta para operar.",
			en: "Each partner appears here, with what it lacks to operate.",
		},
		next: { label: { es: "Crear un partner", en: "Create a partner" }, href: "/ops/console/partners/new" },
	},
	opsDeliveries: {
		title: { es: "Ningún envío en este estado", en: "No delivery in this state" },
		text: {
			es: "Aquí aparecen los webhooks y correos de todos los partners, primero los más recientes.",
			en: "The webhooks and e-mails of all partners appear here, the newest first.",
		},
	},
	findings: {
		title: { es: "Ningún hallazgo en esta página", en: "No findings on this page" },
		text: {
			es: "Lo revisado está en orden. Si queda por revisar, continúe arriba.",
			en: "What was checked is in order. Go on above if there is more to check.",
		},
	},
	digests: {
		title: { es: "Todavía no hay resúmenes diarios", en: "There are no daily digests yet" },
		text: {
			es: "La tarea digest-audit escribe uno por cada día con cambios, una hora después de que termina.",
			en: "The job digest-audit writes one for each day with changes, an hour after its end.",
		},
		next: { label: { es: "Ver las tareas", en: "See the jobs" }, href: "/ops/console/jobs" },
	},
	opsKeys: {
		title: { es: "Ninguna API key", en: "No API keys" },
		text: {
			es: "Aquí aparece cada API key del partner. Sin una en vigor no puede llamar.",
			en: "Each API key of the partner appears here. Without one in force it cannot call.",
		},
	},
} as const satisfies Record<string, Empty>;
