import { encodeCrockford, normaliseCrockford } from "./crockford.ts";

/** Random octets behind one purchase code: 80 bits, sixteen symbols. */
export const CODE_OCTETS = 10;
const CODE_SYMBOLS = 16;

/** `7K3M-9QXT-2B4C-H8WD` from {@link CODE_OCTETS} random octets (decisions: Purchase codes, form). */
export function formatCode(random: Uint8Array): string {
	return group(encodeCrockford(random));
}

/** The canonical form of a code as a partner typed it, or null when no code can look like that. */
export function parseCode(text: string): string | null {
	const symbols = normaliseCrockford(text.replaceAll(/[- ]/g, ""));
	return symbols?.length === CODE_SYMBOLS ? group(symbols) : null;
}

function group(symbols: string): string {
	return (symbols.match(/.{4}/g) ?? []).join("-");
}
