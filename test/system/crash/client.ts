import { createOpsClient, type OpsClient } from "../../../scripts/ops-client.ts";
import type { Answer, Call, Journal } from "./journal.ts";
import type { ServiceProcess } from "./service-process.ts";

/** The service process has an address of its own in every life. */
const ORIGIN = "http://service.test";

type Sent = Pick<Call, "kind" | "partner" | "method" | "path"> &
	Partial<Pick<Call, "body" | "idempotencyKey" | "code" | "session" | "headers">>;

/** Calls one life of the service as partners and ops do; everything goes into the journal before it is sent. */
export class Client {
	/** Ops calls that are no part of the load; they throw {@link ServiceDied} too. */
	readonly ops: OpsClient;
	readonly #service: ServiceProcess;
	readonly #journal: Journal;
	readonly #opsToken: string;
	readonly #clockOffset: () => number;
	readonly #onAnswer: (call: Call) => void;

	constructor(options: {
		service: ServiceProcess;
		journal: Journal;
		opsToken: string;
		clockOffset: () => number;
		onAnswer: (call: Call) => void;
	}) {
		this.#service = options.service;
		this.ops = createOpsClient({ baseUrl: ORIGIN, token: options.opsToken, fetch: fetchOf(options.service) });
		this.#journal = options.journal;
		this.#opsToken = options.opsToken;
		this.#clockOffset = options.clockOffset;
		this.#onAnswer = options.onAnswer;
	}

	/** @throws {ServiceDied} */
	async send(sent: Sent): Promise<Answer> {
		const call: Call = {
			body: null,
			idempotencyKey: null,
			code: null,
			session: null,
			headers: null,
			...sent,
			sentAt: Date.now(),
			clockOffset: this.#clockOffset(),
			answer: null,
			isRepeated: false,
		};
		this.#journal.calls.push(call);
		if (call.code !== null) this.#journal.unrecovered.set(call.code, call.partner);
		call.answer = await this.#fetch(call);
		this.#look(call, call.answer);
		this.#onAnswer(call);
		return call.answer;
	}

	/** Repeats a call, like a client without an answer. @throws {ServiceDied} */
	repeat(call: Call): Promise<Answer> {
		call.isRepeated = true;
		return this.sendAgain(call);
	}

	/** Repeats a call without recording it: whoever had no answer will repeat it. @throws {ServiceDied} */
	sendAgain({ kind, partner, method, path, body, idempotencyKey, code, session, headers }: Call) {
		return this.send({ kind, partner, method, path, body, idempotencyKey, code, session, headers });
	}

	/** Sends a form to a page of somebody else's. @returns where it sends the browser. @throws {ServiceDied} */
	async follow(path: string, form: Record<string, string>): Promise<URL> {
		const init = { method: "POST", body: new URLSearchParams(form), redirect: "manual" } as const;
		const { headers } = await this.#service.fetch(path, init);
		return new URL(headers.get("location") ?? "", ORIGIN);
	}

	async #fetch(call: Call): Promise<Answer> {
		const { method, path, body, idempotencyKey } = call;
		const { status, text, headers } = await this.#service.fetch(path, {
			method,
			headers: {
				...(body !== null && { "content-type": "application/json" }),
				...(idempotencyKey !== null && { "Idempotency-Key": idempotencyKey }),
				...(call.headers ?? this.#accessOf(call)),
			},
			body,
		});
		const replayed = headers.has("Idempotency-Replayed");
		return { status, text, body: parse(text), replayed, at: Date.now() };
	}

	#accessOf({ kind, partner, session }: Call): Record<string, string> {
		if (session) return { authorization: `Bearer ${session.token}` };
		return kind === "cancel" ? { authorization: `Bearer ${this.#opsToken}` } : { "x-gw": partner.key };
	}

	/** A certificate, or the word of one, in an answer; a session's token. */
	#look({ kind, code }: Call, { status, body }: Answer): void {
		if (kind === "session" && status === 201) this.#journal.tokens.add(body.data.token);
		const { certificate, serialNumber } = body?.data ?? {};
		if (status !== 200 || code === null || !certificate) return;
		if (typeof certificate === "string") this.#journal.see(code, "answer", certificate, serialNumber);
		else this.#journal.see(code, "answer", null, certificate.serialNumber);
	}
}

/** Requests of the typed client, sent to a service process. */
function fetchOf(service: ServiceProcess): (request: Request) => Promise<Response> {
	return async (request) => {
		const { method, headers } = request;
		const body = method === "GET" ? null : await request.text();
		const answer = await service.fetch(request.url.slice(ORIGIN.length), { method, headers, body });
		return new Response(answer.text, { status: answer.status, headers: answer.headers });
	};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
