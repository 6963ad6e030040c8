import "reflect-metadata";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as x509 from "@peculiar/x509";
import { z } from "zod";
import { Pkcs11Token } from "../signer/src/pkcs11-token.ts";
import { certifyIssuing, certifyRoot } from "./authority-certificates.ts";
import { importPublicKey, keyOfToken } from "./authority-key.ts";
import { createRootCrl } from "./create-root-crl.ts";
import { installSigner } from "./install-signer.ts";
import { Refused } from "./run-command.ts";
import { signCrl } from "./sign-crl.ts";
import { describeToken, listLabels, makeKey } from "./token-keys.ts";

/*
 * Ceremonies with keys that stay in tokens. A ceremony is a file: it is printed, read by two people, carried out under the
 * fingerprint that both have compared, and kept with the record of what came of it. Each has one token.
 */

const text = z.string().min(1);
const time = z.iso.datetime().transform((value) => new Date(value));
/** Path from the ceremony's folder. */
const file = text;
const keyType = z.enum(["rsa-3072", "p-384"]);
const names = { name: text, organization: text, rut: z.string().regex(/^[1-9]\d{0,7}-[\dK]$/) };
const dates = { from: time, until: time };

const Ceremony = z.discriminatedUnion("ceremony", [
	/** Makes the root's key, its certificate and its first CRL. */
	z.strictObject({ ceremony: z.literal("root"), label: text, key: keyType, ...names, ...dates }),
	/** Makes an issuing key, and the key that signs the signer's log and nothing else. */
	z.strictObject({
		ceremony: z.literal("issuing-key"),
		label: text,
		key: keyType,
		log_label: text,
		root: file,
	}),
	/** Certifies an issuing key under the root. */
	z.strictObject({
		ceremony: z.literal("issuing"),
		label: text,
		root: file,
		root_crl: file,
		public_key: file,
		pki_url: z.string().regex(/^http:\/\/[^/?#]+\/pki$/),
		...names,
		...dates,
	}),
	/** Signs the root's next CRL. */
	z.strictObject({
		ceremony: z.literal("root-crl"),
		label: text,
		root: file,
		root_crl: file,
		from: time,
		revoke: z
			.strictObject({
				certificate: file,
				reason: z.enum(["cACompromise", "superseded", "cessationOfOperation"]),
			})
			.optional(),
	}),
	/** Signs the last CRL of an issuing authority, valid until its certificate ends. */
	z.strictObject({ ceremony: z.literal("final-crl"), label: text, issuing: file, crl: file, from: time }),
]);
type Ceremony = z.infer<typeof Ceremony>;
type CeremonyOf<Name extends Ceremony["ceremony"]> = Extract<Ceremony, { ceremony: Name }>;
/** Content by the name of the file that will hold it. */
type Made = Record<string, string | Uint8Array>;

export interface CeremonyOptions {
	/** Path of the ceremony's file. */
	file: string;
	/** PKCS#11 library, and label or slot number of the token. */
	module: string;
	slot: string;
	pin: string;
	out: string;
	/** Fingerprint that two people have compared, or null: it is only printed. */
	reviewed: string | null;
}

/** Prints a ceremony, and carries it out where it has been reviewed. @throws {Refused} where it was changed since, or cannot be done */
export async function holdCeremony(options: CeremonyOptions): Promise<void> {
	const source = await readFile(options.file, "utf8");
	const parsed = Ceremony.safeParse(JSON.parse(source));
	if (!parsed.success) throw new Refused(`${options.file}: ${z.prettifyError(parsed.error)}`);
	const ceremony = parsed.data;
	const inputs = await readInputs(ceremony, dirname(options.file));
	const fingerprint = sha256([source, ...Object.values(inputs).map(sha256)].join("\n"));
	installSigner();
	const token = new Pkcs11Token(options);
	try {
		console.log(`${source.trimEnd()}\n`);
		for (const [name, content] of Object.entries(inputs)) console.log(`${name}: SHA-256 ${sha256(content)}`);
		console.log(`token: ${await describeToken(token)}\nfingerprint: ${fingerprint}`);
		if (options.reviewed === null) {
			console.log(`\nNothing was made. Two people read this, on paper or on two screens, and compare the fingerprint with
the one that each makes of the files. Then run the command again with --reviewed ${fingerprint}`);
			return;
		}
		if (options.reviewed !== fingerprint)
			throw new Refused("The file, or one that it names, is not what was reviewed. Nothing was made.");
		const made = await carryOut(ceremony, inputs, token);
		await keep(options, { ceremony, source, fingerprint, made, token: await describeToken(token) });
	} finally {
		await token.close();
	}
}

async function carryOut(ceremony: Ceremony, inputs: Inputs, token: Pkcs11Token): Promise<Made> {
	switch (ceremony.ceremony) {
		case "root":
			return makeRoot(ceremony, token);
		case "issuing-key":
			return makeIssuingKey(ceremony, inputs, token);
		case "issuing":
			return makeIssuing(ceremony, inputs, token);
		case "root-crl":
			return signRootCrl(ceremony, inputs, token);
		case "final-crl":
			return signFinalCrl(ceremony, inputs, token);
	}
}

async function makeRoot(ceremony: CeremonyOf<"root">, token: Pkcs11Token): Promise<Made> {
	await makeKey(token, ceremony.label, ceremony.key);
	const key = await keyOfToken(token, ceremony.label);
	const root = await certifyRoot(namesOf(ceremony), key, ceremony);
	const crl = await createRootCrl({ root: { key, certificate: toBase64(root) }, now: ceremony.from });
	return { "root.pem": `${root.toString("pem")}\n`, "root.crl": crl };
}

/** Refuses a token that has the root's key: who holds the one must not hold the other. */
async function makeIssuingKey(
	ceremony: CeremonyOf<"issuing-key">,
	inputs: Inputs,
	token: Pkcs11Token,
): Promise<Made> {
	const root = readCertificate(inputs, ceremony.root);
	await requireAbsent(token, Buffer.from(root.publicKey.rawData), "the root's key");
	const made: Made = {};
	for (const [name, label, type] of [
		["issuing", ceremony.label, ceremony.key],
		["log", ceremony.log_label, "p-256"],
	] as const) {
		const spki = await makeKey(token, label, type);
		made[`${name}.public.pem`] = `${x509.PemConverter.encode(Uint8Array.from(spki).buffer, "PUBLIC KEY")}\n`;
	}
	return made;
}

async function makeIssuing(
	ceremony: CeremonyOf<"issuing">,
	inputs: Inputs,
	token: Pkcs11Token,
): Promise<Made> {
	const root = readCertificate(inputs, ceremony.root);
	const spki = readPem(inputs, ceremony.public_key);
	await requireAbsent(token, spki, "the issuing key");
	const issuing = await certifyIssuing(
		{ ...namesOf(ceremony), pkiUrl: ceremony.pki_url },
		await importPublicKey(spki),
		{ key: await keyOfToken(token, ceremony.label), certificate: root },
		ceremony,
	);
	const secrets = [
		`ISSUING_CERTIFICATE=${toBase64(issuing)}`,
		`ROOT_CERTIFICATE=${toBase64(root)}`,
		`ROOT_CRL=${Buffer.from(inputs[ceremony.root_crl]!).toString("base64")}`,
	];
	return { "issuing.pem": `${issuing.toString("pem")}\n`, "secrets.env": `${secrets.join("\n")}\n` };
}

async function signRootCrl(
	ceremony: CeremonyOf<"root-crl">,
	inputs: Inputs,
	token: Pkcs11Token,
): Promise<Made> {
	const root = toBase64(readCertificate(inputs, ceremony.root));
	const { revoke } = ceremony;
	const crl = await createRootCrl({
		root: { key: await keyOfToken(token, ceremony.label), certificate: root },
		previous: inputs[ceremony.root_crl]!,
		...(revoke && {
			revoked: { certificate: toBase64(readCertificate(inputs, revoke.certificate)), reason: revoke.reason },
		}),
		now: ceremony.from,
	});
	return { "root.crl": crl, "secrets.env": `ROOT_CRL=${crl.toString("base64")}\n` };
}

async function signFinalCrl(
	ceremony: CeremonyOf<"final-crl">,
	inputs: Inputs,
	token: Pkcs11Token,
): Promise<Made> {
	const issuing = readCertificate(inputs, ceremony.issuing);
	const crl = await signCrl({
		signer: { key: await keyOfToken(token, ceremony.label), certificate: toBase64(issuing) },
		previous: inputs[ceremony.crl]!,
		revoked: [],
		now: ceremony.from,
		nextUpdate: issuing.notAfter,
	});
	return { "final.crl": crl };
}

async function requireAbsent(token: Pkcs11Token, spki: Uint8Array, what: string): Promise<void> {
	for (const label of await listLabels(token))
		if (Buffer.from(await token.publicKey(label)).equals(spki))
			throw new Refused(
				`This token has ${what}, by the label ${label}. Root and issuing keys are in different tokens.`,
			);
}

type Inputs = Record<string, Uint8Array>;

async function readInputs(ceremony: Ceremony, folder: string): Promise<Inputs> {
	const fields = ["root", "root_crl", "public_key", "issuing", "crl"];
	const paths = Object.entries(ceremony).flatMap(([name, value]) =>
		fields.includes(name) ? [value as string] : [],
	);
	if (ceremony.ceremony === "root-crl" && ceremony.revoke) paths.push(ceremony.revoke.certificate);
	const contents = paths.map(async (path) => [path, await readFile(join(folder, path))] as const);
	return Object.fromEntries(await Promise.all(contents));
}

/** Writes what was made, the ceremony itself and a record, over nothing. */
async function keep(
	{ out }: CeremonyOptions,
	done: { ceremony: Ceremony; source: string; fingerprint: string; made: Made; token: string },
): Promise<void> {
	await mkdir(out, { recursive: true, mode: 0o700 });
	const { ceremony, source, fingerprint, made, token } = done;
	const record = {
		ceremony: ceremony.ceremony,
		fingerprint,
		carried_out_at: new Date().toISOString(),
		token,
		made: Object.fromEntries(Object.entries(made).map(([name, content]) => [name, describe(name, content)])),
	};
	const files = {
		...made,
		[`${ceremony.ceremony}.ceremony.json`]: source,
		[`${ceremony.ceremony}.record.json`]: `${JSON.stringify(record, null, "\t")}\n`,
	};
	for (const [name, content] of Object.entries(files))
		await writeFile(join(out, name), content, { mode: name === "secrets.env" ? 0o600 : 0o644, flag: "wx" });
	console.log(
		`${JSON.stringify(record, null, "\t")}\n${out}: ${Object.keys(files)
			.map((name) => basename(name))
			.join(", ")}`,
	);
}

function describe(name: string, content: string | Uint8Array) {
	const whole = { sha256: sha256(content) };
	if (name !== "root.pem" && name !== "issuing.pem") return whole;
	const { subject, serialNumber, notBefore, notAfter, rawData } = new x509.X509Certificate(content as string);
	const fingerprint = sha256(new Uint8Array(rawData));
	return {
		...whole,
		subject,
		serial: serialNumber,
		from: notBefore,
		until: notAfter,
		certificate_sha256: fingerprint,
	};
}

function namesOf({ name, organization, rut }: { name: string; organization: string; rut: string }) {
	return { commonNamePrefix: name, organization, rut };
}

function readPem(inputs: Inputs, path: string): Uint8Array {
	const [der] = x509.PemConverter.decode(Buffer.from(inputs[path]!).toString());
	return new Uint8Array(der!);
}

function readCertificate(inputs: Inputs, path: string): x509.X509Certificate {
	return new x509.X509Certificate(readPem(inputs, path) as BufferSource);
}

function toBase64(certificate: x509.X509Certificate): string {
	return Buffer.from(certificate.rawData).toString("base64");
}

function sha256(content: string | Uint8Array): string {
	return createHash("sha256").update(content).digest("hex");
}
