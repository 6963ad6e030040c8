import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { LocalSigner } from "./prepare-signer.ts";

/* The signer as a process of its own, on this machine. */

const MAIN = join(import.meta.dirname, "..", "signer", "src", "main.ts");
const DEFAULT_PORT = 8790;
const ANSWERS_WITHIN_MS = 30_000;
const POLL_MS = 100;

/** Reads `SIGNER_PORT` of the environment. @throws when it is no port number */
export function readSignerPort(text = process.env.SIGNER_PORT): number {
	if (text === undefined || text === "") return DEFAULT_PORT;
	const port = Number(text);
	if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
		throw new Error(`SIGNER_PORT must be a number from 1 to 65535, not "${text}"`);
	return port;
}

/** Runs one command of the signer's own program: `serve`, `stop --reason …` and so on. */
export function runSigner(
	{ config, env }: Pick<LocalSigner, "config" | "env">,
	command: readonly string[],
	output: "inherit" | "ignore" | "pipe" = "inherit",
): ChildProcess {
	return spawn("node", [MAIN, "--config", config, ...command], {
		env: { ...process.env, ...env },
		stdio: ["ignore", output, output],
	});
}

/** Starts the signer and waits until its module answers. @param signal - ends it */
export async function startSigner(
	signer: Omit<LocalSigner, "workerSettings">,
	{ signal, output }: { signal?: AbortSignal; output?: "inherit" | "ignore" } = {},
): Promise<ChildProcess> {
	const child = runSigner(signer, ["serve"], output);
	signal?.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
	const ended = once(child, "exit");
	const deadline = Date.now() + ANSWERS_WITHIN_MS;
	while (Date.now() < deadline && child.exitCode === null) {
		signal?.throwIfAborted();
		const answer = await fetch(`${signer.url}/v1/health`).catch(() => null);
		if (answer?.ok) return child;
		await Promise.race([wait(POLL_MS), ended]);
	}
	child.kill("SIGTERM");
	throw new Error(`The signer at ${signer.url} did not start.`);
}
