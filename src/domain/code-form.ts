/** Random bytes behind one purchase code: 80 bits, sixteen symbols. */
export const CODE_BYTES = 10;
const CODE_SYMBOLS = 16;

/** `7K3M-9QXT-2B4C-H8WD` from {@link CODE_BYTES} random bytes (decisions: Purchase codes, form). */
export function formatCode(random: Uint8Array): string {
	return group(encodeCrockford(random));
}

/** The canonical form of a code as a partner typed it, or null when it is malformed. */
export function parseCode(text: string): string | null {
	const symbols = normaliseCrockford(text.replaceAll(/[- ]/g, ""));
	return symbols?.length === CODE_SYMBOLS ? group(symbols) : null;
}

/** One code in 1,048,576 begins with four given symbols. */
const PREFIX_SYMBOLS = 4;

/** The canonical form of a code's first symbols as a person typed them, or of all; null when it can be no code's beginning. */
export function parseCodePrefix(text: string): string | null {
	const symbols = normaliseCrockford(text.replaceAll(/[- ]/g, "")) ?? "";
	return symbols.length >= PREFIX_SYMBOLS && symbols.length <= CODE_SYMBOLS ? group(symbols) : null;
}

/** Stands for every text that cannot be a code: it is asked for like one, and no code has it. */
export const NO_CODE = "-";

function group(symbols: string): string {
	return (symbols.match(/.{1,4}/g) ?? []).join("-");
}

/** Crockford's base32 (crockford.com/base32): no I, L, O or U; case is ignored on reading. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Encodes bits, most significant first, five per symbol.
 * @param bytes - any length; a last group shorter than five bits is padded with zeros.
 */
export function encodeCrockford(bytes: Uint8Array): string {
	let symbols = "";
	let buffer = 0;
	let held = 0;
	for (const byte of bytes) {
		buffer = (buffer << 8) | byte;
		held += 8;
		while (held >= 5) {
			held -= 5;
			symbols += ALPHABET[(buffer >> held) & 31];
		}
		buffer &= (1 << held) - 1;
	}
	if (held > 0) symbols += ALPHABET[(buffer << (5 - held)) & 31];
	return symbols;
}

/** Upper-cases and reads O as 0, I and L as 1, as Crockford specifies; null when a symbol is not in the alphabet. */
export function normaliseCrockford(text: string): string | null {
	if (!/^[0-9A-Za-z]*$/.test(text)) return null;
	const symbols = text.toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
	return symbols.includes("U") ? null : symbols;
}
