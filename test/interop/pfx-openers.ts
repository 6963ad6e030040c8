import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TemporaryFolder } from "../support/temporary-folder.ts";

/** Contents of a PFX by a program. PEM with `\n`; the leaf is the certificate with the key. */
export interface ToolOpenedPfx {
	leafPem: string;
	/** Certificates in the PFX, the leaf among them. */
	chainLength: number;
	/** Whether the program decrypted the private key too. */
	keyOpened: boolean;
}

/** Programs by the name they are called by; `python3-cryptography` is a package of `python`'s. */
export type Tool = keyof typeof probes;

/** Debian's own, to which python3-cryptography belongs; another one may stand before it in the PATH. */
export const python = "/usr/bin/python3";

/** Chromium without windows takes two fifths of the processor's time of the whole one, which stands in for it. */
export const chromiumPath = existsSync("/usr/bin/chromium-headless-shell")
	? "/usr/bin/chromium-headless-shell"
	: "/usr/bin/chromium";

const probes = {
	chromium: [chromiumPath, "--version"],
	"firefox-esr": ["firefox-esr", "--version"],
	WebKitWebDriver: ["WebKitWebDriver", "--version"],
	Xvfb: ["Xvfb", "-help"],
	openssl: ["openssl", "version"],
	curl: ["curl", "--version"],
	jq: ["jq", "--version"],
	php: ["php", "--version"],
	python3: [python, "--version"],
	keytool: ["keytool", "-help"],
	certtool: ["certtool", "--version"],
	certutil: ["certutil", "-H"],
	ocsptool: ["ocsptool", "--version"],
	pk12util: ["pk12util", "-H"],
	gpgsm: ["gpgsm", "--version"],
	pdfsig: ["pdfsig", "-v"],
	"python3-cryptography": [python, "-c", "import cryptography"],
	"softhsm2-util": ["softhsm2-util", "--version"],
	xmlsec1: ["xmlsec1", "--version"],
	zlint: ["zlint", "-version"],
};

const found = new Map<Tool, boolean>();

/** Whether the program is there to be run, whatever it answers; of a package, whether it is found. Looked for once. */
export function isInstalled(tool: Tool): boolean {
	if (!found.has(tool)) found.set(tool, look(probes[tool]));
	return found.get(tool)!;
}

function look([program, ...options]: string[]): boolean {
	try {
		execFileSync(program!, options, { stdio: "ignore" });
		return true;
	} catch (error) {
		return program !== python && (error as NodeJS.ErrnoException).code !== "ENOENT";
	}
}

/** OpenSSL 3 without `-legacy`: both profiles keep to its default provider. @throws when the PIN is wrong */
export function openWithOpenssl(pfx: Uint8Array, pin: string): ToolOpenedPfx {
	return inDirectory(pfx, (file) => {
		const read = (...options: string[]) =>
			run("openssl", ["pkcs12", "-in", file, "-passin", "env:PIN", ...options], { PIN: pin });
		const all = read("-nodes");
		return {
			leafPem: certificatesIn(read("-clcerts", "-nokeys"))[0]!,
			chainLength: certificatesIn(all).length,
			keyOpened: all.includes("-----BEGIN PRIVATE KEY-----"),
		};
	});
}

/** Java: lists the entry, then copies it to another store, which needs the key in the clear. */
export function openWithKeytool(pfx: Uint8Array, pin: string): ToolOpenedPfx {
	return inDirectory(pfx, (file, directory) => {
		const source = ["-storetype", "PKCS12", "-storepass:env", "PIN"];
		const listing = run("keytool", ["-list", "-rfc", "-keystore", file, ...source], { PIN: pin });
		const copied = run(
			"keytool",
			["-importkeystore", "-noprompt", "-srckeystore", file, "-srcstoretype", "PKCS12"].concat(
				["-srcstorepass:env", "PIN", "-destkeystore", join(directory, "copy.p12")],
				["-deststoretype", "PKCS12", "-deststorepass", "changeit"],
			),
			{ PIN: pin },
		);
		return {
			leafPem: certificatesIn(listing)[0]!,
			chainLength: certificatesIn(listing).length,
			keyOpened: listing.includes("PrivateKeyEntry") && /1 entries successfully imported/.test(copied),
		};
	});
}

/** GnuTLS: decrypts the certificates itself and hands out the key still shrouded, which a second call opens. */
export function openWithCerttool(pfx: Uint8Array, pin: string): ToolOpenedPfx {
	return inDirectory(pfx, (file, directory) => {
		const info = run("certtool", ["--p12-info", "--inder", "--infile", file, "--password", pin]);
		const certificates = certificatesIn(info);
		const shrouded = /-----BEGIN ENCRYPTED PRIVATE KEY-----[\s\S]+?-----END ENCRYPTED PRIVATE KEY-----/.exec(
			info,
		);
		const keyFile = join(directory, "key.pem");
		writeFileSync(keyFile, shrouded?.[0] ?? "");
		const key = run("certtool", ["--key-info", "--pkcs8", "--infile", keyFile, "--password", pin]);
		return {
			leafPem: certificates[0]!,
			chainLength: certificates.length,
			keyOpened: /-----BEGIN (RSA |EC )?PRIVATE KEY-----/.test(key),
		};
	});
}

/** NSS, as in Firefox: imports certificates and key into a fresh database, and writes the certificates out. */
export function openWithPk12util(pfx: Uint8Array, pin: string): ToolOpenedPfx {
	return inDirectory(pfx, (file, directory) => {
		const imported = run("pk12util", ["-i", file, "-d", `sql:${directory}`, "-W", pin, "-K", ""]);
		// -r writes file0001.der and so on into the working directory, in the PFX's order.
		run("pk12util", ["-l", file, "-r", "-W", pin], {}, directory);
		const certificates = readdirSync(directory)
			.filter((name) => name.endsWith(".der"))
			.sort();
		return {
			leafPem: encodePem(readFileSync(join(directory, certificates[0]!))),
			chainLength: certificates.length,
			keyOpened: imported.includes("PKCS12 IMPORT SUCCESSFUL"),
		};
	});
}

/** `openssl verify -x509_strict` of a leaf under its issuing authority and root. @throws with OpenSSL's reason */
export function verifyWithOpenssl(chain: { leaf: string; issuing: string; root: string }, at: Date): string {
	using files = new TemporaryFolder();
	const write = (name: keyof typeof chain) => files.write(name, chain[name]);
	const options = [
		"verify",
		"-x509_strict",
		"-policy_check",
		"-attime",
		String(Math.floor(at.getTime() / 1000)),
	];
	return run("openssl", [
		...options,
		"-CAfile",
		write("root"),
		"-untrusted",
		write("issuing"),
		write("leaf"),
	]);
}

export function encodePem(der: Uint8Array): string {
	const lines =
		Buffer.from(der)
			.toString("base64")
			.match(/.{1,64}/g) ?? [];
	return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----"].join("\n");
}

function certificatesIn(text: string): string[] {
	return (
		text.replaceAll("\r", "").match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
	);
}

function inDirectory<T>(pfx: Uint8Array, open: (file: string, directory: string) => T): T {
	using files = new TemporaryFolder();
	return open(files.write("holder.pfx", pfx), files.path());
}

/** Standard output and error together: keytool and certtool report on the latter. */
function run(tool: Tool, options: string[], env: Record<string, string> = {}, cwd?: string): string {
	const quoted = `"$0" "$@" 2>&1`;
	return execFileSync("sh", ["-c", quoted, tool, ...options], {
		encoding: "utf8",
		env: { ...process.env, LC_ALL: "C.UTF-8", ...env },
		...(cwd ? { cwd } : {}),
	});
}
