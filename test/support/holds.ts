import fc from "fast-check";
import { runSize } from "./run-size.ts";

const { runs, seed } = runSize({ runs: 300, seed: 20_261_121 });

/**
 * Tries a property on as many samples as this run is to have: the same ones in CI, others by `npm run test:system`. A
 * failure comes with its seed and as small as it can be made.
 * @param share - of the samples, for a property that takes its time.
 */
export function holds<Values extends [unknown, ...unknown[]]>(
	samples: { [At in keyof Values]: fc.Arbitrary<Values[At]> },
	property: (...values: Values) => void,
	share = 1,
): void {
	const numRuns = Math.max(1, Math.round(runs * share));
	fc.assert(fc.property(...samples, property), { numRuns, seed });
}

/** Checks an asynchronous property. */
export function holdsLater<Values extends [unknown, ...unknown[]]>(
	samples: { [At in keyof Values]: fc.Arbitrary<Values[At]> },
	property: (...values: Values) => Promise<void>,
	share = 1,
): Promise<void> {
	const numRuns = Math.max(1, Math.round(runs * share));
	return fc.assert(fc.asyncProperty(...samples, property), { numRuns, seed });
}

/** Any string there is: lone surrogates, control characters, letters that combine. */
export const anyText = fc.oneof(
	fc.string({ unit: "binary", maxLength: 80 }),
	fc.string({ unit: "grapheme", maxLength: 40 }),
	fc.string({
		unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
		maxLength: 40,
	}),
	fc.string({
		unit: fc.constantFrom(..."0123456789-./:TtZz+ KkOoIiLlUu\u0660\uff10\u200b\n"),
		maxLength: 40,
	}),
);

/** A text with one character put in, left out, or put in another's place. */
export function bent(text: string): fc.Arbitrary<string> {
	const character = fc.oneof(
		fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
		fc.constantFrom(..."0Kk-./ \n\u0660\uff15\u212a\u2010\u200b\ufeff"),
	);
	return fc
		.tuple(fc.nat(text.length), fc.nat(1), fc.oneof(fc.constant(""), character))
		.map(([place, dropped, put]) => text.slice(0, place) + put + text.slice(place + dropped));
}

/** Bytes with a few of them changed, put in, left out, or cut off. */
export function bentOctets(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
	const change = fc.record({
		place: fc.nat(Math.max(0, bytes.length - 1)),
		dropped: fc.nat(4),
		put: fc.uint8Array({ maxLength: 4 }),
	});
	return fc
		.array(change, { minLength: 1, maxLength: 3 })
		.map((changes) =>
			changes.reduce(
				(held, { place, dropped, put }) =>
					Uint8Array.from([...held.subarray(0, place), ...put, ...held.subarray(place + dropped)]),
				bytes,
			),
		);
}
