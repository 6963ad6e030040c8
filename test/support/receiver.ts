import {
	abortAllDurableObjects,
	createExecutionContext,
	createMessageBatch,
	getQueueResult,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, vi } from "vitest";
import worker from "../../src/dev.ts";
import type { DeliveryMessage } from "../../src/platform.ts";
import { select } from "./look-inside.ts";
import { freshService } from "./service.ts";
import { endAllWork } from "./whose-work.ts";

/* A partner's endpoint, the queue and the post office, each where the service reaches them. */

export interface Received {
	url: string;
	headers: Record<string, string>;
	body: string;
	redirect: string | undefined;
	at: number;
}

export const taken = () => new Response(null, { status: 204 });
export const down = () => new Response("inner text", { status: 503 });

/** Answers the service's outgoing requests in place of the internet. */
export class Receiver {
	readonly received: Received[] = [];
	answer: (nth: number, signal: AbortSignal) => Response | Promise<Response> = taken;

	/** @param listens - from now on; otherwise from `listen` on. */
	constructor(listens = true) {
		if (listens) this.listen();
	}

	/** Begins anew, with nothing received and every request taken. */
	listen(): void {
		this.clear();
		this.answer = taken;
		vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
			const request = new Request(input as RequestInfo, init as RequestInit);
			this.received.push({
				url: request.url,
				headers: Object.fromEntries(request.headers),
				body: await request.text(),
				redirect: init?.redirect,
				at: Date.now(),
			});
			return this.answer(this.received.length, request.signal);
		});
	}

	/** Forgets what came. */
	clear(): void {
		this.received.length = 0;
	}

	get bodies() {
		return this.received.map(({ body }) => JSON.parse(body));
	}
}

/**
 * Gives each test of the file an empty service and what lies around it: whoever receives webhooks, the queue and the post
 * office, each empty. After each test all is as it was before.
 * @param of - whose deliveries are queued.
 * @param begin - `beforeAll` where the tests share a service, each with partners of its own.
 */
export function useReceiver(of: Parameters<typeof holdQueue>[0] = "partners", begin = beforeEach) {
	const receiver = new Receiver(false);
	const queue: Queued[] = [];
	const sent: SentEmail[] = [];
	begin(freshService);
	beforeEach(async () => {
		await endAllWork(abortAllDurableObjects);
		receiver.listen();
		holdQueue(of, queue);
		spyOnEmail(() => undefined, sent);
	});
	afterEach(() => {
		vi.restoreAllMocks();
		vi.useRealTimers();
		delete Object.getPrototypeOf(env.EMAIL).send;
	});
	return { receiver, queue, sent };
}

export interface Queued {
	id: string;
	delaySeconds: number;
}

/**
 * Keeps what the service puts into the queue; a test hands it over when it wants to.
 * @param of - whose: of the others nothing is delivered. `all` asks D1 nothing.
 */
export function holdQueue(of: "partners" | "holders" | "all" = "partners", held: Queued[] = []): Queued[] {
	held.length = 0;
	vi.spyOn(Object.getPrototypeOf(env.DELIVERIES), "sendBatch").mockImplementation(async (messages) => {
		for (const { body, delaySeconds } of messages as MessageSendRequest<DeliveryMessage>[]) {
			const { partnerId, id, ...more } = body;
			if (!partnerId || Object.keys(more).length > 0)
				throw new Error("a queue message carries the partner and the outbox id alone");
			queuedFor.set(id, partnerId);
			if (of === "all" || (await isHolders(id)) === (of === "holders"))
				held.push({ id, delaySeconds: delaySeconds ?? 0 });
		}
	});
	return held;
}

async function isHolders(id: string): Promise<boolean> {
	const [row] = await select("SELECT event FROM outbox WHERE id = ?", id);
	return row?.event.startsWith("holder.") ?? false;
}

/** The partner of each delivery that was queued: known without a trip that a test would count. */
const queuedFor = new Map<string, string>();

async function partnerOf(id: string): Promise<string> {
	const known = queuedFor.get(id);
	if (known) return known;
	const [row] = await select("SELECT partner_id FROM outbox WHERE id = ?", id);
	return row?.partner_id ?? "";
}

/** Learns whose deliveries these are, so that a consumer's messages cost no trip that a test makes fail. */
export async function knowPartners(ids: readonly string[]): Promise<void> {
	for (const id of ids) queuedFor.set(id, await partnerOf(id));
}

/** Nothing that is queued is delivered: no consumer's round trip comes between those that a test counts. */
export function dropQueue(): void {
	vi.spyOn(Object.getPrototypeOf(env.DELIVERIES), "sendBatch").mockResolvedValue(undefined);
}

/** One batch through the Worker's queue handler. */
export async function deliverMessages(...ids: string[]) {
	const messages = await Promise.all(
		ids.map(async (id, i) => ({
			id: `message-${i}`,
			timestamp: new Date(),
			attempts: 1,
			body: { partnerId: await partnerOf(id), id },
		})),
	);
	const batch = createMessageBatch<DeliveryMessage>("partner-certificates-deliveries", messages);
	const context = createExecutionContext();
	await worker.queue(batch, env);
	return getQueueResult(batch, context);
}

/** Runs the cron. @param minute - of the hour; the jobs of the partners' database run in the 18th */
export async function runCron(minute = 0): Promise<void> {
	const scheduledTime = Date.UTC(2026, 10, 23, 12, minute);
	await worker.scheduled({ cron: "* * * * *", scheduledTime, noRetry() {} } as never, env);
}

export interface SentEmail {
	from: { email: string; name: string };
	to: string;
	subject: string;
	headers: Record<string, string>;
	text: string;
	html: string;
	attachments: { filename: string; type: string; content: Uint8Array }[];
}

/**
 * Records e-mails at the `send_email` binding: this method replaces the one that goes over the wire.
 * @param refuse - throws for a message that the platform refuses.
 */
export function spyOnEmail(
	refuse: (email: SentEmail) => void = () => undefined,
	sent: SentEmail[] = [],
): SentEmail[] {
	sent.length = 0;
	const send = async (email: SentEmail) => {
		refuse(email);
		sent.push(email);
		return { messageId: "<test@certificates.example>" };
	};
	Object.defineProperty(Object.getPrototypeOf(env.EMAIL), "send", { value: send, configurable: true });
	return sent;
}
