import type { Answer, WireClient } from "./wire-client.ts";

export interface Asked {
	status: number;
	// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service says
	body: any;
}

/** A well-formed call, for what stands before and after the fuzz. @throws when no answer comes. */
export async function ask(
	client: WireClient,
	call: { method?: string; path: string; credentials: string; body?: unknown },
): Promise<Asked> {
	const { method = "GET", path, credentials, body } = call;
	const payload = body === undefined ? "" : JSON.stringify(body);
	const lines = [`${method} ${path} HTTP/1.1`, "Host: service.test", credentials];
	if (body !== undefined) lines.push("Content-Type: application/json");
	if (method !== "GET") lines.push(`Content-Length: ${Buffer.byteLength(payload)}`);
	const octets = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${payload}`);
	const outcome = await client.send({ octets, method, alone: false, thenEnd: false, timeoutMs: 60_000 });
	if ("failure" in outcome) throw new Error(`${method} ${path}: ${outcome.failure}`);
	return { status: outcome.status, body: parse(outcome) };
}

function parse({ body }: Answer): unknown {
	try {
		return JSON.parse(body.toString("utf8"));
	} catch {
		return undefined;
	}
}
