import { createInterface } from "node:readline/promises";
import { callEveryPage, callService, findDeployment, UsageError } from "./ops/call-service.ts";
import type { Given, OpsCommand } from "./ops/command.ts";
import { type Flags, readCommandLine } from "./ops/command-line.ts";
import { formatAnswer } from "./ops/print.ts";

/* `npm run ops -- <command>`: the ops calls of any environment, for people (tables) and scripts (`--json`). */

const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, unconfirmed: 4 } as const;

process.exitCode = await main().catch((error: unknown) => {
	if (!(error instanceof UsageError)) throw error;
	if (error.message) console.error(error.message);
	return EXIT.usage;
});

async function main(): Promise<number> {
	const chosen = readCommandLine(process.argv.slice(2));
	return chosen ? run(chosen.command, chosen.given, chosen.flags) : EXIT.done;
}

async function run(command: OpsCommand, given: Given, flags: Flags): Promise<number> {
	const deployment = await findDeployment(flags.env, flags.url);
	if (command.confirm && !flags.yes && !(await agreed(`${command.confirm(given)} (${deployment.url}).`)))
		return EXIT.unconfirmed;
	const outcome = await (command.pages ? callEveryPage : callService)(deployment, command, given);
	if (outcome.kind !== "done") {
		console.error(outcome.message);
		return outcome.kind === "refused" ? EXIT.refused : EXIT.unreachable;
	}
	console.log(flags.json ? JSON.stringify(outcome.data) : formatAnswer(command, outcome.data));
	return command.hasFault?.(outcome.data) ? EXIT.refused : EXIT.done;
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
