import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Base64 DER of what goes into the file. */
export interface PfxParts {
	pkcs8: string;
	leaf: string;
	issuing: string;
	root: string;
}

/** `openssl pkcs12 -export` of ready parts, a process each time. */
export interface OpensslPfx {
	/** @returns milliseconds, start of the process included */
	assemble(profile: "modern" | "legacy"): number;
	/** `openssl version`: the start of a process that does nothing. @returns milliseconds */
	start(): number;
	stop(): Promise<void>;
}

/** The rounds of our profiles: -iter sets those of the MAC too. */
const PROFILES = {
	modern: ["-keypbe", "AES-256-CBC", "-certpbe", "AES-256-CBC", "-iter", "2048", "-macalg", "sha256"],
	legacy: ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-iter", "2048", "-macalg", "sha1"],
};

export async function prepareOpensslPfx({ pkcs8, leaf, issuing, root }: PfxParts): Promise<OpensslPfx> {
	const folder = await mkdtemp(join(tmpdir(), "bench-pfx-"));
	const file = (name: string) => join(folder, name);
	await writeFile(file("key.pem"), toPem("PRIVATE KEY", pkcs8));
	await writeFile(file("leaf.pem"), toPem("CERTIFICATE", leaf));
	await writeFile(file("chain.pem"), toPem("CERTIFICATE", issuing) + toPem("CERTIFICATE", root));
	const files = ["-inkey", file("key.pem"), "-in", file("leaf.pem"), "-certfile", file("chain.pem")];
	const out = ["-passout", "pass:1357", "-name", "holder", "-out", file("holder.pfx")];
	const run = (args: readonly string[]) => {
		const started = performance.now();
		execFileSync("openssl", args, { stdio: "ignore" });
		return performance.now() - started;
	};
	return {
		assemble: (profile) => run(["pkcs12", "-export", ...files, ...PROFILES[profile], ...out]),
		start: () => run(["version"]),
		stop: () => rm(folder, { recursive: true, force: true }),
	};
}

function toPem(label: string, base64: string): string {
	const lines = base64.match(/.{1,64}/g) ?? [];
	return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
