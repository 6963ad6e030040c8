import { Command, CommanderError } from "commander";
import { UsageError } from "../run-command.ts";
import type { Given, OpsCommand } from "./command.ts";
import { COMMANDS } from "./commands.ts";

/* The command line: COMMANDS as commander's commands. It reads, and runs nothing. */

export interface Flags {
	env: string;
	url?: string;
	json?: true;
	yes?: true;
}

interface Chosen {
	command: OpsCommand;
	given: Given;
	flags: Flags;
}

const NOTES = `
Your token comes from the environment variable OPS_TOKEN (local: .dev.vars). npm run ops-token makes one.
Exit codes: 0 done, 1 refused, unreachable or a fault found, 2 usage, 4 not confirmed.

Examples:
${COMMANDS.slice(0, 3)
	.map(({ example }) => `  ${example}`)
	.join("\n")}`;

/** @returns what was asked for; null when it was help, which is printed. @throws {UsageError} */
export function readCommandLine(argv: readonly string[]): Chosen | null {
	let chosen: Chosen | null = null;
	const program = new Command("npm run ops --")
		.usage("<command> [options]")
		.exitOverride()
		// A command may have others under it: what follows those is theirs.
		.enablePositionalOptions()
		.addHelpText("after", NOTES)
		.configureHelp({ visibleCommands: leavesOf, subcommandTerm: usageOf });
	for (const command of COMMANDS) addCommand(program, command, (found) => (chosen = found));
	try {
		program.parse(argv.length === 0 ? ["--help"] : argv, { from: "user" });
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		// commander has printed what is wrong, or the help that was asked for.
		if (error.exitCode !== 0) throw new UsageError("");
	}
	return chosen;
}

function addCommand(program: Command, spec: OpsCommand, choose: (chosen: Chosen) => void): void {
	const [first = "", second] = spec.name.split(" ");
	const group = second
		? (program.commands.find((known) => known.name() === first) ?? program.command(first))
		: program;
	const command = group
		.command(second ?? first)
		.summary(spec.summary)
		.description(spec.summary);
	for (const name of spec.takes) command.argument(`<${name}>`);
	for (const [name, { help, required }] of Object.entries(spec.options))
		command[required ? "requiredOption" : "option"](`--${name} <${name}>`, help);
	command
		.option("--env <env>", "local, dev or prod", "local")
		.option("--url <url>", "another address than the environment's")
		.option("--json", "the answer's data as JSON")
		.option("--yes", "do not ask before what cannot be undone")
		.addHelpText("after", `\nExample: ${spec.example}`)
		.action(() => {
			const own = command.options.filter((option) => option.name() in spec.options);
			const given = Object.fromEntries([
				...own.map((option) => [option.name(), command.getOptionValue(option.attributeName())]),
				...spec.takes.map((name, i) => [name, command.args[i]]),
			]);
			choose({ command: spec, given, flags: command.opts<Flags>() });
		});
}

/** The help of the whole lists every command with its group's name. */
function leavesOf(command: Command): Command[] {
	return command.commands.flatMap((child) =>
		child.commands.length === 0
			? [child]
			: [...(COMMANDS.some(({ name }) => name === child.name()) ? [child] : []), ...leavesOf(child)],
	);
}

function usageOf(command: Command): string {
	const group = command.parent?.parent ? `${command.parent.name()} ` : "";
	return [`${group}${command.name()}`, ...command.registeredArguments.map((one) => `<${one.name()}>`)].join(
		" ",
	);
}
