import "reflect-metadata";
import { execFileSync } from "node:child_process";
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import * as x509 from "@peculiar/x509";
import { Pkcs11Token } from "../signer/src/pkcs11-token.ts";
import { DAY_MS } from "../src/domain/durations.ts";
import { certifyIssuing, certifyRoot } from "./authority-certificates.ts";
import { generateKeys, importPublicKey, type KeyType, keyOfPair } from "./authority-key.ts";
import { createRootCrl } from "./create-root-crl.ts";
import { installSigner, isInstalled } from "./install-signer.ts";
import { Refused } from "./run-command.ts";
import { makeKey } from "./token-keys.ts";

/*
 * Makes the local signer's folder: a token in SoftHSM with the issuing key and the log's, a TEST authority over that key,
 * the callers' and two people's keys. What exists stays; the two files of settings are written at every start.
 */

const root = join(import.meta.dirname, "..");
export const LOCAL_SIGNER = join(root, ".local", "signer");
const TOKEN = "partner-certificates-signer";
const CALLER = "worker";
const PEOPLE = ["first", "second"];
/** Debian's places for the library, and others'. */
const LIBRARIES = [
	"/usr/lib/softhsm/libsofthsm2.so",
	"/usr/lib64/softhsm/libsofthsm2.so",
	"/usr/local/lib/softhsm/libsofthsm2.so",
	"/opt/homebrew/lib/softhsm/libsofthsm2.so",
];
const NAMES = {
	commonNamePrefix: "TEST Partner Certificates",
	organization: "TEST Partner Certificates SpA",
	rut: "76000000-0",
};
/** Tests put the clock back: the authority must have begun by then. */
const BEGUN_BEFORE_MS = 7 * DAY_MS;
const [ROOT_DAYS, ISSUING_DAYS] = [20 * 365, 10 * 365];
/** Three calendar years, and the minutes by which a certificate starts early. */
const LONGEST_DAYS = 1096;

export interface LocalSigner {
	url: string;
	/** Path of signer.json, and of the Worker's settings that go with it. */
	config: string;
	workerSettings: string;
	/** Variables of the environment that the signer's process needs. */
	env: { SOFTHSM2_CONF: string };
}

/** @param worker - port of the local service, which the certificates name. @throws {Refused} that names what this machine lacks */
export async function prepareSigner({
	folder = LOCAL_SIGNER,
	port,
	worker,
	key = "p-384",
}: {
	folder?: string;
	port: number;
	worker: number;
	key?: KeyType;
}): Promise<LocalSigner> {
	const module = LIBRARIES.find((path) => existsSync(path));
	if (!module || !isInstalled("softhsm2-util"))
		throw new Refused("The local signer keeps its keys in SoftHSM. On Debian: apt-get install -y softhsm2");
	installSigner();
	const env = { SOFTHSM2_CONF: join(folder, "softhsm2.conf") };
	const paths = { folder, module, port, worker };
	if (!existsSync(folder)) await makeAtOnce(folder, module, key);
	await writeSoftHsmConfig(folder);
	const config = await writeConfig(paths);
	const workerSettings = await writeWorkerSettings(paths);
	return { url: `http://127.0.0.1:${port}`, config, workerSettings, env };
}

/** Makes everything in a folder beside it: an interrupted start leaves no half, and of two at once one is taken. */
async function makeAtOnce(folder: string, module: string, type: KeyType): Promise<void> {
	await mkdir(dirname(folder), { recursive: true });
	const made = await mkdtemp(`${folder}.making-`);
	await mkdir(join(made, "tokens"), { mode: 0o700 });
	const pin = randomBytes(12).toString("hex");
	const write = (name: string, content: string | Uint8Array) =>
		writeFile(join(made, name), content, { mode: 0o600 });
	await write("pin", pin);
	await writeSoftHsmConfig(made);
	process.env.SOFTHSM2_CONF = join(made, "softhsm2.conf");
	const pins = ["--pin", pin, "--so-pin", randomBytes(12).toString("hex")];
	execFileSync("softhsm2-util", ["--init-token", "--free", "--label", TOKEN, ...pins], { stdio: "ignore" });

	const token = new Pkcs11Token({ module, slot: TOKEN, pin });
	const spki = await makeKey(token, "issuing", type);
	await write("log.spki", Buffer.from(await makeKey(token, "log", "p-256")).toString("base64"));
	await token.close();
	await writeAuthority(spki, type, write);
	for (const name of [CALLER, ...PEOPLE]) {
		const { privateKey } = generateKeyPairSync("ed25519");
		await write(`${name}.key.pem`, privateKey.export({ format: "pem", type: "pkcs8" }));
	}
	try {
		await rename(made, folder);
	} catch (cause) {
		if (!existsSync(folder)) throw cause;
	} finally {
		await rm(made, { recursive: true, force: true });
	}
}

/** A root whose key is a file, as a local one may be, and the issuing authority over the token's key. */
async function writeAuthority(
	spki: Uint8Array,
	type: KeyType,
	write: (name: string, content: string | Uint8Array) => Promise<void>,
): Promise<void> {
	const from = new Date(Date.now() - BEGUN_BEFORE_MS);
	const keys = await generateKeys(type);
	const key = keyOfPair(keys);
	const until = (days: number) => new Date(from.getTime() + days * DAY_MS);
	const certificate = await certifyRoot(NAMES, key, { from, until: until(ROOT_DAYS) });
	const issuing = await certifyIssuing(
		{ ...NAMES, pkiUrl: "http://localhost:8787/pki" },
		await importPublicKey(spki),
		{ key, certificate },
		{ from, until: until(ISSUING_DAYS) },
	);
	const pkcs8 = (await crypto.subtle.exportKey("pkcs8", keys.privateKey)) as ArrayBuffer;
	await write("root.key.pem", `${x509.PemConverter.encode(pkcs8, "PRIVATE KEY")}\n`);
	await write("root.pem", `${certificate.toString("pem")}\n`);
	await write("issuing.pem", `${issuing.toString("pem")}\n`);
	const rootDer = Buffer.from(certificate.rawData).toString("base64");
	await write("root.crl", await createRootCrl({ root: { key, certificate: rootDer }, now: new Date() }));
}

function writeSoftHsmConfig(folder: string): Promise<void> {
	const lines = [`directories.tokendir = ${join(folder, "tokens")}`, "objectstore.backend = file"];
	return writeFile(join(folder, "softhsm2.conf"), `${lines.join("\n")}\n`);
}

interface Paths {
	folder: string;
	module: string;
	port: number;
	worker: number;
}

async function writeConfig({ folder, module, port, worker }: Paths): Promise<string> {
	const publicKeyOf = async (name: string) => {
		const key = createPublicKey(await readFile(join(folder, `${name}.key.pem`)));
		return Buffer.from(key.export({ format: "jwk" }).x!, "base64url").toString("base64");
	};
	const config = {
		port,
		folder: "register",
		module,
		token: TOKEN,
		pin_file: "pin",
		key: "issuing",
		log_key: "log",
		log_public_key: await readFile(join(folder, "log.spki"), "utf8"),
		certificate: "issuing.pem",
		rut: NAMES.rut,
		policy_oid: "1.3.6.1.4.1.55555.1.1",
		cps_url: `http://localhost:${worker}/cps/`,
		pki_url: `http://localhost:${worker}/pki`,
		longest_days: LONGEST_DAYS,
		callers: [
			{
				name: CALLER,
				public_key: await publicKeyOf(CALLER),
				rights: ["certificates", "crls", "ocsp-responders", "log"],
				per_minute: 6_000,
				per_day: 1_000_000,
			},
		],
		people: await Promise.all(PEOPLE.map(async (name) => ({ name, public_key: await publicKeyOf(name) }))),
	};
	const file = join(folder, "signer.json");
	await writeFile(file, `${JSON.stringify(config, null, "\t")}\n`);
	return file;
}

/**
 * The settings of `.dev.vars` with the signer's authority in place of theirs. Its keys are empty, for whoever lays these
 * settings over those of `.dev.vars`.
 */
async function writeWorkerSettings({ folder, port }: Paths): Promise<string> {
	const others = Object.entries(parseEnv(await readFile(join(root, ".dev.vars"), "utf8"))).filter(
		([name]) => !/^(ISSUING|ROOT|OCSP|RETIRED_\d+|SIGNER)_/.test(name),
	);
	const der = async (name: string) =>
		Buffer.from(x509.PemConverter.decodeFirst(await readFile(join(folder, name), "utf8"))).toString("base64");
	const callerKey = createPrivateKey(await readFile(join(folder, `${CALLER}.key.pem`)));
	const settings = {
		...Object.fromEntries(others),
		...{ ISSUING_KEY: "", OCSP_KEY: "", OCSP_CERTIFICATE: "" },
		ISSUING_CERTIFICATE: await der("issuing.pem"),
		ROOT_CERTIFICATE: await der("root.pem"),
		ROOT_CRL: (await readFile(join(folder, "root.crl"))).toString("base64"),
		SIGNER_URL: `http://127.0.0.1:${port}`,
		SIGNER_CALLER: CALLER,
		SIGNER_CALLER_KEY: callerKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
	};
	const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`);
	const file = join(folder, "worker.env");
	await writeFile(file, lines.join(""), { mode: 0o600 });
	return file;
}
