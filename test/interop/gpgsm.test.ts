import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { generateHolderKeyPair } from "../../src/x509/holder-key.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";
import { maria, pin } from "../unit/x509/test-authority.ts";
import { createAuthorityToday, issueToday } from "./issue-today.ts";
import { testWith } from "./tool-test.ts";

/*
 * gpgsm 2.2 opens only the legacy profile, and only with an RSA key (docs/contributors/interop.md).
 *
 * It fails on one in 64 legacy files of any program: in the key derivation (RFC 7292 App. B.2) it loses the
 * leading zero of a block, which four blocks of a file can have. So it gets three files before it is believed,
 * each in a store of its own: a file it gives up half-way leaves its certificates in the store.
 */

const TRIES = 3;

/** Options under which it asks nobody, neither a person nor the network. */
const ALONE = ["--batch", "--pinentry-mode", "loopback", "--disable-crl-checks", "--disable-dirmngr"];

/** GnuPG's S/MIME program in a home of its own, which trusts one root; its agent ends when this is disposed of. */
class Gpgsm extends TemporaryFolder {
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
	importPfx(pfx: Uint8Array, pin: string) {
		return this.run(["--import", this.write("holder.pfx", pfx)], pin);
	}

	/** @param pin - on standard input, where the key is needed */
	run(options: readonly string[], pin = "") {
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

let authority: Awaited<ReturnType<typeof createAuthorityToday>>;
beforeAll(async () => {
	authority = await createAuthorityToday();
});

describe("gpgsm with a legacy PFX and an RSA key", () => {
	let gpgsm: Gpgsm;
	let pfx: Uint8Array;
	let imported: ReturnType<Gpgsm["run"]> = { text: "", code: null };
	beforeAll(async () => {
		const keyPair = generateHolderKeyPair("rsa-2048");
		for (let tried = 0; tried < TRIES && !isImported(imported); tried++) {
			gpgsm?.[Symbol.dispose]();
			gpgsm = new Gpgsm(authority.rootPem);
			({ pfx } = await issueToday(authority.authority, { pfxProfile: "legacy", keyPair }));
			imported = gpgsm.importPfx(pfx, pin);
		}
	});
	afterAll(() => gpgsm[Symbol.dispose]());

	testWith("gpgsm", "does not import it with another PIN", () => {
		using another = new Gpgsm(authority.rootPem);
		const refused = another.importPfx(pfx, "0000");
		expect(refused.text).toContain("error parsing or decrypting the PKCS#12 file");
		expect(isImported(refused)).toBe(false);
	});

	testWith("gpgsm", "imports leaf, chain and key, and finds the certificate good under the root", () => {
		expect(imported.code).toBe(0);
		expect(imported.text).toMatch(/imported: 3\n.*secret keys read: 1\n.*secret keys imported: 1/);
		const { text } = gpgsm.run(["--list-secret-keys", "--with-validation"]);
		expect(text).toContain("[certificate is good]");
		expect(text).toContain(`/CN=${maria.fullName}/C=CL/EMail=${maria.email}/T=PERSONA NATURAL`);
		expect(text).toContain(`/SerialNumber=${maria.rut}\n`);
		expect(text).toContain("key usage: digitalSignature nonRepudiation keyEncipherment\n");
	});

	testWith("gpgsm", "signs with the key, verifies, and finds one altered byte", () => {
		const message = gpgsm.write("message", "Se firma lo dicho.\n");
		expect(gpgsm.run(["--output", gpgsm.path("signed"), "--detach-sign", message], pin).code).toBe(0);
		const verified = gpgsm.run(["--verify", gpgsm.path("signed"), message]);
		expect(verified.text).toContain(`Good signature from "/CN=${maria.fullName}`);
		expect(verified.code).toBe(0);
		gpgsm.write("message", "Se firma lo dichp.\n");
		const altered = gpgsm.run(["--verify", gpgsm.path("signed"), message]);
		expect(altered.text).toContain("message digest attribute does not match");
		expect(altered.code).toBe(2);
	});

	testWith("gpgsm", "encrypts to the holder's e-mail, and decrypts with the key", () => {
		const message = gpgsm.write("message", "Para María.\n");
		const encrypted = gpgsm.path("encrypted");
		expect(gpgsm.run(["--output", encrypted, "--recipient", maria.email, "--encrypt", message]).code).toBe(0);
		expect(gpgsm.run(["--output", gpgsm.path("decrypted"), "--decrypt", encrypted], pin).code).toBe(0);
		expect(gpgsm.read("decrypted").toString()).toBe("Para María.\n");
	});
});

function isImported({ text, code }: ReturnType<Gpgsm["run"]>): boolean {
	return code === 0 && text.includes("secret keys imported: 1");
}
