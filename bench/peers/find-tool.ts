import { execFileSync } from "node:child_process";

/** What a command-line tool says of its version, or null where it is not installed. */
export function findTool(name: string, ...args: string[]): string | null {
	try {
		return execFileSync(name, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
	} catch {
		return null;
	}
}

/** The last CPU, for whoever is to have one alone. */
export function onOneCpu(command: string, args: readonly string[]): [string, string[]] {
	return findTool("taskset", "--version") === null
		? [command, [...args]]
		: ["taskset", ["--cpu-list", "0", command, ...args]];
}
