import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** PIN of every token of the tests. */
export const TOKEN_PIN = "271828";
export const SOFTHSM = "/usr/lib/softhsm/libsofthsm2.so";

/** Makes empty tokens of SoftHSM in a folder. @returns the variable that names them to this process's children */
export function makeTokens(folder: string, ...labels: string[]): { SOFTHSM2_CONF: string } {
	const tokens = join(folder, "tokens");
	mkdirSync(tokens, { recursive: true });
	const SOFTHSM2_CONF = join(folder, "softhsm2.conf");
	writeFileSync(SOFTHSM2_CONF, `directories.tokendir = ${tokens}\n`);
	for (const label of labels) {
		const pins = ["--pin", TOKEN_PIN, "--so-pin", "31415926"];
		const env = { ...process.env, SOFTHSM2_CONF };
		execFileSync("softhsm2-util", ["--init-token", "--free", "--label", label, ...pins], { env });
	}
	return { SOFTHSM2_CONF };
}
