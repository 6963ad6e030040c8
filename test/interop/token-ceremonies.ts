import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeTokens, SOFTHSM, TOKEN_PIN } from "../support/soft-token.ts";
import type { ToolFolder } from "./revocation-tools.ts";

const SCRIPT = join(import.meta.dirname, "..", "..", "scripts", "create-authority.ts");

/** Ceremonies with keys in tokens of SoftHSM, held by the command that people type (docs/operators/authority.md). */
export class TokenCeremonies {
	readonly #files: ToolFolder;
	/** Names the tokens to programs that are started with it. */
	readonly env: { SOFTHSM2_CONF: string };

	/** @param tokens - labels of the empty tokens to begin with */
	constructor(files: ToolFolder, ...tokens: string[]) {
		this.#files = files;
		mkdirSync(files.path("hsm"));
		this.env = makeTokens(files.path("hsm"), ...tokens);
	}

	/** Runs the command on a ceremony's file. */
	run(file: string, slot: string, out: string, ...more: string[]): Promise<{ text: string; code: number }> {
		const where = ["--module", SOFTHSM, "--slot", slot, "--out", this.#files.path(out)];
		const args = [SCRIPT, "--ceremony", this.#files.path(file), ...where, ...more];
		const env = { ...process.env, ...this.env, TOKEN_PIN };
		return promisify(execFile)("node", args, { env }).then(
			({ stdout }) => ({ text: stdout, code: 0 }),
			({ stdout, stderr, code }) => ({ text: stdout + stderr, code }),
		);
	}

	/** Writes a ceremony's file, prints it, and holds it under the fingerprint that was printed. */
	async hold(slot: string, out: string, ceremony: object) {
		this.#files.write(`${out}.json`, JSON.stringify(ceremony));
		const printed = await this.run(`${out}.json`, slot, out);
		const fingerprint = /--reviewed ([0-9a-f]{64})/.exec(printed.text)?.[1] ?? "";
		return this.run(`${out}.json`, slot, out, "--reviewed", fingerprint);
	}
}
