import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createApiKey, isApiKey } from "../../../src/secrets/api-key.ts";
import { anyText, holdsLater } from "../../support/holds.ts";

describe("decisions: Keys", () => {
	test("a new key is one, in its own environment, and with any character changed it is none", () =>
		holdsLater(
			[fc.constantFrom("dev", "prod"), fc.nat(60), fc.integer({ min: 1, max: 31 })],
			async (environment, at, by) => {
				const key = await createApiKey(environment);
				expect([
					await isApiKey(key, environment),
					await isApiKey(key, environment === "dev" ? "prod" : "dev"),
				]).toEqual([true, false]);
				const place = `gw_${environment}_`.length + (at % 32);
				const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
				const symbol = alphabet[(alphabet.indexOf(key[place]!) + by) % 32]!;
				expect(await isApiKey(key.slice(0, place) + symbol + key.slice(place + 1), environment)).toBe(false);
			},
		));

	test("whatever the text: no exception, and no key", () =>
		holdsLater([anyText], async (text) => {
			expect(await isApiKey(text, "dev")).toBe(false);
		}));
});
