import { createInterface } from "node:readline/promises";
import { callEveryPage, callService, findDeployment } from "./ops/call-service.ts";
import type { Given, OpsCommand } from "./ops/command.ts";
import { type Flags, readCommandLine } from "./ops/command-line.ts";
import { formatAnswer } from "./ops/print.ts";
import { runCommand, UsageError } from "./run-command.ts";

/* `npm run ops -- <command>`: the ops calls of any environment, for people (tables) and scripts (`--json`). */

const EXIT = { done: 0, failed: 1, unconfirmed: 4 } as const;

await runCommand(main);

async function main(): Promise<number> {
	const chosen = readCommandLine(process.argv.slice(2));
	return chosen ? run(chosen.command, chosen.given, chosen.flags) : EXIT.done;
}

async function run(command: OpsCommand, typed: Given, flags: Flags): Promise<number> {
	const given = command.asks ? { ...typed, [command.asks]: await ask(command.asks) } : typed;
	const deployment = await findDeployment(flags.env, flags.url);
	if (command.confirm && !flags.yes && !(await agreed(`${command.confirm(given)} (${deployment.url}).`)))
		return EXIT.unconfirmed;
	const outcome = await (command.pages ? callEveryPage : callService)(deployment, command, given);
	if (outcome.kind === "failed") {
		console.error(outcome.message);
		return EXIT.failed;
	}
	console.log(flags.json ? JSON.stringify(outcome.data) : formatAnswer(command, outcome.data));
	return command.hasFault?.(outcome.data) ? EXIT.failed : EXIT.done;
}

/** Asks on the terminal; without one the answer is no: scripts pass `--yes`. */
async function agreed(what: string): Promise<boolean> {
	if (!process.stdin.isTTY) {
		console.error(`${what} Confirm with --yes.`);
		return false;
	}
	const prompt = createInterface({ input: process.stdin, output: process.stderr });
	const answer = await prompt.question(`${what} Type yes to go on: `);
	prompt.close();
	return answer.trim() === "yes";
}

/** Asks for a value that must not be in the shell's history, nor in the list of processes; without a terminal, a line of input. */
async function ask(name: string): Promise<string> {
	const isTerminal = process.stdin.isTTY;
	if (isTerminal) process.stderr.write(`${name.toUpperCase()}: `);
	const lines = createInterface({ input: process.stdin });
	for await (const line of lines) {
		lines.close();
		if (line.trim()) return line.trim();
		break;
	}
	throw new UsageError(`Type the ${name.toUpperCase()} when asked, or send it as a line of standard input.`);
}
