import { createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

export const RIGHTS = ["certificates", "crls", "ocsp-responders", "log"] as const;
export type Right = (typeof RIGHTS)[number];

/** One of those of whom two lift a stop. */
export interface Person {
	name: string;
	key: KeyObject;
	/** Epoch milliseconds from which its signature counts no more. */
	withdrawnAt: number | null;
}

/** A Worker that may ask. Its rates count per right: certificates must not use up the CRLs'. */
export interface Caller extends Person {
	rights: Right[];
	per_minute: number;
	per_day: number;
}

/** signer.json as it was read; its paths are relative to its folder. docs/operators/signer.md describes each field. */
export interface Config {
	port: number;
	folder: string;
	module: string;
	token: string;
	/** Null: the variable SIGNER_PIN has it. */
	pin_file: string | null;
	key: string;
	log_key: string;
	log_public_key: KeyObject;
	/** DER. */
	certificate: Uint8Array;
	rut: string;
	policy_oid: string;
	cps_url: string;
	pki_url: string;
	longest_days: number;
	callers: Caller[];
	people: Person[];
}

const [TEXT, WHOLE] = [/./, /^\d+$/];
/** How a field is written; one of WHOLE is a number. */
const FORMS: Record<string, RegExp> = {
	...{ port: WHOLE, folder: TEXT, module: TEXT, token: TEXT, key: TEXT, log_key: TEXT, log_public_key: TEXT },
	...{ certificate: TEXT, rut: /^[1-9]\d{0,7}-[\dK]$/, policy_oid: /^[0-2](\.(0|[1-9]\d*))+$/ },
	...{ cps_url: /^https?:\/\/[!-~]+$/, pki_url: /^http:\/\/[!-~]+[^/]$/, longest_days: WHOLE },
};

type Fields = Record<string, unknown>;

function demandForms(fields: Fields, forms = FORMS): void {
	for (const [name, form] of Object.entries(forms)) {
		const isType = typeof fields[name] === (form === WHOLE ? "number" : "string");
		if (!isType || !form.test(String(fields[name]))) throw new Error(`${name}: wrong`);
	}
}

/** Reads signer.json. @throws Error that names the field that is missing or wrong */
export function readConfig(file: string): Config {
	const fields = JSON.parse(readFileSync(file, "utf8")) as Fields;
	demandForms(fields);
	const path = (name: unknown) => resolve(dirname(file), String(name));
	const pem = readFileSync(path(fields.certificate), "utf8");
	return {
		...(fields as unknown as Config),
		folder: path(fields.folder),
		pin_file: fields.pin_file ? path(fields.pin_file) : null,
		certificate: Buffer.from(pem.replaceAll(/-----[A-Z ]+-----/g, ""), "base64"),
		log_public_key: readKey(Buffer.from(String(fields.log_public_key), "base64")),
		callers: list(fields, "callers").map((caller) => {
			const { rights } = caller;
			const areRights = Array.isArray(rights) && rights.every((right) => RIGHTS.includes(right));
			if (!areRights) throw new Error(`rights: not some of ${RIGHTS.join(", ")}`);
			demandForms(caller, { per_minute: WHOLE, per_day: WHOLE });
			return { ...(caller as unknown as Caller), ...readPerson(caller) };
		}),
		people: list(fields, "people").map(readPerson),
	};
}

function list(fields: Fields, name: string): Fields[] {
	const values = (fields[name] ?? []) as Fields[];
	if (new Set(values.map((one) => one.name)).size < values.length) throw new Error(`${name}: a name twice`);
	return values;
}

/** DER that comes before the 32 bytes of an Ed25519 public key (RFC 8410 §4). */
const ED25519 = Buffer.from("302a300506032b6570032100", "hex");

function readPerson({ name, public_key, withdrawn_at }: Fields): Person {
	const raw = Buffer.from(String(public_key), "base64");
	if (typeof name !== "string" || raw.length !== 32) throw new Error(`public_key of ${name}: not 32 bytes`);
	const withdrawnAt = withdrawn_at == null ? null : Date.parse(String(withdrawn_at));
	if (Number.isNaN(withdrawnAt)) throw new Error(`withdrawn_at of ${name}: not a time`);
	return { name, key: readKey(Buffer.concat([ED25519, raw])), withdrawnAt };
}

function readKey(key: Buffer): KeyObject {
	return createPublicKey({ key, format: "der", type: "spki" });
}
