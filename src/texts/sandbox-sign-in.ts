import type { Text } from "./language.ts";

/** The sign-in page of the sandbox, and what its registry does with each of its people. */
export const SANDBOX_SIGN_IN = {
	title: { en: "Sandbox sign-in", es: "Inicio de sesión de prueba" },
	introduction: {
		en: "This page stands in for ClaveÚnica. These people do not exist: choose who signs in.",
		es: "Esta página reemplaza a ClaveÚnica. Estas personas no existen: elija quién inicia sesión.",
	},
	people: { en: "People", es: "Personas" },
	slow: { en: "The service takes 4 seconds", es: "El servicio tarda 4 segundos" },
	other: { en: "Other outcomes", es: "Otros resultados" },
	cancel: { en: "Cancel the sign-in", es: "Cancelar el inicio de sesión" },
	down: { en: "The service is down", es: "El servicio no responde" },
	refused: {
		en: "The sandbox does not know this client or this return address.",
		es: "El sandbox no conoce este cliente o esta dirección de retorno.",
	},
	valid: { en: "valid card", es: "cédula vigente" },
	card_reported_lost: { en: "card reported lost", es: "cédula bloqueada" },
	card_expired: { en: "card expired", es: "cédula vencida" },
	holder_deceased: { en: "deceased", es: "titular fallecido" },
	registry_slow: { en: "the registry takes 4 s", es: "el registro tarda 4 s" },
	answers_503: { en: "the registry is down", es: "el registro no responde" },
	never_answers: { en: "the registry never answers", es: "el registro nunca contesta" },
	answers_rubbish: { en: "the registry answers nonsense", es: "el registro contesta algo ilegible" },
} as const satisfies Record<string, Text>;
