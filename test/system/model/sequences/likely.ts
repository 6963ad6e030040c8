import fc from "fast-check";

/** @param tenths - how often it is not `otherwise`. */
export function likely<T>(
	tenths: number,
	arbitrary: fc.Arbitrary<T>,
	otherwise: T | fc.Arbitrary<T>,
): fc.Arbitrary<T> {
	const usual = otherwise instanceof fc.Arbitrary ? otherwise : fc.constant(otherwise as T);
	return fc.oneof({ weight: 100 - tenths * 10, arbitrary: usual }, { weight: tenths * 10, arbitrary });
}
