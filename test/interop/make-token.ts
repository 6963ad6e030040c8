import { isInstalled } from "../../scripts/install-signer.ts";
import { makeTokens } from "../support/soft-token.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

export const TOKEN = "interop";

/** Makes one token of SoftHSM for the keys of all files: a process reads its settings once, and runs many files. */
export default function setUp(): (() => void) | undefined {
	if (!isInstalled("softhsm2-util")) return;
	const files = new TemporaryFolder();
	Object.assign(process.env, makeTokens(files.path("hsm"), TOKEN));
	return () => files[Symbol.dispose]();
}
