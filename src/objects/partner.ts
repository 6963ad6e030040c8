import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../bindings.ts";
import { clock } from "../clock.ts";
import { connect } from "../deadlines.ts";
import { admitEmission, giveBack } from "../domain/emission-window.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { Unavailable } from "../unavailable.ts";
import type { SubmitCall } from "./onboarding-rpc.ts";
import type { EmissionAnswer, HandedOn, PartnerCalls } from "./partner-rpc.ts";
import { type Call, type Rejected, type Replayable, type RequestCall, rejected } from "./rpc.ts";
import { type CodeObject, callCode } from "./stubs.ts";

const KEY = "emissions";

/**
 * Counts one partner's certificate_requests and the widget's submissions, exactly (§8), and passes them on to their
 * codes' objects: it is near them, and the caller, who may be far away, waits for one long trip.
 */
export class PartnerObject extends DurableObject<Bindings> implements PartnerCalls {
	/** Synchronous from reading to writing, so that two calls cannot both take the last place. */
	async admitEmission(request?: RequestCall, submission?: SubmitCall): Promise<EmissionAnswer> {
		const { kv } = this.ctx.storage;
		const now = clock();
		const { times, ...admission } = admitEmission(kv.get<number[]>(KEY) ?? [], now);
		if (!admission.admitted) return admission;
		kv.put(KEY, times);
		if (request) {
			const reply = await handOn(this.env, request, (object) => object.requestCertificate(request));
			return { ...admission, reply };
		}
		if (submission) {
			const submitted = await handOn(this.env, submission, (object) => object.submitOnboarding(submission));
			// A holder must not use up the partner's ten with what asks for nothing.
			if (submitted !== "bug" && "unasked" in submitted.answer && submitted.answer.unasked)
				kv.put(KEY, giveBack(kv.get<number[]>(KEY) ?? [], now));
			return { ...admission, submitted };
		}
		return admission;
	}
}

/** Never throws: the caller needs the admission's result too. */
async function handOn<Answer>(
	env: Bindings,
	call: Call,
	take: (object: CodeObject) => Promise<Replayable<Answer>>,
): Promise<HandedOn<Answer | Rejected>> {
	try {
		return await callCode(connect(env), call, take);
	} catch (error) {
		const unavailable = error instanceof Unavailable;
		const what = { request_id: call.requestId, ...describeError(error) };
		log("error", unavailable ? "unavailable" : "bug", what);
		return unavailable ? { answer: rejected({ reason: "service_unavailable" }), replayedIn: null } : "bug";
	}
}
