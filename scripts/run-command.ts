import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/* The end of every command that people type: a sentence and an exit code, never a stack of calls for what is no bug. */

/** Something about the command line itself is wrong; the message says what to do. Exit code 2. */
export class UsageError extends Error {}

/** The command cannot do what it was asked; the message says why. Exit code 1. */
export class Refused extends Error {}

const EXIT = { failed: 1, usage: 2 } as const;

/**
 * Runs a command, which returns its exit code. @param cleanUp - ends what the command has started, when nobody reads its
 * output any more
 */
export async function runCommand(main: () => Promise<number>, cleanUp?: () => unknown): Promise<void> {
	let isClosed = false;
	process.stdout.on("error", async (error: NodeJS.ErrnoException) => {
		if (error.code !== "EPIPE") throw error;
		if (isClosed) return;
		isClosed = true;
		process.exitCode = EXIT.failed;
		console.error("Stopped: the program that read this output has ended.");
		await cleanUp?.();
		process.exit();
	});
	try {
		const code = await main();
		if (!isClosed) process.exitCode = code;
	} catch (error) {
		if (isClosed) return;
		if (!(error instanceof UsageError && error.message === "")) console.error(said(error));
		process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
	}
}

/** The message of an error that was foreseen; a bug with its stack. */
function said(error: unknown): unknown {
	if (error instanceof TypeError && error.cause) return `The service stopped answering (${whyOf(error)}).`;
	return error instanceof Error && !/^(Type|Reference|Syntax|Range)Error$/.test(error.name)
		? error.message
		: error;
}

/** Reads the options of a command. @param help - printed for `--help`. @returns null when it was. @throws {UsageError} */
export function readOptions<Options extends ParseArgsOptionsConfig>(options: Options, help: string) {
	try {
		const all = { ...options, help: { type: "boolean", short: "h" } } as const;
		const { values } = parseArgs({ options: all });
		if (!(values as { help?: boolean }).help) return values;
		console.log(help);
		return null;
	} catch (error) {
		throw new UsageError(`${(error as Error).message}\n\n${help}`);
	}
}

/** @throws {UsageError} for anything but an http address */
export function readUrl(name: string, text: string): string {
	if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ""))
		throw new UsageError(`${name} takes an address such as http://localhost:8787, not "${text}".`);
	return text;
}

/** Says what to do when a call found nobody. */
export function noService(url: string, error: unknown): string {
	return `No service answers at ${url} (${whyOf(error)}). Start it with npm start, or give another address with --url.`;
}

/** Says what fetch hides beneath "fetch failed". */
function whyOf(error: unknown): string | undefined {
	const { message, cause } = error as Error;
	return cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message;
}
