import { DurableObject } from "cloudflare:workers";
import { type Bindings, ConfigError } from "../config.ts";
import { LEASE_MS } from "../domain/limits.ts";
import { platformOf } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { collectTimings, type Timings } from "../telemetry/timings.ts";
import { Unavailable } from "../unavailable.ts";
import type { CodeContext } from "./code-context.ts";
import { giveUpStep } from "./end-step.ts";
import { forgetExpiredAnswers } from "./kept-answers.ts";
import { isRunning, type Lease, LeaseLost, readLease } from "./lease.ts";
import {
	type Call,
	type ClaimAnswer,
	type ClaimCall,
	type CodeCalls,
	type MendAnswer,
	type MendCall,
	type OpsAnswer,
	type OpsCall,
	type Rejected,
	type Replayable,
	type RequestAnswer,
	type RequestCall,
	type RevocationAnswer,
	type RevocationCall,
	rejected,
} from "./rpc.ts";
import { runClaim } from "./run-claim.ts";
import { runMend } from "./run-mend.ts";
import { runOps } from "./run-ops.ts";
import { runRequest } from "./run-request.ts";
import { runRevocation } from "./run-revocation.ts";
import { settleStep } from "./settle-step.ts";

/** The only writer of one purchase code. It serialises steps by lease and answers with unions, never exceptions. */
export class PurchaseCodeObject extends DurableObject<Bindings> implements CodeCalls {
	requestCertificate(call: RequestCall): Promise<Replayable<RequestAnswer>> {
		return this.#run(call, runRequest);
	}

	claimCertificate(call: ClaimCall): Promise<Replayable<ClaimAnswer>> {
		return this.#run(call, runClaim);
	}

	operate(call: OpsCall): Promise<Replayable<OpsAnswer>> {
		return this.#run(call, async (context) => ({ answer: await runOps(context), replayedIn: null }));
	}

	revokeCertificate(call: RevocationCall): Promise<Replayable<RevocationAnswer>> {
		return this.#run(call, async (context) => ({ answer: await runRevocation(context), replayedIn: null }));
	}

	mend(call: MendCall): Promise<Replayable<MendAnswer>> {
		return this.#run(call, async (context) => ({ answer: await runMend(context), replayedIn: null }));
	}

	/** Clears up after a crash, and forgets kept answers that are past their day. */
	override async alarm(): Promise<void> {
		const { storage } = this.ctx;
		const lease = readLease(storage);
		if (lease && isRunning(lease, Date.now())) return storage.setAlarm(lease.until);
		if (lease && !(await this.#settle(lease))) return storage.setAlarm(Date.now() + LEASE_MS);
		await this.#tidy();
	}

	/** @returns false when D1 did not answer; the platform's own retries of an alarm end after minutes. */
	async #settle(lease: Lease): Promise<boolean> {
		const { partnerId, code, step } = lease;
		const call = { partnerId, code, requestId: `alarm-${step}` };
		try {
			await settleStep({ ...(await this.#context()), call }, lease);
			return true;
		} catch (error) {
			reportUnsettled(error);
			if (error instanceof Unavailable || error instanceof ConfigError) return false;
			throw new Error("a step was not settled for a bug; the object's own log line tells");
		}
	}

	async #run<C extends Call, Answer>(
		call: C,
		step: (context: CodeContext<C>, hold: (lease: Lease) => void) => Promise<Replayable<Answer | Rejected>>,
	): Promise<Replayable<Answer | Rejected>> {
		const run: { context?: CodeContext<C>; held?: Lease } = {};
		const timings: Timings = {};
		try {
			const context = { ...(await this.#context()), call };
			run.context = context;
			const reply = await collectTimings(timings, () =>
				step(context, (lease) => {
					run.held = lease;
				}),
			);
			return { ...reply, timings };
		} catch (error) {
			if (run.context && run.held) await giveUpStep(run.context, run.held).catch(reportUnsettled);
			return { answer: unavailable(error, call.requestId), replayedIn: null, timings };
		}
	}

	/** What the answer does not wait for. Its failure is only reported: a sweep or a retry makes up for it. */
	readonly #later = (work: Promise<unknown>): void => {
		this.ctx.waitUntil(
			work.catch((error: unknown) => log("error", "left_to_sweep", { ...describeError(error) })),
		);
	};

	/**
	 * Leaves an alarm for what is still to be forgotten; an object with nothing to remember leaves nothing. The alarm
	 * that every lease sets does this, so that no call waits for it.
	 */
	async #tidy(): Promise<void> {
		const { storage } = this.ctx;
		if (readLease(storage)) return;
		const next = forgetExpiredAnswers(storage, Date.now());
		if (next !== null) await storage.setAlarm(next);
		else await storage.deleteAll();
	}

	async #context(): Promise<Omit<CodeContext, "call">> {
		const platform = await platformOf(this.env);
		const { db, clock } = platform;
		return { storage: this.ctx.storage, db, platform, later: this.#later, clock };
	}
}

/** What of a step's failures is nobody's bug, and the event that tells of it. */
const EXPECTED = [
	[Unavailable, "unavailable"],
	[LeaseLost, "lease_lost"],
	[ConfigError, "unavailable"],
] as const;

/** An upstream's absence and a lost lease are expected outcomes; anything else is a bug and stays an exception. */
function unavailable(error: unknown, request_id: string): Rejected {
	const expected = EXPECTED.find(([kind]) => error instanceof kind);
	if (expected) log("error", expected[1], { request_id, ...describeError(error) });
	else {
		log("error", "bug", { request_id, ...describeError(error) });
		// The platform writes down what leaves an object uncaught: the message of the error itself may quote a value.
		throw new Error("a step failed by a bug; the object's own log line tells");
	}
	return rejected({ reason: "service_unavailable" });
}

function reportUnsettled(error: unknown): void {
	log("error", "step_left_to_alarm", { ...describeError(error) });
}
