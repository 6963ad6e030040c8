import { setTimeout as pause } from "node:timers/promises";
import { type Call, HttpClient } from "./http.ts";
import { type BenchPartner, claimOf, requestOf } from "./partner.ts";
import type { BenchService } from "./service.ts";

export const CALLS = ["status", "list", "bulk", "request", "claim"] as const;
type CallName = (typeof CALLS)[number];

/** One call of a partner. Times as `performance.now` gives them. */
export interface Answered {
	call: CallName;
	status: number;
	retryAfter: boolean;
	sentAt: number;
	ms: number;
}

/** A code as the answers that were taken for true leave it. */
export type Left = "ACTIVE" | "VALIDATED" | "EMITTED";

/** Codes of a bulk. */
const QUANTITY = 5;

/**
 * A partner's clients: one reads the status of codes, one the list, one orders codes, one requests and claims certificates. Each waits
 * a while after each answer. A write that is refused with 503 is sent again, as a partner's is.
 */
export class Traffic {
	readonly answered: Answered[] = [];
	readonly codes = new Map<string, Left>();
	readonly partner: BenchPartner;
	readonly #http: HttpClient;
	readonly #fresh: string[] = [];
	#holder: number;
	#stopped = false;
	#clients: Promise<unknown>[] = [];

	/** @param firstHolder - of the sandbox's load range; no other traffic has those from here on */
	constructor(service: BenchService, partner: BenchPartner, firstHolder: number) {
		this.partner = partner;
		this.#holder = firstHolder;
		this.#http = new HttpClient(service.url, 8);
	}

	/** Begins. @param pauseMs - of the readers and of the bulks; a certificate comes four times as seldom */
	start(pauseMs: number): void {
		const client = async (act: () => Promise<unknown>, wait = pauseMs) => {
			for (; !this.#stopped; await pause(wait)) await act();
		};
		this.#stopped = false;
		this.#clients = [
			client(() => this.readStatus()),
			client(() => this.readList()),
			client(() => this.bulk()),
			client(() => this.issue(), 4 * pauseMs),
		];
	}

	/** Lets the calls that are under way end, and those that are refused be sent again until they are taken. */
	async stop(): Promise<void> {
		this.#stopped = true;
		await Promise.all(this.#clients);
	}

	close(): Promise<void> {
		return this.#http.close();
	}

	readStatus() {
		const code = this.#fresh.at(-1) ?? "0000-0000-0000-0000";
		return this.#send("status", { path: `/api/partners/v1/status?p_code=${code}` });
	}

	readList() {
		return this.#send("list", { path: "/api/partner/v1/pcodes?limit=50" });
	}

	async bulk(): Promise<void> {
		const body = { productCode: "FV01", quantity: QUANTITY };
		const made = await this.#write("bulk", "/api/partner/v1/pcode/bulk", body);
		for (const code of (made?.pcodes as string[] | undefined) ?? []) {
			this.codes.set(code, "ACTIVE");
			this.#fresh.push(code);
		}
	}

	/** Requests a certificate for the next holder, and claims it. */
	async issue(): Promise<void> {
		const code = this.#fresh.shift();
		if (code === undefined) return;
		const holder = this.#holder++;
		const request = requestOf(code, holder);
		if (!(await this.#write("request", "/api/partners/v1/certificate_request", request))) return;
		this.codes.set(code, "VALIDATED");
		const { claim } = claimOf(this.partner, code, holder);
		if (!(await this.#write("claim", "/api/partners/v1/certificate_claim", claim))) return;
		this.codes.set(code, "EMITTED");
	}

	/** Sends until it is taken. @returns the answer's data; null when another answer came than success and 503 */
	async #write(call: CallName, path: string, body: object): Promise<Record<string, unknown> | null> {
		for (;;) {
			const { status, text } = await this.#send(call, { method: "POST", path, body });
			if (status < 300) return (JSON.parse(text) as { data: Record<string, unknown> }).data;
			if (status !== 503) return null;
			await pause(250);
		}
	}

	async #send(call: CallName, { headers, ...sent }: Call) {
		const sentAt = performance.now();
		const reply = await this.#http.send({ ...sent, headers: { ...headers, "x-gw": this.partner.apiKey } });
		const { status, ms } = reply;
		this.answered.push({ call, status, sentAt, ms, retryAfter: reply.retryAfter });
		return reply;
	}
}
