import { afterEach, expect, test, vi } from "vitest";
import type { NewSettings } from "./document/settings.ts";
import { runSequence } from "./run-sequence.ts";
import type { Command, Filters } from "./sequences/commands.ts";
import { CLAIM, REQUEST } from "./sequences/plain-commands.ts";

/*
 * Sequences on which service and model once disagreed, as fast-check shrank them. A new one is the JSON that
 * model.test.ts shows when it fails.
 */

const SETTINGS: NewSettings = {
	name: "Partner",
	mode: "B2C",
	require_cedula_serie: 1,
	validate_vencimiento: 0,
	require_sso: 0,
	allowed_products: ["FV00", "FV01", "FV02", "FV03"],
	key_algorithm: "ec-p256",
	delivery_email: null,
};

const IMPOSSIBLE_CODE = 10;

const WRONG_ORDER: Filters = {
	from: { batch: 0, offBy: 0, form: "Z" },
	to: { batch: 0, offBy: -1, form: "offset" },
};

const IN_SESSION = { do: "session", who: "owner", of: 0, token: "right", style: 0, defects: [] } as const;

const COUNTEREXAMPLES: Record<string, Command[]> = {
	"a list says what is wrong with its parameters, dates in the wrong order as well as a wrong status or page included":
		[
			{ do: "list", who: "owner", partner: 0, filters: { ...WRONG_ORDER, page: "x" } },
			{ do: "list", who: "owner", partner: 0, filters: { ...WRONG_ORDER, status: "usado" } },
			{ do: "list", who: "owner", partner: 0, filters: WRONG_ORDER },
		],
	"a used Idempotency-Key is 422 on a text that no code can be, as on an unknown code": [
		{ ...REQUEST, idempotency: "i1" },
		{ ...CLAIM, code: IMPOSSIBLE_CODE, idempotency: "i1" },
	],
	"a submission that lacks the card's number is no emission": [
		{ do: "make session", who: "owner", code: 0, style: 0, prefill: true, claim: false, idempotency: null },
		{ ...IN_SESSION, at: "through", defects: ["malformed e-mail"] },
		REQUEST,
	],
	"a session does not say by a wrong PIN that the certificate is issued, and takes five of them": [
		{ do: "make session", who: "owner", code: 0, style: 0, prefill: false, claim: null, idempotency: null },
		{ ...IN_SESSION, at: "through" },
		{ ...IN_SESSION, at: "claim" },
		...Array.from({ length: 5 }, () => ({ ...IN_SESSION, at: "claim", who: "stranger" }) as const),
		{ ...IN_SESSION, at: "claim" },
	],
	"a claim clears the count of the wrong ones before it": [
		REQUEST,
		{ ...CLAIM, defects: ["wrong pin"] },
		CLAIM,
	],
};

afterEach(() => vi.restoreAllMocks());

test.each(Object.entries(COUNTEREXAMPLES))("%s", async (_, commands) => {
	await expect(runSequence({ partners: [SETTINGS], commands }, new Map())).resolves.toBeUndefined();
});
