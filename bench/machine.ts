import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";

/** Describes the machine that took the figures. */
export function describeMachine() {
	const all = cpus();
	const cpu = all[0]?.model ?? "unknown";
	const workerd = execFileSync("workerd", ["--version"], { encoding: "utf8" }).trim().replace("workerd ", "");
	const load = loadavg()[0]!.toFixed(1);
	const text = `${cpu}, ${all.length} cores, load ${load}; node ${process.versions.node}, workerd ${workerd}`;
	return { cpu, cores: all.length, load, node: process.versions.node, workerd, text };
}

/** Short hash of the measured commit; `+` behind it when `src` has been changed since. */
export function describeCommit(): string {
	const git = (...args: string[]) =>
		execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
	try {
		return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "../src") === "" ? "" : "+");
	} catch {
		return "unknown";
	}
}

/** CPU milliseconds that a process has used; NaN without a process or /proc. Nanoseconds stand first in schedstat. */
export async function cpuOf(pid: number | string | null): Promise<number> {
	const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
	if (tasks.length === 0) return Number.NaN;
	const texts = await Promise.all(
		tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, "utf8")),
	);
	return texts.reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1e6, 0);
}

/** The CPU milliseconds that a process used during an act; NaN where `cpuOf` is. */
export async function withCpuOf<T>(
	pid: number | string | null,
	act: () => Promise<T>,
): Promise<{ result: T; cpuMs: number }> {
	const before = await cpuOf(pid);
	const result = await act();
	return { result, cpuMs: (await cpuOf(pid)) - before };
}

/** The workerd that this process has started last, or null. */
export async function findWorkerd(): Promise<string | null> {
	const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
	const ours = await Promise.all(pids.map(isOurWorkerd));
	return pids.filter((_, index) => ours[index]).at(-1) ?? null;
}

/** `pid (comm) state ppid …` */
async function isOurWorkerd(pid: string): Promise<boolean> {
	const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
	const [, name, parent] = /^\d+ \((.*)\) \S (\d+) /.exec(text) ?? [];
	return name?.startsWith("workerd") === true && Number(parent) === process.pid;
}

/** Reads a command-line tool's version; null where it is not installed. */
export function findTool(name: string, ...args: string[]): string | null {
	try {
		return execFileSync(name, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
	} catch {
		return null;
	}
}
