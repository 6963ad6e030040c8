import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Output and exit code of gpgsm: null when a signal ended it. */
export interface GpgsmRun {
	text: string;
	code: number | null;
}

/** Options under which it asks nobody, neither a person nor the network. */
const ALONE = ["--batch", "--pinentry-mode", "loopback", "--disable-crl-checks", "--disable-dirmngr"];

/** GnuPG's S/MIME program in a home of its own, which trusts one root; its agent ends when this is disposed of. */
export class Gpgsm {
	readonly #home = mkdtempSync(join(tmpdir(), "gpgsm-"));

	constructor(rootPem: string) {
		const { fingerprint } = new X509Certificate(rootPem);
		this.write("trustlist.txt", `${fingerprint} S relax\n`);
		this.write("gpg-agent.conf", "allow-loopback-pinentry\n");
	}

	/** @returns the file's path */
	write(name: string, contents: string | Uint8Array): string {
		writeFileSync(this.path(name), contents);
		return this.path(name);
	}

	path(name: string): string {
		return join(this.#home, name);
	}

	read(name: string): Buffer {
		return readFileSync(this.path(name));
	}

	/** Puts certificates and key into its store; from then on the PIN guards the key there too. */
	importPfx(pfx: Uint8Array, pin: string): GpgsmRun {
		return this.run(["--import", this.write("holder.pfx", pfx)], pin);
	}

	/** @param pin - on standard input, where the key is needed */
	run(options: readonly string[], pin = ""): GpgsmRun {
		const { stdout, stderr, status } = spawnSync(
			"gpgsm",
			["--homedir", this.#home, ...ALONE, "--passphrase-fd", "0", ...options],
			{ input: `${pin}\n`, encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8" } },
		);
		return { text: `${stdout}${stderr}`, code: status };
	}

	[Symbol.dispose](): void {
		spawnSync("gpgconf", ["--homedir", this.#home, "--kill", "gpg-agent"]);
		rmSync(this.#home, { recursive: true, force: true });
	}
}
