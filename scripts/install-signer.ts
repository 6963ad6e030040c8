import { spawnSync } from "node:child_process";
import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { Refused } from "./run-command.ts";

/* The signer's one package is compiled against Node's headers. The root's install leaves it out: few machines need it. */

const SIGNER_FOLDER = join(import.meta.dirname, "..", "signer");
const COMPILERS = ["python3", "make", "g++"];
/** Words of a compiler, or of node-gyp before it, where the headers are missing. */
const NO_HEADERS = /node_api\.h|node\.h|common\.gypi|\bheaders\b|nodejs\.org/;

/**
 * Compiles the signer's package where it is not yet: in a folder of its own, so that two at once do not meet.
 * @throws {Refused} that names what this machine lacks
 */
export function installSigner(folder = SIGNER_FOLDER, env = process.env): void {
	const isCompiled = (where = folder) =>
		existsSync(join(where, "node_modules/pkcs11js/build/Release/pkcs11.node"));
	if (isCompiled()) return;
	const missing = COMPILERS.filter((program) => !isInstalled(program, env));
	if (missing.length > 0)
		throw new Refused(
			`The signer's package pkcs11js is compiled, and this machine lacks: ${missing.join(", ")}. On Debian: apt-get install -y build-essential python3`,
		);
	console.log("Compiling the signer's package (once) …");
	const own = mkdtempSync(join(folder, ".install-"));
	try {
		for (const file of ["package.json", "package-lock.json"])
			copyFileSync(join(folder, file), join(own, file));
		const { status, stderr } = spawnSync("npm", ["ci", "--loglevel=error", "--fetch-retries=1"], {
			cwd: own,
			env: { ...env, ...headersOf(env) },
			encoding: "utf8",
		});
		if (status !== 0 || !isCompiled(own)) throw notInstalled(stderr);
		putInPlace(join(own, "node_modules"), folder, isCompiled);
	} finally {
		rmSync(own, { recursive: true, force: true });
	}
}

/** Moves what was compiled to its place. Another process may have been first: then its packages stay. */
function putInPlace(modules: string, folder: string, isCompiled: () => boolean): void {
	const place = join(folder, "node_modules");
	try {
		renameSync(modules, place);
	} catch {
		if (isCompiled()) return;
		// An installation that was broken off is in the way.
		rmSync(place, { recursive: true, force: true });
		renameSync(modules, place);
	}
}

function notInstalled(stderr: string): Refused {
	if (NO_HEADERS.test(stderr))
		return new Refused(
			`Node's headers were not found, and without them pkcs11js cannot be compiled. node-gyp takes them from the network, or from a folder: npm_config_nodedir=/usr where /usr/include/node/node_api.h is (on Debian: apt-get install -y libnode-dev).\n\n${lastLines(stderr)}`,
		);
	return new Refused(`The signer's package could not be installed.\n\n${lastLines(stderr)}`);
}

export function isInstalled(program: string, { PATH = "" }: NodeJS.ProcessEnv = process.env): boolean {
	return PATH.split(delimiter).some((folder) => {
		try {
			accessSync(join(folder, program), constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}

/** Headers that lie on this machine, unless npm's settings name some. The interface (Node-API) is the same in all versions. */
function headersOf(env: NodeJS.ProcessEnv): { npm_config_nodedir?: string } {
	if (env.npm_config_nodedir !== undefined) return {};
	const folders = [dirname(dirname(process.execPath)), "/usr"];
	const found = folders.find((folder) => existsSync(join(folder, "include/node/node_api.h")));
	return found ? { npm_config_nodedir: found } : {};
}

function lastLines(text: string): string {
	return text.trimEnd().split("\n").slice(-12).join("\n");
}
