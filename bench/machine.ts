import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";

/** What the figures were taken on. */
export function describeMachine() {
	const all = cpus();
	const cpu = all[0]?.model ?? "unknown";
	const workerd = execFileSync("workerd", ["--version"], { encoding: "utf8" }).trim().replace("workerd ", "");
	const load = loadavg()[0]!.toFixed(1);
	const text = `${cpu}, ${all.length} cores, load ${load}; node ${process.versions.node}, workerd ${workerd}`;
	return { cpu, cores: all.length, load, node: process.versions.node, workerd, text };
}

/** Short hash of what was measured; `+` behind it when `src` has been changed since. */
export function describeCommit(): string {
	const git = (...args: string[]) =>
		execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
	try {
		return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "../src") === "" ? "" : "+");
	} catch {
		return "unknown";
	}
}
