import { readdir, readFile } from "node:fs/promises";

/** CPU milliseconds that a process has used; NaN where /proc does not tell. Nanoseconds stand first in schedstat. */
export async function cpuOf(pid: number | string): Promise<number> {
	const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
	if (tasks.length === 0) return Number.NaN;
	const texts = await Promise.all(
		tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, "utf8")),
	);
	return texts.reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1e6, 0);
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
