import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../bindings.ts";
import { clock } from "../clock.ts";
import { admitEmission } from "../domain/emission-window.ts";
import type { EmissionAdmission, PartnerCalls } from "./rpc.ts";

const KEY = "emissions";

/** Counts one partner's certificate_requests, exactly (§8). */
export class PartnerObject extends DurableObject<Bindings> implements PartnerCalls {
	/** Synchronous from reading to writing, so that two calls cannot both take the last place. */
	async admitEmission(): Promise<EmissionAdmission> {
		const { kv } = this.ctx.storage;
		const { times, ...admission } = admitEmission(kv.get<number[]>(KEY) ?? [], clock());
		if (admission.admitted) kv.put(KEY, times);
		return admission;
	}
}
