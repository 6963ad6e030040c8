import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../bindings.ts";
import { clock } from "../clock.ts";
import { homeOf } from "../directory.ts";
import { MINUTE_MS } from "../domain/durations.ts";
import { LEASE_MS } from "../domain/limits.ts";
import { platformOf } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { collectTimings, type Timings } from "../telemetry/timings.ts";
import { once, tryOnAlarm, unavailable, unlessFrozen } from "./around-calls.ts";
import { claimCertificate } from "./certificate-claim.ts";
import { requestCertificate } from "./certificate-request.ts";
import { eraseHolder } from "./erase-holder.ts";
import { deleteExpiredAnswers } from "./idempotency.ts";
import { isRunning, type Lease, readLease } from "./lease.ts";
import { mend, mendForgotten } from "./mend.ts";
import { saveAnswers } from "./onboarding-answers.ts";
import { endSession } from "./onboarding-end.ts";
import { makeSession } from "./onboarding-make.ts";
import { eraseOldProgress } from "./onboarding-progress.ts";
import type {
	AnswersCall,
	EndAnswer,
	EndCall,
	OnboardingAnswer,
	OnboardingCall,
	OnboardingCalls,
	OnboardingClaimAnswer,
	OnboardingClaimCall,
	SessionAnswer,
	SessionCall,
	SignOnBegun,
	SignOnEnded,
	SignOnReturn,
	SubmitAnswer,
	SubmitCall,
} from "./onboarding-rpc.ts";
import { beginSignOn, finishSignOn } from "./onboarding-sign-on.ts";
import { claimOnboarding, submitOnboarding } from "./onboarding-submit.ts";
import { openOnboarding, showOnboarding } from "./onboarding-view.ts";
import { operate, repair, revoke } from "./ops.ts";
import { recoverStep } from "./recovery.ts";
import { findForgettable, forgetCertificates } from "./remembered.ts";
import { replaceCode } from "./replace-code.ts";
import type {
	Call,
	ClaimAnswer,
	ClaimCall,
	CodeCalls,
	ErasureAnswer,
	ErasureCall,
	MendAnswer,
	OpsAnswer,
	OpsCall,
	Rejected,
	RepairAnswer,
	RepairCall,
	ReplacementAnswer,
	ReplacementCall,
	Replayable,
	RequestAnswer,
	RequestCall,
	RevocationAnswer,
	RevocationCall,
} from "./rpc.ts";
import type { StepContext } from "./use-case.ts";
import { WaitingKey } from "./waiting-key.ts";

/** Interval at which the alarm of a frozen database's code tries again. */
const FROZEN_ALARM_MS = 5 * MINUTE_MS;

/** The only writer of one purchase code. It serialises steps by lease and answers with unions, never exceptions. */
export class PurchaseCodeObject extends DurableObject<Bindings> implements CodeCalls, OnboardingCalls {
	readonly #waitingKey = new WaitingKey();

	requestCertificate(call: RequestCall): Promise<Replayable<RequestAnswer>> {
		return this.#run(call, unlessFrozen(requestCertificate));
	}

	claimCertificate(call: ClaimCall): Promise<Replayable<ClaimAnswer>> {
		return this.#run(call, unlessFrozen(claimCertificate));
	}

	operate(call: OpsCall): Promise<Replayable<OpsAnswer>> {
		return this.#run(call, once(operate));
	}

	revokeCertificate(call: RevocationCall): Promise<Replayable<RevocationAnswer>> {
		return this.#run(call, once(revoke));
	}

	repair(call: RepairCall): Promise<Replayable<RepairAnswer>> {
		return this.#run(call, once(repair));
	}

	replaceCode(call: ReplacementCall): Promise<Replayable<ReplacementAnswer>> {
		return this.#run(call, once(replaceCode));
	}

	eraseHolder(call: ErasureCall): Promise<Replayable<ErasureAnswer>> {
		return this.#run(call, once(eraseHolder));
	}

	mend(call: Call): Promise<Replayable<MendAnswer>> {
		return this.#run(call, once(mend));
	}

	makeSession(call: SessionCall): Promise<Replayable<SessionAnswer>> {
		return this.#run(call, unlessFrozen(makeSession));
	}

	endSession(call: EndCall): Promise<Replayable<EndAnswer>> {
		return this.#run(call, unlessFrozen(once(endSession)));
	}

	showOnboarding(call: OnboardingCall): Promise<Replayable<OnboardingAnswer>> {
		return this.#run(call, once(showOnboarding));
	}

	openOnboarding(call: OnboardingCall): Promise<Replayable<OnboardingAnswer>> {
		return this.#run(call, unlessFrozen(once(openOnboarding)));
	}

	saveAnswers(call: AnswersCall): Promise<Replayable<OnboardingAnswer>> {
		return this.#run(call, unlessFrozen(once(saveAnswers)));
	}

	beginSignOn(call: OnboardingCall): Promise<Replayable<SignOnBegun | Rejected>> {
		return this.#run(call, unlessFrozen(once(beginSignOn)));
	}

	finishSignOn(call: SignOnReturn): Promise<Replayable<SignOnEnded | Rejected>> {
		return this.#run(call, unlessFrozen(once(finishSignOn)));
	}

	submitOnboarding(call: SubmitCall): Promise<Replayable<SubmitAnswer>> {
		return this.#run(call, unlessFrozen(once(submitOnboarding)));
	}

	claimOnboarding(call: OnboardingClaimCall): Promise<Replayable<OnboardingClaimAnswer>> {
		return this.#run(call, unlessFrozen(claimOnboarding));
	}

	/** Recovers a crashed run, and deletes expired records; does neither while its partner's database is frozen. */
	override async alarm(): Promise<void> {
		const { storage } = this.ctx;
		if (await this.#isFrozen()) return storage.setAlarm(clock() + FROZEN_ALARM_MS);
		const lease = readLease(storage);
		if (lease && isRunning(lease, clock())) return storage.setAlarm(lease.until);
		const settled = (!lease || (await this.#recover(lease))) && (await this.#mendBeforeForgetting());
		if (!settled) return storage.setAlarm(clock() + LEASE_MS);
		await this.#tidy();
	}

	/** Invalid settings freeze nothing, nor does a silent directory: what needs them fails by itself. */
	#isFrozen(): Promise<boolean> {
		const { storage } = this.ctx;
		const { partnerId } = readLease(storage) ?? findForgettable(storage, clock()) ?? {};
		return platformOf(this.env)
			.then(async (platform) => {
				const home = partnerId === undefined ? null : await homeOf(platform, partnerId);
				return home?.database.isFrozen ?? platform.settings.frozen;
			})
			.catch(() => false);
	}

	#recover(lease: Lease): Promise<boolean> {
		return tryOnAlarm(async () => {
			const call = { partnerId: lease.partnerId, requestId: `alarm-${lease.stepId}` };
			await recoverStep(await this.#context(call), lease);
		});
	}

	/** Keeps a certificate until a restored D1 has been told of it again. */
	async #mendBeforeForgetting(): Promise<boolean> {
		const due = findForgettable(this.ctx.storage, clock());
		if (!due) return true;
		const { partnerId, code, serial } = due;
		const actor = "job:recovery" as const;
		const call = { partnerId, code, actor, requestId: `alarm-${serial}`, idempotency: null };
		return tryOnAlarm(async () => {
			await mendForgotten(await this.#context(call));
		});
	}

	async #run<C extends Call, Answer>(
		call: C,
		useCase: (context: StepContext<C>) => Promise<Replayable<Answer | Rejected>>,
	): Promise<Replayable<Answer | Rejected>> {
		const timings: Timings = {};
		try {
			const context = await this.#context(call);
			const reply = await collectTimings(timings, () => useCase(context));
			return { ...reply, timings };
		} catch (error) {
			return { answer: unavailable(error, call.requestId), replayedIn: null, timings };
		}
	}

	/** Work after the answer. Its failure is only logged: a sweep or a retry makes up for it. */
	readonly #later = (work: Promise<unknown>): void => {
		this.ctx.waitUntil(
			work.catch((error: unknown) => log("error", "left_to_sweep", { ...describeError(error) })),
		);
	};

	/**
	 * Sets an alarm for the next stored answer, certificate or progress to delete; an object with nothing to remember leaves
	 * nothing. The alarm that every lease sets does this, so that no call waits for it.
	 */
	async #tidy(): Promise<void> {
		const { storage } = this.ctx;
		if (readLease(storage)) return;
		const now = clock();
		const next = [
			deleteExpiredAnswers(storage, now),
			forgetCertificates(storage, now),
			eraseOldProgress(storage, now),
		].filter((time) => time !== null);
		if (next.length > 0) await storage.setAlarm(Math.min(...next));
		else await storage.deleteAll();
	}

	async #context<C extends { partnerId: string }>(call: C) {
		const platform = await platformOf(this.env);
		const { db, database, number: partnerNumber } = await homeOf(platform, call.partnerId);
		const { isFrozen } = database;
		return {
			...{ call, platform, db, isFrozen, partnerNumber },
			...{ storage: this.ctx.storage, waitingKey: this.#waitingKey, later: this.#later },
		};
	}
}
