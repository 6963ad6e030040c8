import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../bindings.ts";
import { clock } from "../clock.ts";
import { admitEmission } from "../domain/emission-window.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { Unavailable } from "../unavailable.ts";
import {
	type EmissionAnswer,
	type PartnerCalls,
	type Replayable,
	type RequestAnswer,
	type RequestCall,
	rejected,
} from "./rpc.ts";
import { callCode } from "./stubs.ts";

const KEY = "emissions";

/**
 * Counts one partner's certificate_requests, exactly (§8), and hands them on to their codes' objects: it is near them, and
 * the caller, who may be far away, waits for one long trip.
 */
export class PartnerObject extends DurableObject<Bindings> implements PartnerCalls {
	/** Synchronous from reading to writing, so that two calls cannot both take the last place. */
	async admitEmission(request?: RequestCall): Promise<EmissionAnswer> {
		const { kv } = this.ctx.storage;
		const { times, ...admission } = admitEmission(kv.get<number[]>(KEY) ?? [], clock());
		if (!admission.admitted) return admission;
		kv.put(KEY, times);
		return request ? { ...admission, reply: await handOn(this.env, request) } : admission;
	}
}

/** Never an exception: the caller is owed the admission too. */
async function handOn(
	{ PURCHASE_CODES: codes }: Bindings,
	request: RequestCall,
): Promise<Replayable<RequestAnswer> | "bug"> {
	try {
		return await callCode({ codes }, request, (object) => object.requestCertificate(request));
	} catch (error) {
		const unavailable = error instanceof Unavailable;
		const what = { request_id: request.requestId, ...describeError(error) };
		log("error", unavailable ? "unavailable" : "bug", what);
		return unavailable ? { answer: rejected({ reason: "service_unavailable" }), replayedIn: null } : "bug";
	}
}
