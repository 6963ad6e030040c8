import { spawn } from "node:child_process";
import { TemporaryFolder } from "../support/temporary-folder.ts";
import type { Tool } from "./pfx-openers.ts";

/** Output of a program, standard output and error together, and its exit code. */
export interface ToolRun {
	text: string;
	code: number;
}

/** A folder of files for programs to read. */
export class ToolFolder extends TemporaryFolder {
	/** Runs a program here, while the server runs in this process: nothing blocks. */
	run(tool: Tool, ...options: string[]): Promise<ToolRun> {
		return new Promise((resolve, reject) => {
			const child = spawn(tool, options, { cwd: this.path(), env: { ...process.env, LC_ALL: "C.UTF-8" } });
			const chunks: Buffer[] = [];
			child.stdout.on("data", (chunk) => chunks.push(chunk));
			child.stderr.on("data", (chunk) => chunks.push(chunk));
			child.on("error", reject);
			child.on("close", (code) =>
				resolve({ text: Buffer.concat(chunks).toString("utf8"), code: code ?? -1 }),
			);
		});
	}

	/** @param line - its options, by spaces; those with spaces in them follow. */
	openssl(line: string, ...more: string[]): Promise<ToolRun> {
		return this.run("openssl", ...line.split(" "), ...more);
	}
}
