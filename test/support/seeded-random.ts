import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { mersenne } from "pure-rand/generator/mersenne";

/**
 * Mersenne Twister: its first numbers differ between neighbouring seeds, which the runs use.
 * @returns numbers from 0 up to 1, the same ones for the same seed.
 */
export function seededRandom(seed: number): () => number {
	const generator = mersenne(seed);
	return () => uniformFloat64(generator);
}
