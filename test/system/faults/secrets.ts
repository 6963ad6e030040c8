import { env } from "cloudflare:workers";
import { readable } from "../../support/look-inside.ts";
import { SECRET_FORMS } from "../secret-forms.ts";
import type { Snapshot } from "./collect.ts";
import type { Fixture } from "./fixture.ts";

/* Invariant 5: what is nowhere at rest in the clear, in no log, no error, no audit row. */

export function findSecrets(
	fixture: Fixture,
	stored: {
		db: Snapshot;
		objects: ReadonlyMap<string, unknown>;
		pictures: ReadonlyMap<string, string>;
	},
): string[] {
	const places = {
		D1: readable(stored.db),
		objects: readable([...stored.objects.values()]),
		evidence: [...stored.pictures.values()].join("\n"),
		log: fixture.log.join("\n"),
	};
	const holders = [...fixture.codes.values()].map(({ holder }) => holder);
	const words = [
		env.OPS_TOKEN ?? "",
		...fixture.secrets,
		...holders.flatMap(({ dni, email, serialNumber }) => [dni, dni.slice(0, -2), email, serialNumber]),
	];
	const pins = [...new Set(holders.map(({ pin }) => pin))].map(
		(pin) => new RegExp(`["']${pin}["']|pin\\W{1,5}${pin}`, "i"),
	);
	const pfxs = fixture.seen.map(({ answer }) => answer.body?.data?.certificate).filter(isText);
	return Object.entries(places).flatMap(([place, text]) => [
		...Object.entries(SECRET_FORMS)
			.filter(([, { form }]) => form.test(text))
			.map(([what]) => `5: ${what} lies in ${place}`),
		...words
			.filter((word) => word !== "" && contains(text, word))
			.map((word) => `5: ${word} lies in ${place}`),
		...pins.filter((pin) => pin.test(text)).map((pin) => `5: a PIN (${pin}) lies in ${place}`),
		...pfxs.filter((pfx) => text.includes(pfx.slice(200, 260))).map(() => `5: a PFX lies in ${place}`),
	]);
}

function isText(value: unknown): value is string {
	return typeof value === "string";
}

/** Digits within longer digits are another number: a time, say. */
function contains(text: string, word: string): boolean {
	return /^\d+$/.test(word) ? new RegExp(`(?<!\\d)${word}(?!\\d)`).test(text) : text.includes(word);
}
