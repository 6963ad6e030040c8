import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { localUrl, readPort } from "../local-port.ts";
import { createOpsClient } from "../ops-client.ts";
import { noService, readUrl, UsageError } from "../run-command.ts";
import type { Cursor, Given, OpsCommand } from "./command.ts";

/* Finds the command line's deployment, and makes one call to it. */

const root = join(import.meta.dirname, "..", "..");

export interface Deployment {
	url: string;
	token: string;
}

export type Outcome = { kind: "done"; data: Record<string, unknown> } | { kind: "failed"; message: string };

/**
 * The deployment of an environment: its PUBLIC_URL in wrangler.toml, in local the port of `npm start`, or `--url`; the
 * token from OPS_TOKEN, or in local from `.dev.vars`. Never from an argument, which other users of the machine could read.
 */
export async function findDeployment(environment: string, url: string | undefined): Promise<Deployment> {
	if (!["local", "dev", "prod"].includes(environment)) throw new UsageError("--env takes local, dev or prod");
	const local = environment === "local";
	const token = process.env.OPS_TOKEN ?? (local ? await localToken() : undefined);
	if (!token) throw new UsageError("put your ops token into the environment variable OPS_TOKEN");
	const own = () => (local ? localUrl(readPort()) : publicUrl(environment));
	return { url: readUrl("--url", url ?? (await own())), token };
}

/** wrangler is loaded only when it is needed: it takes a second. */
async function publicUrl(environment: string): Promise<string> {
	const { unstable_readConfig } = await import("wrangler");
	const config = join(root, "wrangler.toml");
	return String(unstable_readConfig({ config, env: environment }).vars.PUBLIC_URL);
}

/** Every page of a command, put together: lists are joined, numbers added. */
export async function callEveryPage(
	deployment: Deployment,
	command: OpsCommand,
	given: Given,
): Promise<Outcome> {
	let whole: Record<string, unknown> = {};
	let cursor: Cursor = {};
	do {
		const page = await callService(deployment, command, given, cursor);
		if (page.kind !== "done") return page;
		const { next, ...data } = page.data;
		whole = Object.fromEntries(
			Object.entries(data).map(([name, value]) => [name, combine(whole[name], value)]),
		);
		cursor = typeof next === "string" ? { cursor: next } : {};
	} while (cursor.cursor !== undefined);
	return { kind: "done", data: whole };
}

function combine(before: unknown, value: unknown): unknown {
	if (before === undefined) return value;
	if (Array.isArray(value)) return [...(before as unknown[]), ...value];
	if (typeof value === "number") return (before as number) + value;
	return value;
}

export async function callService(
	{ url, token }: Deployment,
	command: OpsCommand,
	given: Given,
	cursor: Cursor = {},
): Promise<Outcome> {
	const ops = createOpsClient({ baseUrl: url, token });
	const called = await command.call(ops, given, cursor).catch((error: Error) => error);
	if (called instanceof UsageError) throw called;
	if (called instanceof Error) return { kind: "failed", message: noService(url, called) };
	const { status } = called.response;
	const answer = (called.data ?? called.error) as Answer | string | undefined;
	if (typeof answer !== "object")
		return { kind: "failed", message: `${url} answered ${status} without JSON` };
	return answer.success ? { kind: "done", data: answer.data } : { kind: "failed", message: explain(answer) };
}

type Answer =
	| { success: true; data: Record<string, unknown> }
	| { success: false; error: string; message: string; details?: { field?: string; message: string }[] };

function explain(answer: Extract<Answer, { success: false }>): string {
	const details = (answer.details ?? []).map(({ field, message }) => `\n  ${field ?? ""}: ${message}`);
	return `${answer.error}: ${answer.message}${details.join("")}`;
}

async function localToken(): Promise<string | undefined> {
	const file = await readFile(join(root, ".dev.vars"), "utf8").catch(() => "");
	return parseEnv(file).OPS_TOKEN;
}
