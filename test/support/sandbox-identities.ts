import { IDENTITIES, type SandboxIdentity } from "../../src/sandbox/identities.ts";

/* The sandbox's identities by what a partner types and what the registry answers. */

export const SLOW = cardOf("slow");
export const DOWN = cardOf("answers_503");
export const SILENT = cardOf("never_answers");
export const RUBBISH = cardOf("answers_rubbish");

function cardOf(wanted: SandboxIdentity["behaviour"]) {
	const { rut: dni, cardSerial: serialNumber } = IDENTITIES.find(({ behaviour }) => behaviour === wanted)!;
	return { dni, serialNumber };
}
