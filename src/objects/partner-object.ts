import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../config.ts";
import { admitEmission } from "../domain/emission-window.ts";

export interface EmissionAdmission {
	admitted: boolean;
	remaining: number;
	/** Until one more is admitted than now. */
	resetMs: number;
}

const KEY = "emissions";

/** Counts one partner's certificate_requests, exactly (§8). */
export class PartnerObject extends DurableObject<Bindings> {
	/** Synchronous from reading to writing, so that two calls cannot both take the last place. */
	async admitEmission(): Promise<EmissionAdmission> {
		const { kv } = this.ctx.storage;
		const { times, ...admission } = admitEmission(kv.get<number[]>(KEY) ?? [], Date.now());
		if (admission.admitted) kv.put(KEY, times);
		return admission;
	}
}
