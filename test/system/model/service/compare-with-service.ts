import { type Answer, Partner } from "../../../support/service.ts";
import { type Apply, possible } from "../document/apply.ts";
import type { Call } from "../document/calls.ts";
import type { Expected } from "../document/expected.ts";
import { EMPTY_WORLD, type KeyState, type Ledger } from "../document/ledger.ts";
import { lockChanges } from "../document/lock-changes.ts";
import { compare } from "./compare.ts";
import { Disagreement } from "./disagreement.ts";
import { type HeldCall, sendHeld } from "./hold-registry.ts";
import { Names } from "./names.ts";
import { checkPfx } from "./open-pfx.ts";
import { nameTheUnknown, send } from "./send.ts";

/** How often each outcome was reached. */
export type Tally = Map<string, number>;

/** Makes every call twice, on the service and on the model, and holds the answer against the model's. */
export class ServiceAndModel {
	#ledger: Ledger = EMPTY_WORLD;
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

	/**
	 * @param observes - the call is none of the sequence's: it is left out of what a disagreement says.
	 * @throws {Disagreement}
	 */
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
		if (call.kind === "lose address") {
			await new Partner(this.#names.valueOf("partner", call.partner)!, "").loseAddresses();
			return NO_ANSWER;
		}
		if (call.kind !== "finish") return send(call, this.#names);
		const held = this.#held.get(call.code)!;
		this.#held.delete(call.code);
		return held.release();
	}

	/** The whole list of a partner, if it has a key that works. */
	async observeList(partner: string): Promise<void> {
		const key = this.#workingKey(partner);
		if (key !== null) await this.make({ kind: "list", key, query: { limit: "500" } }, true);
	}

	/** @param closely - with what only ops see: the counts of attempts, the revocation. */
	async observeCode(name: string, closely: boolean): Promise<void> {
		const { partner, certificate } = this.#ledger.codes[name]!;
		const key = this.#workingKey(partner);
		const code = { code: name };
		if (key !== null) await this.make({ kind: "status", key, code }, true);
		if (key === null || closely) await this.make({ kind: "show code", code }, true);
		if (certificate && closely) await this.make({ kind: "show certificate", code: name }, true);
	}

	/** What only ops see and no later call would report: what is due, kept and recorded of every code. */
	async observeRecords(): Promise<void> {
		const { partners, codes } = this.#ledger;
		await this.make({ kind: "list partners" }, true);
		for (const partner of Object.keys(partners))
			await this.make({ kind: "list deliveries", partner, limit: "500" }, true);
		for (const [code, { validation }] of Object.entries(codes)) {
			if (this.#ledger.audit[`code ${code}`])
				await this.make({ kind: "show audit", entity: `code ${code}` }, true);
			if (validation) await this.make({ kind: "list evidence", code: { code } }, true);
		}
	}

	#workingKey(partner: string): string | null {
		const { partners, keys } = this.#ledger;
		if (partners[partner]!.suspendedAt !== null) return null;
		const works = ([, key]: [string, KeyState]) =>
			key.partner === partner && (key.revokedAt === null || key.revokedAt > Date.now());
		return Object.entries(keys).find(works)?.[0] ?? null;
	}

	/** Lets held calls end whose answers nobody waits for any more. */
	async releaseHeld(): Promise<void> {
		for (const held of this.#held.values()) await held.release();
	}
}

const NO_ANSWER: Answer = { status: 0, headers: new Headers(), body: null, text: "" };
