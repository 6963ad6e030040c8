import { createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

export const RIGHTS = ["certificates", "crls", "ocsp-responders", "log"] as const;
export type Right = (typeof RIGHTS)[number];

/** A Worker that may ask. Its rates count per right: certificates must not use up the CRLs'. */
export interface Caller {
	name: string;
	key: KeyObject;
	rights: Right[];
	perMinute: number;
	perDay: number;
	/** Epoch milliseconds from which its signature counts no more. */
	withdrawnAt: number | null;
}

/** One of those of whom two lift a stop. */
export interface Person {
	name: string;
	key: KeyObject;
}

export interface Config {
	port: number;
	/** Folder of the register and the log, and of the files `stop` and `stop-all`. */
	folder: string;
	/** PKCS#11 library, token's label, and the file with its PIN: the variable SIGNER_PIN stands in for a null. */
	module: string;
	token: string;
	pinFile: string | null;
	/** Labels of the issuing key and of the log's. */
	key: string;
	logKey: string;
	/** The log's public key: whoever verifies needs it without the token. */
	logPublicKey: KeyObject;
	/** DER of the issuing certificate. */
	certificate: Uint8Array;
	rut: string;
	policyOid: string;
	cpsUrl: string;
	pkiUrl: string;
	/** Longest time from now to a certificate's end, in days. */
	longestDays: number;
	callers: Caller[];
	people: Person[];
}

/** DER that comes before the 32 bytes of an Ed25519 public key in a SubjectPublicKeyInfo (RFC 8410 §4). */
const ED25519_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/**
 * Reads signer.json; paths in it are relative to its folder.
 *
 * @throws Error that names the first field that is missing or wrong
 */
export function readConfig(file: string): Config {
	const fields = record(JSON.parse(readFileSync(file, "utf8")), file);
	const path = (name: string) => resolve(dirname(file), text(fields, name));
	const rut = text(fields, "rut");
	if (!/^[1-9]\d{0,7}-[\dK]$/.test(rut)) throw new Error("rut: not of the form 12345678-K");
	return {
		port: whole(fields, "port", 0),
		folder: path("folder"),
		module: text(fields, "module"),
		token: text(fields, "token"),
		pinFile: fields.pin_file == null ? null : path("pin_file"),
		key: text(fields, "key"),
		logKey: text(fields, "log_key"),
		logPublicKey: createPublicKey({ key: base64(fields, "log_public_key"), format: "der", type: "spki" }),
		certificate: readCertificate(path("certificate")),
		rut,
		policyOid: text(fields, "policy_oid"),
		cpsUrl: text(fields, "cps_url"),
		pkiUrl: text(fields, "pki_url"),
		longestDays: whole(fields, "longest_days", 1),
		callers: list(fields, "callers").map((caller) => ({
			name: text(caller, "name"),
			key: ed25519Key(caller),
			rights: rightsOf(caller),
			perMinute: whole(caller, "per_minute", 1),
			perDay: whole(caller, "per_day", 1),
			withdrawnAt: caller.withdrawn_at == null ? null : time(caller, "withdrawn_at"),
		})),
		people: list(fields, "people").map((person) => ({ name: text(person, "name"), key: ed25519Key(person) })),
	};
}

type Fields = Record<string, unknown>;

function record(value: unknown, name: string): Fields {
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw new Error(`${name}: not an object`);
	return value as Fields;
}

function list(fields: Fields, name: string): Fields[] {
	const values = fields[name];
	if (!Array.isArray(values)) throw new Error(`${name}: not a list`);
	const records = values.map((value) => record(value, name));
	if (new Set(records.map((one) => one.name)).size < records.length) throw new Error(`${name}: a name twice`);
	return records;
}

function text(fields: Fields, name: string): string {
	const value = fields[name];
	if (typeof value !== "string" || value === "") throw new Error(`${name}: not a text`);
	return value;
}

function whole(fields: Fields, name: string, least: number): number {
	const value = fields[name];
	if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least)
		throw new Error(`${name}: not a whole number from ${least}`);
	return value;
}

function time(fields: Fields, name: string): number {
	const value = Date.parse(text(fields, name));
	if (Number.isNaN(value)) throw new Error(`${name}: not a time`);
	return value;
}

function base64(fields: Fields, name: string): Buffer {
	return Buffer.from(text(fields, name), "base64");
}

function ed25519Key(fields: Fields): KeyObject {
	const raw = base64(fields, "public_key");
	if (raw.length !== 32) throw new Error("public_key: not the 32 bytes of an Ed25519 key in base64");
	return createPublicKey({ key: Buffer.concat([ED25519_PREFIX, raw]), format: "der", type: "spki" });
}

function rightsOf(fields: Fields): Right[] {
	const { rights } = fields;
	if (!Array.isArray(rights) || !rights.every((right): right is Right => RIGHTS.includes(right)))
		throw new Error(`rights: not some of ${RIGHTS.join(", ")}`);
	return rights;
}

/** PEM or base64 of the DER. */
function readCertificate(file: string): Uint8Array {
	return Buffer.from(readFileSync(file, "utf8").replaceAll(/-----[A-Z ]+-----/g, ""), "base64");
}
