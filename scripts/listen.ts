import { setTimeout as wait } from "node:timers/promises";
import { createPartnerClient } from "../client/index.ts";
import { localUrl, readPort } from "./local-port.ts";
import { LOCAL_STATE, savedDemoKeys } from "./local-server.ts";
import { noService, Refused, readOptions, readUrl, runCommand, UsageError } from "./run-command.ts";

/*
 * `npm run listen -- --forward-to http://localhost:3000/hook [--key KEY] [--url URL]`: the partner's webhooks through the
 * service, without a tunnel, in local and dev. The key, of scope `manage`, comes from --key, from MANAGE_KEY, or is the demo
 * partner's of `npm start`.
 */

const WAIT_SECONDS = 20;
const FORWARD_MS = 20_000;
const AGAIN_MS = 1_000;

const HELP = `Usage: npm run listen -- --forward-to http://localhost:3000/hook [--key KEY] [--url URL]

Receives your webhooks through the service, in local and dev, and posts them to --forward-to. The API key has the scope
manage: --key, the variable MANAGE_KEY, or the demo partner's of npm start. --url: the service, if not that of npm start.`;
/** The longest that ending takes when nobody reads the output any more. */
const ENDS_WITHIN_MS = 5_000;

interface Webhook {
	id: string;
	headers: Record<string, string>;
	body: string;
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());

await runCommand(listen, () => {
	stop.abort();
	return wait(ENDS_WITHIN_MS);
});

async function listen(): Promise<number> {
	const settings = await readSettings();
	if (settings === null) return 0;
	const { forwardTo, apiKey, baseUrl } = settings;
	const client = createPartnerClient({ baseUrl, apiKey });
	const next = async (wait_seconds: number): Promise<Webhook | null> => {
		const answer = await client.POST("/api/partner/v1/sandbox/listen", { body: { wait_seconds } });
		if (answer.status === 200) return answer.body.data.webhook;
		throw new Refused(`${answer.status} ${answer.body.error}: ${answer.body.message}`);
	};
	const pass = async (webhook: Webhook) => {
		const { status, retryAfter } = await forward(forwardTo, webhook);
		const { type } = JSON.parse(webhook.body) as { type: string };
		console.log(`${new Date().toISOString()}  ${type}  ${webhook.id}  ${status ?? "unreachable"}`);
		const body = { status, ...(retryAfter !== null && { retry_after: retryAfter }) };
		await client.POST("/api/partner/v1/sandbox/listen/{id}", { path: { id: webhook.id }, body });
	};
	// The first call says whether the key is good, and from then on the service knows of us.
	const first = await next(0).catch((error: Error) => {
		throw error instanceof Refused ? error : new Refused(noService(baseUrl, error));
	});
	console.log(`Listening at ${baseUrl}, forwarding to ${forwardTo}. Stop with Ctrl-C.`);
	if (first) void pass(first);
	const stopped = new Promise<null>((resolve) => stop.signal.addEventListener("abort", () => resolve(null)));
	while (!stop.signal.aborted) {
		const webhook = await Promise.race([stopped, next(WAIT_SECONDS).catch(whenAway)]);
		// Not awaited: asking for the next one tells the service that the listener is still there.
		if (webhook) void pass(webhook).catch((error: Error) => console.error(error.message));
	}
	await client.DELETE("/api/partner/v1/sandbox/listen").catch(() => undefined);
	process.exit();
}

/** @returns null when help was asked for. */
async function readSettings(): Promise<{ forwardTo: string; apiKey: string; baseUrl: string } | null> {
	const options = {
		"forward-to": { type: "string" },
		key: { type: "string" },
		url: { type: "string" },
	} as const;
	const values = readOptions(options, HELP);
	if (values === null) return null;
	const forwardTo = values["forward-to"];
	if (!forwardTo) throw new UsageError(`--forward-to is missing.\n\n${HELP}`);
	const baseUrl = readUrl("--url", values.url ?? localUrl(readPort()));
	const apiKey = values.key ?? process.env.MANAGE_KEY ?? (await savedDemoKeys(LOCAL_STATE))?.manageKey;
	if (!apiKey) throw new UsageError("No API key: give --key or MANAGE_KEY, or run npm start first.");
	return { forwardTo: readUrl("--forward-to", forwardTo), apiKey, baseUrl };
}

/** The service may be starting again. */
async function whenAway(error: unknown): Promise<null> {
	if (error instanceof Refused) throw error;
	await wait(AGAIN_MS);
	return null;
}

async function forward(to: string, { headers, body }: Webhook) {
	try {
		const signal = AbortSignal.timeout(FORWARD_MS);
		const answer = await fetch(to, { method: "POST", headers, body, redirect: "manual", signal });
		await answer.body?.cancel();
		return { status: answer.status, retryAfter: answer.headers.get("retry-after") };
	} catch {
		return { status: null, retryAfter: null };
	}
}
