import type { WireClient } from "./wire-client.ts";
import { ask } from "./wire-client.ts";

const PAUSE_MS = 500;
/** Times as long as the canary's slowest answer may any other call take, beyond its own patience. */
const ROOM = 4;
/** Nothing that a busy machine does takes this long. */
const DEAD_MS = 120_000;

/**
 * Asks for `/healthz` again and again during the run. How long that takes, which does nothing, is how busy the
 * machine is: what another call takes beyond it is the call's own.
 */
export class Canary {
	readonly #client: WireClient;
	#asked = 0;
	#slowestMs = 0;
	#isFlying = true;
	readonly #flight: Promise<void>;

	constructor(client: WireClient) {
		this.#client = client;
		this.#flight = this.#fly();
	}

	/** Milliseconds to add to a call's patience, on this machine as it has been so far. */
	get room(): number {
		return ROOM * Math.max(this.#slowestMs, this.#isFlying ? performance.now() - this.#asked : 0);
	}

	/** @returns what was wrong with it. */
	async stop(): Promise<string[]> {
		this.#isFlying = false;
		await this.#flight;
		return this.#slowestMs > DEAD_MS ? [`/healthz was not answered for ${this.#slowestMs} ms`] : [];
	}

	async #fly(): Promise<void> {
		while (this.#isFlying) {
			this.#asked = performance.now();
			const answered = await ask(this.#client, { path: "/healthz", credentials: "Accept: */*" }).catch(
				() => null,
			);
			const ms = performance.now() - this.#asked;
			this.#slowestMs = Math.max(this.#slowestMs, answered ? ms : DEAD_MS + 1);
			await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
			this.#asked = performance.now();
		}
	}
}
