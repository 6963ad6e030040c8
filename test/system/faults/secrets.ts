import { env } from "cloudflare:workers";
import type { Snapshot } from "./collect.ts";
import type { Fixture } from "./fixture.ts";

/* Invariant 5: what is nowhere at rest in the clear, in no log, no error, no audit row. */

/** First characters of an unsealed PKCS#8 of a P-256 or RSA key, and of a PFX, in base64 and hex. */
const KEY_MARKS = [
	"MIGHAgEAMBMGByqGSM49",
	"308187020100301306072a8648ce3d",
	"MIIEvQIBADANBgkqhkiG",
	"PRIVATE KEY",
];

export function findSecrets(
	fixture: Fixture,
	stored: {
		db: Snapshot;
		objects: ReadonlyMap<string, unknown>;
		pictures: ReadonlyMap<string, string>;
	},
): string[] {
	const places = {
		D1: asText(stored.db),
		objects: asText([...stored.objects.values()]),
		evidence: [...stored.pictures.values()].join("\n"),
		log: fixture.log.join("\n"),
	};
	const holders = [...fixture.codes.values()].map(({ holder }) => holder);
	const words = [
		...KEY_MARKS,
		env.OPS_TOKEN ?? "",
		...fixture.secrets,
		...holders.flatMap(({ dni, email, serialNumber }) => [dni, dni.slice(0, -2), email, serialNumber]),
	];
	const pins = [...new Set(holders.map(({ pin }) => pin))].map(
		(pin) => new RegExp(`["']${pin}["']|pin\\W{1,5}${pin}`, "i"),
	);
	const pfxs = fixture.seen.map(({ answer }) => answer.body?.data?.certificate).filter(isText);
	return Object.entries(places).flatMap(([place, text]) => [
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

/** Everything in it, bytes as the text that they may be. */
function asText(value: unknown): string {
	return JSON.stringify(value, (_, part) =>
		part instanceof Uint8Array ? Buffer.from(part).toString("latin1") : part,
	);
}

/** Digits within longer digits are another number: a time, say. */
function contains(text: string, word: string): boolean {
	return /^\d+$/.test(word) ? new RegExp(`(?<!\\d)${word}(?!\\d)`).test(text) : text.includes(word);
}
