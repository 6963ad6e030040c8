/** A source of numbers from 0 up to 1. */
export type Random = () => number;

const EDGES = [0, 1, 2, 0x7f, 0x80, 0x81, 0x82, 0x83, 0x84, 0xa0, 0xa1, 0xa2, 0xfe, 0xff];
const ROUNDS_MAX = 6;

/** Octets with a few changes: bits, edges, pieces moved, repeated, cut, or taken from another input. */
export function mutateOctets(octets: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
	const below = (limit: number) => Math.floor(random() * limit);
	let held = [...octets];
	for (let round = 1 + below(ROUNDS_MAX); round > 0; round--) {
		const at = below(held.length + 1);
		const length = 1 + below(8);
		switch (below(8)) {
			case 0:
				if (at < held.length) held[at]! ^= 1 << below(8);
				break;
			case 1:
				if (at < held.length) held[at] = EDGES[below(EDGES.length)]!;
				break;
			case 2:
				held.splice(at, length);
				break;
			case 3:
				held.splice(at, 0, ...Array.from({ length }, () => below(256)));
				break;
			case 4:
				held.splice(at, 0, ...held.slice(at, at + 4 * length));
				break;
			case 5:
				held.splice(at, length, ...other.slice(below(other.length), below(other.length + 1)));
				break;
			case 6:
				held = held.slice(0, at);
				break;
			default:
				// Lengths are what holds a nested encoding together: one up or one down keeps it nearly right.
				if (at < held.length) held[at] = (held[at]! + (random() < 0.5 ? 1 : 255)) % 256;
		}
	}
	return Uint8Array.from(held.slice(0, 8192));
}

/** A text with a few changes, of characters that this reader knows and others. */
export function mutateText(text: string, other: string, tokens: readonly string[], random: Random): string {
	const below = (limit: number) => Math.floor(random() * limit);
	let held = text;
	for (let round = 1 + below(ROUNDS_MAX); round > 0; round--) {
		const at = below(held.length + 1);
		const dropped = random() < 0.5 ? below(4) : 0;
		const from = below(other.length + 1);
		const put = [
			"",
			tokens[below(tokens.length)]!,
			String.fromCharCode(below(random() < 0.8 ? 0x80 : 0x10000)),
			other.slice(from, from + 1 + below(12)),
			held.slice(at, at + 4),
		][below(5)]!;
		held = held.slice(0, at) + put + held.slice(at + dropped);
	}
	return held.slice(0, 8192);
}
