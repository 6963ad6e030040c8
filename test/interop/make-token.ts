import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isInstalled } from "../../scripts/install-signer.ts";
import { makeTokens } from "../support/soft-token.ts";

export const TOKEN = "interop";

/** Makes one token of SoftHSM for the keys of all files: a process reads its settings once, and runs many files. */
export default function setUp(): (() => void) | undefined {
	if (!isInstalled("softhsm2-util")) return;
	const folder = mkdtempSync(join(tmpdir(), "token-"));
	Object.assign(process.env, makeTokens(folder, TOKEN));
	return () => rmSync(folder, { recursive: true });
}
