import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { callEveryPage, callService, findDeployment, UsageError } from "./ops/call-service.ts";
import type { Command, Given } from "./ops/command.ts";
import { COMMANDS } from "./ops/commands.ts";
import { formatAnswer, formatHelp } from "./ops/print.ts";

/* `npm run ops -- <command>`: the ops calls of any environment, for people (tables) and scripts (`--json`). */

const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, unconfirmed: 4 } as const;

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
	if (!(error instanceof UsageError)) throw error;
	console.error(error.message);
	return EXIT.usage;
});

async function main(argv: readonly string[]): Promise<number> {
	const [words, rest] = [argv.slice(0, 2).filter((word) => !word.startsWith("-")), argv];
	const command =
		COMMANDS.find(({ name }) => name === words.join(" ")) ?? COMMANDS.find(({ name }) => name === words[0]);
	if (!command) return help(argv);
	const { given, flags } = read(command, rest.slice(command.name.split(" ").length));
	if (flags.help) return help(argv, command);

	const deployment = await findDeployment(flags.env, flags.url);
	if (command.confirm && !flags.yes && !(await agreed(`${command.confirm(given)} (${deployment.url}).`)))
		return EXIT.unconfirmed;
	const outcome = await (command.pages ? callEveryPage : callService)(deployment, command.call(given));
	if (outcome.kind !== "done") {
		console.error(outcome.message);
		return outcome.kind === "refused" ? EXIT.refused : EXIT.unreachable;
	}
	console.log(flags.json ? JSON.stringify(outcome.data) : formatAnswer(command, outcome.data));
	return command.isAmiss?.(outcome.data) ? EXIT.refused : EXIT.done;
}

interface Flags {
	env: string;
	url: string | undefined;
	json: boolean;
	yes: boolean;
	help: boolean;
}

function read(command: Command, args: readonly string[]): { given: Given; flags: Flags } {
	const own = Object.fromEntries(
		Object.keys(command.options).map((name) => [name, { type: "string" as const }]),
	);
	const parsed = parse(args, own);
	const { env = "local", url, json = false, yes = false, help: asked = false, ...options } = parsed.values;
	const flags = { env, url, json, yes, help: asked } as Flags;
	const given: Given = { ...(options as Given) };
	command.takes.forEach((name, i) => {
		given[name] = parsed.positionals[i] && encodeURIComponent(parsed.positionals[i]);
	});
	if (flags.help) return { given, flags };
	if (parsed.positionals.length > command.takes.length) throw new UsageError(formatHelp(COMMANDS, command));
	const needed = [
		...command.takes,
		...Object.entries(command.options).flatMap(([name, { required }]) => (required ? [name] : [])),
	];
	const missing = needed.filter((name) => !given[name]);
	if (missing.length > 0)
		throw new UsageError(`missing: ${missing.join(", ")}\n\n${formatHelp(COMMANDS, command)}`);
	return { given, flags };
}

function parse(args: readonly string[], own: Record<string, { type: "string" }>) {
	try {
		return parseArgs({
			args: [...args],
			allowPositionals: true,
			options: {
				...own,
				env: { type: "string" },
				url: { type: "string" },
				json: { type: "boolean" },
				yes: { type: "boolean" },
				help: { type: "boolean" },
			},
		});
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

function help(argv: readonly string[], command?: Command): number {
	const asked = command !== undefined || argv.length === 0 || argv.includes("--help");
	if (asked) console.log(formatHelp(COMMANDS, command));
	else console.error(`no such command\n\n${formatHelp(COMMANDS)}`);
	return asked ? EXIT.done : EXIT.usage;
}

/** Without a terminal to ask on, the answer is no: scripts say `--yes`. */
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
