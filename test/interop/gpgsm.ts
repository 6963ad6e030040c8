import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { TemporaryFolder } from "../support/temporary-folder.ts";

/** Output and exit code of gpgsm: null when a signal ended it. */
export interface GpgsmRun {
	text: string;
	code: number | null;
}

/** Options under which it asks nobody, neither a person nor the network. */
const ALONE = ["--batch", "--pinentry-mode", "loopback", "--disable-crl-checks", "--disable-dirmngr"];

/** GnuPG's S/MIME program in a home of its own, which trusts one root; its agent ends when this is disposed of. */
export class Gpgsm extends TemporaryFolder {
	constructor(rootPem: string) {
		super();
		const { fingerprint } = new X509Certificate(rootPem);
		this.write("trustlist.txt", `${fingerprint} S relax\n`);
		this.write("gpg-agent.conf", "allow-loopback-pinentry\n");
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
			["--homedir", this.path(), ...ALONE, "--passphrase-fd", "0", ...options],
			{ input: `${pin}\n`, encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8" } },
		);
		return { text: `${stdout}${stderr}`, code: status };
	}

	override [Symbol.dispose](): void {
		spawnSync("gpgconf", ["--homedir", this.path(), "--kill", "gpg-agent"]);
		super[Symbol.dispose]();
	}
}
