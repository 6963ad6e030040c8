import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../test/support/free-port.ts";
import { HttpClient } from "../http.ts";
import { findTool } from "../machine.ts";

/** `cfssl serve` under an authority of its own: a key and a certificate a request, no PFX, no database, no log line. */
export interface CfsslServer {
	pid: number;
	/** One key and certificate. @returns milliseconds, HTTP to HTTP */
	issue(algorithm: KeyRequest): Promise<number>;
	/** An RSA-2048 key and the request that cfssl makes of it, nothing signed by an authority. */
	makeKey(): Promise<number>;
	stop(): Promise<void>;
}

type KeyRequest = { algo: "rsa"; size: 2048 } | { algo: "ecdsa"; size: 256 };

const DEADLINE_MS = 10_000;

/** Key usages, addresses and validity as our leaves have them. */
const CONFIG = {
	signing: {
		default: {
			expiry: "8760h",
			usages: [
				"digital signature",
				"content commitment",
				"key encipherment",
				"client auth",
				"email protection",
			],
			crl_url: "http://localhost:8787/pki/crl",
			ocsp_url: "http://localhost:8787/pki/ocsp",
			issuer_urls: ["http://localhost:8787/pki/cer"],
			policies: [{ ID: "1.3.6.1.4.1.55555.1.1" }],
		},
	},
};

/** @param cpus - 1: one thread of Go on one CPU; 0: as Go likes. */
export async function startCfssl(cpus: 0 | 1): Promise<CfsslServer> {
	const folder = await mkdtemp(join(tmpdir(), "bench-cfssl-"));
	const file = (name: string) => join(folder, name);
	await writeFile(file("config.json"), JSON.stringify(CONFIG));
	// An RSA-3072 authority, as the service's own.
	const ca = ["req", "-x509", "-newkey", "rsa:3072", "-nodes", "-days", "3650", "-subj", "/CN=Bench CA"];
	execFileSync("openssl", [...ca, "-keyout", file("ca-key.pem"), "-out", file("ca.pem")], {
		stdio: "ignore",
	});
	const port = await freePort();
	const files = ["-ca", file("ca.pem"), "-ca-key", file("ca-key.pem"), "-config", file("config.json")];
	const args = ["serve", "-address", "127.0.0.1", "-port", String(port), "-loglevel", "5", ...files];
	const [command, all] = cpus === 1 ? onOneCpu("cfssl", args) : ["cfssl", args];
	const env = cpus === 1 ? { ...process.env, GOMAXPROCS: "1" } : process.env;
	const child = spawn(command, all, { stdio: "ignore", env });
	const http = new HttpClient(new URL(`http://127.0.0.1:${port}`), 8);
	await untilAnswered(http, child);
	return {
		pid: child.pid!,
		issue: async (key) => (await http.expect(200, call("newcert", key))).ms,
		makeKey: async () => (await http.expect(200, call("newkey", { algo: "rsa", size: 2048 }))).ms,
		stop: async () => {
			await http.close();
			child.kill();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

function call(what: "newcert" | "newkey", key: KeyRequest) {
	const names = [{ C: "CL", serialnumber: "20000000-5" }];
	const request = { CN: "TITULAR 20000000 PRUEBA SANDBOX", hosts: ["holder@example.cl"], key, names };
	const body = what === "newcert" ? { request } : request;
	return { method: "POST" as const, path: `/api/v1/cfssl/${what}`, body };
}

/** One CPU alone, where `taskset` is installed. */
function onOneCpu(command: string, args: readonly string[]): [string, string[]] {
	return findTool("taskset", "--version") === null
		? [command, [...args]]
		: ["taskset", ["--cpu-list", "0", command, ...args]];
}

async function untilAnswered(http: HttpClient, child: ChildProcess): Promise<void> {
	const started = performance.now();
	const answers = () =>
		http.expect(200, call("newcert", { algo: "ecdsa", size: 256 })).then(
			() => true,
			() => false,
		);
	while (!(await answers())) {
		if (child.exitCode !== null || performance.now() - started > DEADLINE_MS)
			throw new Error("cfssl serve did not answer");
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
