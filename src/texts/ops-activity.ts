import type { Text } from "./language.ts";

/** The first page of ops, beside its figures: what needs somebody, the last hours, the latest changes. */
export const OPS_ACTIVITY = {
	attention: { es: "Requiere atención", en: "Needs attention" },
	nothing: { es: "Nada requiere atención.", en: "Nothing needs attention." },
	noCertificate: {
		es: "¿Los clientes de un partner no reciben certificados? No todas las causas se ven aquí.",
		en: "Do a partner's customers get no certificate? Not every cause shows here.",
	},
	runbook: { es: "Qué hacer", en: "What to do" },
	activity: { es: "Últimas {hours} horas", en: "The last {hours} hours" },
	lastRun: { es: "Última ejecución de una tarea", en: "Last run of a job" },
	runs: { es: "Ejecuciones de tareas que cambiaron datos", en: "Runs of jobs that changed data" },
	created: { es: "Envíos creados", en: "Deliveries created" },
	dead: { es: "Envíos que fallaron", en: "Deliveries that failed" },
	perHour: {
		es: "{total} en total, por hora: {values}",
		en: "{total} in all, by the hour: {values}",
	},
	capped: { es: "{cap} o más en una hora", en: "{cap} or more in an hour" },
	latest: { es: "Últimos cambios en la auditoría", en: "Latest changes in the audit" },
	latestOrder: { es: "Primero los más recientes.", en: "Newest first." },
} as const satisfies Record<string, Text>;
