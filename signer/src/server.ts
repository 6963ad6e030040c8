import { createServer, type IncomingMessage, type Server } from "node:http";
import { authenticate, demandRate, type Request } from "./callers.ts";
import { RIGHTS, type Right } from "./config.ts";
import { hex } from "./der.ts";
import { findStop } from "./orders.ts";
import { demand, Refusal } from "./refusal.ts";
import type { Entry, Register } from "./register.ts";
import { type Asked, digestOf, headText, type Parts, signBytes } from "./sign.ts";

/** Longest bodies in bytes: a CRL of 300,000 entries, and a certificate. */
const CRL_BYTES = 16 * 1024 * 1024;
const CERTIFICATE_BYTES = 16 * 1024;
const ENTRIES_AT_ONCE = 1_000;
const MINUTE_MS = 60_000;

type Answer = [status: number, body: Record<string, unknown>];

/** Serves the contract of docs/operators/signer.md over plain HTTP: on this host, or behind a tunnel. */
export function createSigner(parts: Parts): Server {
	/** Refusals since the start, by code. */
	const refused: Record<string, number> = {};
	const health = createHealth(parts, refused);
	return createServer({ requestTimeout: 15_000, headersTimeout: 5_000 }, async (incoming, outgoing) => {
		let [status, body]: Answer = [500, { refused: "INTERNAL", message: "Read the signer's own log." }];
		try {
			const isHealth = incoming.method === "GET" && incoming.url === "/v1/health";
			[status, body] = isHealth ? await health() : await answer(parts, await readRequest(incoming));
		} catch (error) {
			const { url: path, headers } = incoming;
			if (error instanceof Refusal)
				[status, body] = [error.status, { refused: error.code, message: error.message, ...error.more }];
			const code = String(body.refused);
			const line = { event: "refused", code, caller: headers["signer-caller"], path };
			console.error(
				JSON.stringify({ ...line, mistake: status === 500 ? (error as Error).stack : undefined }),
			);
			refused[code] = (refused[code] ?? 0) + 1;
		}
		outgoing.setHeader("Content-Type", "application/json");
		if ("retry_after" in body) outgoing.setHeader("Retry-After", String(body.retry_after));
		outgoing.writeHead(status).end(JSON.stringify(body));
	});
}

/** Makes the answer of /v1/health; the log's key signs each head once. */
function createHealth({ authority, config, register, token, clock }: Parts, refused: Record<string, number>) {
	let signed = { hash: "", signature: "" };
	return async (): Promise<Answer> => {
		const { n = 0, hash = "" } = register.last() ?? {};
		const stopped = findStop(register, config, clock());
		const facts = { key_id: hex(authority.keyId), entries: n, head: hash, stopped, refused };
		try {
			await token.alive();
			if (n > 0 && signed.hash !== hash)
				signed = { hash, signature: base64(await token.sign(config.log_key, headText({ n, hash }))) };
		} catch {
			return [503, { status: "failing", ...facts, head_signature: null }];
		}
		return [200, { status: stopped ? "stopped" : "ok", ...facts, head_signature: signed.signature }];
	};
}

async function answer(parts: Parts, request: Request): Promise<Answer> {
	const { config, register, clock } = parts;
	const { method, path, body, headers } = request;
	const [, name] = /^\/v1\/([a-z-]+)(?:\?|$)/.exec(path) ?? [];
	const right = RIGHTS.find((one) => one === name);
	const isRoute = right !== undefined && method === (right === "log" ? "GET" : "POST");
	demand(isRoute, "NOT_FOUND", "Ask by a method and path of docs/operators/signer.md.");
	const caller = authenticate(config.callers, request, clock());
	const asked = { at: clock(), kind: right, caller: caller.name, digest: digestOf(body) };
	try {
		demand(caller.rights.includes(right), "NOT_REGISTERED_FOR", `Have ${right} registered for this caller.`);
		if (right === "log") return [200, readLog(register, path)];
		demandRate(register, caller, right, asked.at);
		demandNoStop(parts, right);
		const isBytes = headers["content-type"] === "application/octet-stream";
		demand(isBytes, "BAD_REQUEST", "Send the DER as application/octet-stream.");
		const { n, hash, signature, head_signature } = await signBytes(parts, asked, body);
		const signatures = { signature: base64(signature!), head_signature: base64(head_signature!) };
		return [200, { entry: n, head: hash, ...signatures }];
	} catch (error) {
		if (error instanceof Refusal) noteRefusal(register, asked, error);
		throw error;
	}
}

function demandNoStop({ config, register, clock }: Parts, right: Right): void {
	const stopped = findStop(register, config, clock());
	if (stopped && (stopped.all || right !== "crls"))
		throw new Refusal("STOPPED", "Ask again when two people have lifted the stop.", { stopped });
}

/** Enters what a known caller was refused; what it may not even ask, once a minute, or it would fill the disk. */
function noteRefusal(register: Register, asked: Asked, { code }: Refusal): void {
	if (code === "DISK" || code === "MODULE") return;
	const note = `refused ${code}`;
	const sql = "SELECT n FROM log WHERE kind = ? AND caller = ? AND note = ? AND at > ?";
	const isOften = code === "RATE" || code === "NOT_REGISTERED_FOR";
	if (isOften && register.all(sql, asked.kind, asked.caller, note, asked.at - MINUTE_MS).length > 0) return;
	register.append({ ...asked, note });
}

function readLog(register: Register, path: string): Record<string, unknown> {
	const from = Number(new URL(path, "http://signer").searchParams.get("from") ?? 1);
	demand(Number.isSafeInteger(from), "BAD_REQUEST", "Send from as a whole number.");
	const sql = "SELECT * FROM log WHERE n >= ? ORDER BY n LIMIT ?";
	const entries = register.all<Entry>(sql, from, ENTRIES_AT_ONCE);
	return { entries, next: entries.length < ENTRIES_AT_ONCE ? null : entries.at(-1)!.n + 1 };
}

function base64(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString("base64");
}

async function readRequest(incoming: IncomingMessage): Promise<Request> {
	const { method = "", url: path = "", headers } = incoming;
	const longest = path === "/v1/crls" ? CRL_BYTES : CERTIFICATE_BYTES;
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of incoming as AsyncIterable<Buffer>) {
		length += chunk.length;
		demand(length <= longest, "TOO_LARGE", `Send at most ${longest} bytes.`);
		chunks.push(chunk);
	}
	return { method, path, headers, body: Buffer.concat(chunks) };
}
