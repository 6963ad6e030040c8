import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, Question } from "./judge.ts";
import { ROOT } from "./slip.ts";

/** A slip may make its tests run for ever, which somebody would notice. */
const RUN_MS = 15 * 60_000;
const NO_END: Answer = { failure: `test/ has no end within ${RUN_MS / 60_000} minutes`, files: {} };
/** Files that git does not have and tests need. */
const LOCAL = [".dev.vars", "public/docs", "src/widget/built-page.ts"];
/** Sources that are built when vitest starts. */
const BUILT = /^src\/widget\/browser\//;

/** A copy of the files that git knows or would take, with this project's packages, and a process that runs its tests. */
export class Copy {
	readonly root = mkdtempSync(join(tmpdir(), "slips-"));
	#process: ChildProcess | null = null;
	#projects = "";
	#changed = new Set<string>();

	constructor() {
		// Tests of migrations compare them with the newest tag's.
		execFileSync("git", ["clone", "--quiet", "--no-checkout", "--shared", ROOT, this.root]);
		const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
		const listed = execFileSync("git", list, { cwd: ROOT, encoding: "utf8" }).split("\0");
		for (const file of [...listed, ...LOCAL].filter((file) => file && existsSync(join(ROOT, file))))
			cpSync(join(ROOT, file), join(this.root, file), { recursive: true });
		symlinkSync(join(ROOT, "node_modules"), join(this.root, "node_modules"));
	}

	write(file: string, text: string): void {
		writeFileSync(join(this.root, file), text);
		this.#changed.add(file);
		if (BUILT.test(file)) this.stop();
	}

	/** Runs files of tests. @throws when vitest ends without an answer */
	async ask(projects: string[], question: Partial<Question> = {}): Promise<Answer> {
		if (this.#projects !== projects.join()) this.stop();
		this.#projects = projects.join();
		// A group of its own, to end with every workerd that it has started.
		this.#process ??= fork(join(this.root, "test/system/slips/judge.ts"), {
			cwd: this.root,
			detached: true,
			stdio: ["ignore", "ignore", "ignore", "ipc"],
		});
		const changed = [...this.#changed];
		this.#changed.clear();
		this.#process.send({ projects, files: null, changed, bail: false, ...question });
		const answer = await answerOf(this.#process);
		if (answer === NO_END) this.stop();
		return answer;
	}

	stop(): void {
		if (this.#process?.exitCode === null) process.kill(-this.#process.pid!, "SIGKILL");
		this.#process = null;
	}

	remove(): void {
		this.stop();
		rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function answerOf(judge: ChildProcess): Promise<Answer> {
	const { promise, resolve, reject } = Promise.withResolvers<Answer>();
	const timer = setTimeout(resolve, RUN_MS, NO_END);
	judge.once("message", resolve).once("exit", (status) => reject(new Error(`vitest ended with ${status}`)));
	return promise.finally(() => {
		clearTimeout(timer);
		judge.removeAllListeners();
	});
}
