import { IDENTITIES, type SandboxIdentity } from "../../src/sandbox/identities.ts";

/* The sandbox's identities by what a partner types and what the registry answers. */

const REFUSALS: readonly string[] = ["card_reported_lost", "card_expired", "holder_deceased"];

/** RUT, card serial, reason: those whose card or life the registry refuses, and one it does not know. */
export const REFUSED_IDENTITIES = [
	...IDENTITIES.filter(({ behaviour }) => REFUSALS.includes(behaviour)).map(
		({ rut, cardSerial, behaviour }) => [rut, cardSerial, behaviour.replaceAll("_", " ")] as const,
	),
	["15000000-9", "150000000", "not found"] as const,
];

export const SLOW = cardOf("slow");
export const DOWN = cardOf("answers_503");
export const SILENT = cardOf("never_answers");
export const RUBBISH = cardOf("answers_rubbish");

function cardOf(wanted: SandboxIdentity["behaviour"]) {
	const { rut: dni, cardSerial: serialNumber } = IDENTITIES.find(({ behaviour }) => behaviour === wanted)!;
	return { dni, serialNumber };
}
