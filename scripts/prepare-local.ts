import { randomBytes, X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { DAY_MS } from "../src/domain/durations.ts";
import { buildWidget } from "./build-widget.ts";
import { createAuthority } from "./create-authority.ts";
import { createOcspResponder } from "./create-ocsp-responder.ts";
import { createRootCrl } from "./create-root-crl.ts";

/*
 * Makes what a fresh clone lacks: the widget's script, and local secrets with a development authority of this machine's
 * own. Existing secrets stay, but a secret that an older .dev.vars lacks is added, and an OCSP responder near its end is
 * replaced under its authority. The guide's pages are made by wrangler, where it serves them.
 */

const root = join(import.meta.dirname, "..");
const secretsFile = join(root, ".dev.vars");
const BEGUN_BEFORE_MS = 7 * DAY_MS;

await buildWidget();
if (!(await exists(secretsFile))) await writeSecrets();
await addMissingSecrets();
await renewResponder();

async function writeSecrets(): Promise<void> {
	process.stdout.write("Making local secrets and a development authority (once) … ");
	const now = new Date();
	const authority = await createAuthority({
		commonNamePrefix: "TEST Partner Certificates",
		organization: "TEST Partner Certificates SpA",
		rut: "76000000-0",
		pkiUrl: "http://localhost:8787/pki",
		// Tests put the clock back: the authority must have begun by then.
		now: new Date(now.getTime() - BEGUN_BEFORE_MS),
	});
	const rootCrl = await createRootCrl({ root: authority.root, now });
	const secrets = {
		SEALING_KEYS: `k1:${random()}`,
		INDEX_KEY: random(),
		PIN_PEPPER: random(),
		SERIAL_KEY: random(),
		AUDIT_KEY: random(),
		OPS_TOKEN: randomBytes(24).toString("hex"),
		ISSUING_KEY: authority.issuing.key,
		ISSUING_CERTIFICATE: authority.issuing.certificate,
		ROOT_CERTIFICATE: authority.root.certificate,
		ROOT_CRL: rootCrl.toString("base64"),
	};
	const lines = Object.entries(secrets).map(([name, value]) => `${name}="${value}"\n`);
	await writeFile(secretsFile, lines.join(""), { mode: 0o600 });
	console.log("done: .dev.vars");
}

async function addMissingSecrets(): Promise<void> {
	const text = await readFile(secretsFile, "utf8");
	const known = parseEnv(text);
	const missing = ["AUDIT_KEY", "SERIAL_KEY"].filter((name) => !known[name]);
	if (missing.length === 0) return;
	const lines = missing.map((name) => `${name}="${random()}"\n`);
	await writeFile(secretsFile, `${text.replace(/\n*$/, "\n")}${lines.join("")}`, { mode: 0o600 });
	console.log(`Added to .dev.vars: ${missing.join(", ")}`);
}

async function renewResponder(): Promise<void> {
	const text = await readFile(secretsFile, "utf8");
	const { ISSUING_KEY: key, ISSUING_CERTIFICATE: certificate, ...secrets } = parseEnv(text);
	if (!key || !certificate || (secrets.OCSP_KEY && serves(secrets.OCSP_CERTIFICATE, certificate))) return;
	process.stdout.write("Making a local OCSP responder … ");
	const responder = await createOcspResponder({ issuing: { key, certificate }, now: new Date() });
	const others = text.split("\n").filter((line) => line !== "" && !/^OCSP_(KEY|CERTIFICATE)=/.test(line));
	const lines = [...others, `OCSP_KEY="${responder.key}"`, `OCSP_CERTIFICATE="${responder.certificate}"`];
	await writeFile(secretsFile, `${lines.join("\n")}\n`, { mode: 0o600 });
	console.log("done: .dev.vars");
}

/** Readable, under this authority, and for another month at least. */
function serves(responder: string | undefined, authority: string): boolean {
	try {
		const certificate = new X509Certificate(Buffer.from(responder ?? "", "base64"));
		const { publicKey } = new X509Certificate(Buffer.from(authority, "base64"));
		const rest = certificate.validToDate.getTime() - Date.now();
		return certificate.verify(publicKey) && rest > 30 * DAY_MS;
	} catch {
		return false;
	}
}

function random(): string {
	return randomBytes(32).toString("base64");
}

async function exists(file: string): Promise<boolean> {
	return readFile(file).then(
		() => true,
		() => false,
	);
}
