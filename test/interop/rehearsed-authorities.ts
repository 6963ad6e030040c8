import { type ChildProcess, execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { startSigner } from "../../scripts/local-signer.ts";
import { DAY_MS } from "../../src/domain/durations.ts";
import { freePort } from "../support/free-port.ts";
import { SOFTHSM, TOKEN_PIN } from "../support/soft-token.ts";
import type { PkiHost } from "./pki-host.ts";
import type { ToolFolder } from "./revocation-tools.ts";
import { TokenCeremonies } from "./token-ceremonies.ts";

export type Name = "First" | "Second";
type Secrets = Record<string, string>;

const SCRIPTS = join(import.meta.dirname, "..", "..", "scripts");

function readSecrets(files: ToolFolder, folder: string): Secrets {
	return parseEnv(readFileSync(files.path(join(folder, "secrets.env")), "utf8")) as Secrets;
}

/** Two issuing authorities under one root, each in a folder of its name. Their keys are files. */
export class FileAuthorities {
	/** Variables of the service besides its addresses. */
	readonly vars: Secrets = {};
	readonly #files: ToolFolder;
	readonly #pkiUrl: string;

	constructor(files: ToolFolder, pkiHost: PkiHost) {
		this.#files = files;
		this.#pkiUrl = pkiHost.url;
	}

	/** Makes one; the first one's root with it. */
	async create(name: Name): Promise<void> {
		const under = name === "First" ? [] : ["--root", this.#files.path("First")];
		const where = ["--pki-url", this.#pkiUrl, "--out", this.#files.path(name)];
		await this.#run("create-authority.ts", "--name", `TEST ${name}`, "--key", "p-384", ...where, ...under);
	}

	/** Secrets of the service that issues by it. */
	secretsOf(name: Name): Secrets {
		return readSecrets(this.#files, name);
	}

	/** Retires the first one. @returns what the service goes on answering for it with */
	async retire(): Promise<Secrets> {
		const of = this.secretsOf("First");
		const names = ["ISSUING_KEY", "ISSUING_CERTIFICATE", "OCSP_KEY", "OCSP_CERTIFICATE"];
		return Object.fromEntries(names.map((secret) => [`RETIRED_1_${secret}`, of[secret]!]));
	}

	/** Has the root revoke the first one. @returns the line to deploy */
	async withdraw(): Promise<Secrets> {
		const [root, issuing] = ["First", join("First", "issuing.pem")].map((name) => this.#files.path(name));
		return parseEnv(await this.#run("create-root-crl.ts", "--root", root!, "--revoke", issuing!)) as Secrets;
	}

	/** Signs the first one's last CRL, `final.crl`, after `last.crl`. */
	async signFinalCrl(): Promise<void> {
		const [authority, last, out] = ["First", "last.crl", "final.crl"].map((name) => this.#files.path(name));
		await this.#run("create-final-crl.ts", "--authority", authority!, "--last", last!, "--out", out!);
	}

	async close(): Promise<void> {}

	/** Runs a script of the runbook. @returns what it printed */
	async #run(script: string, ...args: string[]): Promise<string> {
		return (await promisify(execFile)("node", [join(SCRIPTS, script), ...args])).stdout;
	}
}

const RUT = "76000000-0";
const [ROOT, ROOT_CRL] = ["First/root.pem", "First/root.crl"];

/** Root and both issuing keys are in three tokens, each issuing key behind a signer of its own. */
export class TokenAuthorities implements Omit<FileAuthorities, never> {
	/** Elsewhere the signer's address must be https. */
	readonly vars: Secrets = { ENVIRONMENT: "local", EMAIL_RECIPIENTS: "*" };
	readonly #files: ToolFolder;
	readonly #pkiHost: PkiHost;
	readonly #ceremonies: TokenCeremonies;
	readonly #caller = generateKeyPairSync("ed25519");
	readonly #signers = new Map<Name, { url: string; process: ChildProcess }>();

	constructor(files: ToolFolder, pkiHost: PkiHost) {
		this.#files = files;
		this.#pkiHost = pkiHost;
		this.#ceremonies = new TokenCeremonies(files, "root", "First", "Second");
		files.write("pin", TOKEN_PIN);
	}

	async create(name: Name): Promise<void> {
		const [from, until] = [new Date(Date.now() - DAY_MS).toISOString(), "2036-01-01T00:00:00Z"];
		const named = { label: "root", name: `TEST ${name}`, organization: "TEST SpA", rut: RUT, from, until };
		const key = { key: "rsa-3072" };
		if (name === "First") await this.#hold("root", name, { ceremony: "root", ...key, ...named });
		const labels = { label: "issuing", log_label: "log" };
		await this.#hold(name, name, { ceremony: "issuing-key", ...key, ...labels, root: ROOT });
		const certified = { public_key: `${name}/issuing.public.pem`, pki_url: this.#pkiHost.url };
		const above = { root: ROOT, root_crl: ROOT_CRL };
		await this.#hold("root", name, { ceremony: "issuing", ...above, ...certified, ...named });
		await this.#serve(name, ["certificates", "crls", "ocsp-responders"]);
	}

	secretsOf(name: Name): Secrets {
		const callerKey = this.#caller.privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
		return {
			...{ ...readSecrets(this.#files, name), ISSUING_KEY: "", OCSP_KEY: "", OCSP_CERTIFICATE: "" },
			...{ SIGNER_URL: this.#signers.get(name)!.url, SIGNER_CALLER: "worker" },
			SIGNER_CALLER_KEY: callerKey,
		};
	}

	/** Its signer goes on without the right to certificates. */
	async retire(): Promise<Secrets> {
		await this.#stop("First");
		await this.#serve("First", ["crls", "ocsp-responders"]);
		const { ISSUING_CERTIFICATE, SIGNER_URL } = this.secretsOf("First");
		return { RETIRED_1_ISSUING_CERTIFICATE: ISSUING_CERTIFICATE!, RETIRED_1_SIGNER_URL: SIGNER_URL! };
	}

	async withdraw(): Promise<Secrets> {
		await this.#hold("root", "withdrawn", {
			...{ ceremony: "root-crl", label: "root", root: ROOT, root_crl: ROOT_CRL },
			from: new Date().toISOString(),
			revoke: { certificate: "First/issuing.pem", reason: "cACompromise" },
		});
		return readSecrets(this.#files, "withdrawn");
	}

	async signFinalCrl(): Promise<void> {
		await this.#stop("First");
		await this.#hold("First", ".", {
			...{ ceremony: "final-crl", label: "issuing", issuing: "First/issuing.pem", crl: "last.crl" },
			from: new Date().toISOString(),
		});
	}

	async close(): Promise<void> {
		for (const name of this.#signers.keys()) await this.#stop(name);
	}

	async #hold(slot: string, out: string, ceremony: object): Promise<void> {
		const { code, text } = await this.#ceremonies.hold(slot, out, ceremony);
		if (code !== 0) throw new Error(text);
	}

	async #serve(name: Name, rights: string[]): Promise<void> {
		const port = await freePort();
		const { x } = this.#caller.publicKey.export({ format: "jwk" });
		const caller = { name: "worker", public_key: Buffer.from(x!, "base64url").toString("base64") };
		const log = readFileSync(this.#files.path(join(name, "log.public.pem")), "utf8");
		const settings = {
			...{ port, folder: `${name} register`, certificate: `${name}/issuing.pem`, longest_days: 1096 },
			...{ module: SOFTHSM, token: name, pin_file: "pin", key: "issuing", log_key: "log" },
			log_public_key: log.replaceAll(/-----[A-Z ]+-----|\n/g, ""),
			...{ rut: RUT, policy_oid: "1.3.6.1.4.1.55555.1.1" },
			...{ cps_url: this.#pkiHost.vars.CPS_URL, pki_url: this.#pkiHost.url },
			callers: [{ ...caller, rights, per_minute: 600, per_day: 10_000 }],
		};
		const config = this.#files.write(`${name}.signer.json`, JSON.stringify(settings));
		const url = `http://127.0.0.1:${port}`;
		const process = await startSigner({ url, config, env: this.#ceremonies.env }, { output: "ignore" });
		this.#signers.set(name, { url, process });
	}

	async #stop(name: Name): Promise<void> {
		const { process } = this.#signers.get(name)!;
		if (process.exitCode !== null || process.signalCode !== null) return;
		process.kill("SIGTERM");
		await once(process, "exit");
	}
}
