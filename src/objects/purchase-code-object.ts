import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../config.ts";
import { openRegister, RegisterUnavailable } from "../db/register.ts";
import { platformOf } from "../platform.ts";
import type { CodeContext } from "./code-context.ts";
import { giveUpStep } from "./end-step.ts";
import { forgetExpiredAnswers } from "./kept-answers.ts";
import { type Lease, readLease } from "./lease.ts";
import {
	type Call,
	type ClaimAnswer,
	type ClaimCall,
	type OpsAnswer,
	type OpsCall,
	type Rejected,
	type Replayable,
	type RequestAnswer,
	type RequestCall,
	rejected,
} from "./messages.ts";
import { runClaim } from "./run-claim.ts";
import { runOps } from "./run-ops.ts";
import { runRequest } from "./run-request.ts";
import { settleStep } from "./settle-step.ts";

/** Name of the object of a partner's code: another partner's call with the same code reaches another object. */
export function objectName(partnerId: string, code: string): string {
	return `${partnerId}/${code}`;
}

/** The only writer of one purchase code. It serialises steps by lease and answers with unions, never exceptions. */
export class PurchaseCodeObject extends DurableObject<Bindings> {
	requestCertificate(call: RequestCall): Promise<Replayable<RequestAnswer>> {
		return this.#run(call, runRequest);
	}

	claimCertificate(call: ClaimCall): Promise<Replayable<ClaimAnswer>> {
		return this.#run(call, runClaim);
	}

	operate(call: OpsCall): Promise<Replayable<OpsAnswer>> {
		return this.#run(call, async (context) => ({ answer: await runOps(context), replayedIn: null }));
	}

	/** Clears up after a crash, and forgets kept answers that are past their day. */
	override async alarm(): Promise<void> {
		const { storage } = this.ctx;
		const lease = readLease(storage);
		if (lease && lease.until > Date.now()) {
			await storage.setAlarm(lease.until);
			return;
		}
		if (lease) {
			const call = { partnerId: lease.partnerId, code: lease.code, requestId: `alarm-${lease.step}` };
			await settleStep({ call, storage, register: openRegister(this.env.DB), clock: Date.now }, lease);
		}
		await this.#tidy();
	}

	async #run<C extends Call, Answer>(
		call: C,
		step: (context: CodeContext<C>, hold: (lease: Lease) => void) => Promise<Replayable<Answer | Rejected>>,
	): Promise<Replayable<Answer | Rejected>> {
		let held: Lease | null = null;
		const context = await this.#context(call);
		try {
			return await step(context, (lease) => {
				held = lease;
			});
		} catch (error) {
			if (held) await giveUpStep(context, held).catch(reportUnsettled);
			return { answer: unavailable(error), replayedIn: null };
		} finally {
			if (held) await this.#tidy();
		}
	}

	/** Leaves an alarm for what is still to be forgotten; an object with nothing to remember leaves nothing. */
	async #tidy(): Promise<void> {
		const { storage } = this.ctx;
		if (readLease(storage)) return;
		const next = forgetExpiredAnswers(storage, Date.now());
		if (next !== null) await storage.setAlarm(next);
		else await storage.deleteAll();
	}

	async #context<C extends Call>(call: C): Promise<CodeContext<C>> {
		return {
			call,
			storage: this.ctx.storage,
			register: openRegister(this.env.DB),
			evidence: this.env.EVIDENCE,
			platform: await platformOf(this.env),
			clock: Date.now,
		};
	}
}

/** D1's absence is an expected outcome; anything else is a bug and stays an exception. */
function unavailable(error: unknown): Rejected {
	if (!(error instanceof RegisterUnavailable)) throw error;
	console.error(JSON.stringify({ event: "register_unavailable", detail: error.message }));
	return rejected({ reason: "service_unavailable" });
}

function reportUnsettled(error: unknown): void {
	console.error(JSON.stringify({ event: "step_left_to_alarm", detail: String(error) }));
}
