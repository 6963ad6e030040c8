import "reflect-metadata";
import { X509Certificate } from "@peculiar/x509";
import { vi } from "vitest";
import { UPSTREAM_TIMEOUT_MS } from "../../../../src/identity/call-upstream.ts";
import { CivilRegistrySandbox } from "../../../../src/sandbox/civil-registry-sandbox.ts";
import { openWithPkijs } from "../../../interop/pfx-library-openers.ts";
import type { Answer } from "../../../support/service.ts";
import type { Apply } from "../document/apply.ts";
import { lockChanges } from "../document/attempts.ts";
import type { Call } from "../document/calls.ts";
import type { Expected } from "../document/expected.ts";
import { emptyWorld, type Ledger } from "../document/ledger.ts";
import type { Stage } from "../sequences/play.ts";
import { compare, Names } from "./compare.ts";
import { AUTHORITY, isOperation, nameTheUnknown, operate, send } from "./send.ts";

/** A certificate_request that the registry lets wait. */
interface HeldCall {
	/** Lets the registry answer, and gives the call's answer. */
	release(): Promise<Answer>;
}

/**
 * Sends a call whose question the registry does not answer yet; all later questions it does.
 * @returns the answer, when the call came to one without the registry.
 */
async function sendHeld(send: () => Promise<Answer>): Promise<HeldCall | Answer> {
	const state: { asked: boolean; answer: Answer | null } = { asked: false, answer: null };
	const released = Promise.withResolvers<void>();
	const original = CivilRegistrySandbox.prototype.fetch;
	const spy = vi.spyOn(CivilRegistrySandbox.prototype, "fetch").mockImplementationOnce(async function (
		this: CivilRegistrySandbox,
		request,
	) {
		state.asked = true;
		await released.promise;
		return original.call(this, request);
	});
	const patience = waitAnHour();
	const answer = send().then((answered) => {
		state.answer = answered;
		return answered;
	});
	// Not vi.waitUntil: it moves a stopped clock on with every look.
	while (!state.asked && !state.answer) await new Promise((resolve) => setTimeout(resolve, 1));
	spy.mockRestore();
	patience.mockRestore();
	if (state.answer) return state.answer;
	return {
		release: () => {
			released.resolve();
			return answer;
		},
	};
}

/** The registry's deadline is one of real seconds, which a busy machine needs for a few calls; the model's clock stands. */
function waitAnHour() {
	const original = globalThis.setTimeout;
	return vi
		.spyOn(globalThis, "setTimeout")
		.mockImplementation(((act: () => void, ms?: number) =>
			original(act, ms === UPSTREAM_TIMEOUT_MS ? 3_600_000 : ms)) as typeof setTimeout);
}

const SAMPLE = new TextEncoder().encode("signed with the key of the PFX");
const ALGORITHMS = {
	"ec-p256": { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
	"rsa-2048": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
};

/** Opens a PFX with another's library. @returns what in it is not the holder's, the certificate's or the key's. */
async function checkPfx(
	pfx: Uint8Array,
	{ pin, rut, serial }: { pin: string; rut: string; serial: string },
): Promise<string[]> {
	const opened = await openWithPkijs(pfx, pin).catch(() => null);
	const [leaf] = opened?.certificates ?? [];
	if (!opened || !leaf) return ["the PFX does not open with the PIN"];
	const certificate = new X509Certificate(leaf as Uint8Array<ArrayBuffer>);
	const found = certificate.subjectName.getField("2.5.4.5");
	return [
		...(certificate.serialNumber.toUpperCase() === serial ? [] : ["the PFX holds another certificate"]),
		...(found.length === 1 && found[0] === rut ? [] : [`the certificate is of ${found}, not of ${rut}`]),
		...((await isPair(certificate, opened.pkcs8)) ? [] : ["the key is not the certificate's"]),
	];
}

async function isPair(certificate: X509Certificate, pkcs8: Uint8Array): Promise<boolean> {
	const spki = certificate.publicKey.rawData;
	const algorithm = ALGORITHMS[spki.byteLength < 100 ? "ec-p256" : "rsa-2048"];
	const bytes = pkcs8 as Uint8Array<ArrayBuffer>;
	const privateKey = await crypto.subtle.importKey("pkcs8", bytes, algorithm, false, ["sign"]);
	const publicKey = await crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]);
	const signature = await crypto.subtle.sign(algorithm, privateKey, SAMPLE);
	return crypto.subtle.verify(algorithm, publicKey, signature, SAMPLE);
}

/** The service's answer is not the model's: the calls so far, then where they differ, a line each. */
export class Disagreement extends Error {
	constructor(lines: readonly string[]) {
		super(lines.join("\n"));
	}
}

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
		const { ledger, expected } = this.#model(this.#ledger, call, now);
		const answer = await this.#deliver(call);
		for (const reached of [expected.outcome, ...lockChanges(call.kind, this.#ledger, ledger, now)])
			this.#tally.set(reached, (this.#tally.get(reached) ?? 0) + 1);
		const line = `+${now - this.#start} ms ${JSON.stringify(call)}: ${expected.outcome}`;
		const differences = await this.#compare(expected, answer);
		if (differences.length > 0) {
			const began = `began at ${new Date(this.#start).toISOString()}`;
			throw new Disagreement([began, ...this.#log, line, ...differences]);
		}
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
