import type { Answer } from "../../../support/service.ts";
import { type Apply, possible } from "../document/apply.ts";
import type { Call } from "../document/calls.ts";
import type { Expected } from "../document/expected.ts";
import { emptyWorld, type Ledger } from "../document/ledger.ts";
import { lockChanges } from "../document/lock-changes.ts";
import type { Stage } from "../sequences/play.ts";
import { compare } from "./compare.ts";
import { Disagreement } from "./disagreement.ts";
import { type HeldCall, sendHeld } from "./hold-registry.ts";
import { Names } from "./names.ts";
import { checkPfx } from "./open-pfx.ts";
import { AUTHORITY, isOperation, operate } from "./operate.ts";
import { nameTheUnknown, send } from "./send.ts";

/** Number of times that each outcome was reached. */
export type Tally = Map<string, number>;

/** Makes every call twice, on the service and on the model, and holds the answer against the model's. */
export class ServiceAndModel implements Stage {
	#ledger: Ledger = emptyWorld(AUTHORITY);
	readonly #names = new Names();
	readonly #held = new Map<string, HeldCall>();
	readonly #log: string[] = [];
	readonly #start = Date.now();
	readonly #model: Apply;
	readonly #tally: Tally;

	constructor(model: Apply, tally: Tally) {
		this.#model = model;
		this.#tally = tally;
		nameTheUnknown(this.#names);
	}

	get ledger(): Ledger {
		return this.#ledger;
	}

	async make(call: Call, observes = false): Promise<void> {
		const now = Date.now();
		const outcomes = possible(this.#ledger, call, now, this.#model);
		const answer = await this.#deliver(call);
		const { ledger, expected } =
			outcomes.find((one) => one.expected.status === answer.status) ?? outcomes[0]!;
		for (const reached of [expected.outcome, ...lockChanges(call.kind, this.#ledger, ledger, now)])
			this.#tally.set(reached, (this.#tally.get(reached) ?? 0) + 1);
		const line = `+${now - this.#start} ms ${JSON.stringify(call)}: ${expected.outcome}`;
		const differences = await this.#compare(expected, answer);
		if (differences.length > 0) throw new Disagreement([...this.#log, line, ...differences]);
		if (!observes) this.#log.push(line);
		this.#ledger = ledger;
	}

	async #compare(expected: Expected, answer: Answer): Promise<string[]> {
		if (answer === NO_ANSWER && expected.status === NO_ANSWER.status) return [];
		const differences = compare(expected, answer, this.#names);
		if (expected.opensWith === undefined || differences.length > 0) return differences;
		const { certificate, serialNumber: serial } = answer.body.data;
		return checkPfx(Uint8Array.fromBase64(certificate), { ...expected.opensWith, serial });
	}

	async #deliver(call: Call): Promise<Answer> {
		if (call.kind === "begin") {
			const held = await sendHeld(() => send(call.request, this.#names));
			if (!("release" in held)) return held;
			this.#held.set(call.request.code.code, held);
			return NO_ANSWER;
		}
		if (call.kind === "finish") {
			const held = this.#held.get(call.code)!;
			this.#held.delete(call.code);
			return held.release();
		}
		if (!isOperation(call)) return send(call, this.#names);
		await operate(call, this.#names);
		return NO_ANSWER;
	}

	/** Lets held calls end whose answers nobody waits for any more. */
	async releaseHeld(): Promise<void> {
		for (const held of this.#held.values()) await held.release();
	}
}

const NO_ANSWER: Answer = { status: 0, headers: new Headers(), body: null, text: "" };
