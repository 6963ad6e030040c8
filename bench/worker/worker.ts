import type { Bindings } from "../../src/bindings.ts";
import service, { PurchaseCodeObject as CodeObject, PartnerObject as PartnerCounter } from "../../src/dev.ts";
import type { DeliveryMessage } from "../../src/platform.ts";
import { type BareCall, type BareCounter, type BareObject, runBareAt, runInObject } from "./bare-calls.ts";
import { answerBase, switches } from "./base-routes.ts";
import { distance, placeFar } from "./distance.ts";
import { placeSigner } from "./keys-and-signer.ts";
import { watchStorage } from "./waits.ts";

/* The service under measurement and, under /bench, its reference values: same process, same isolate. */

// biome-ignore lint/performance/noBarrelFile: workerd looks for entrypoints among the exports of the main module.
export { CivilRegistrySandbox, SingleSignOnSandbox } from "../../src/dev.ts";

/** Lets every call through: Miniflare simulates the binding by calls to two more Workers, the platform counts in place. */
const NO_LIMIT: RateLimit = { limit: async () => ({ success: true }) };

let unlimited: Bindings | undefined;

export class PurchaseCodeObject extends CodeObject implements BareObject {
	constructor(state: DurableObjectState, env: Bindings) {
		super(state, env);
		if (switches.watching) watchStorage(state.storage);
		void placeSigner(env);
	}

	runBare(call: string, bare: BareCall): Promise<number> {
		return runInObject(this.ctx, this.env, call, bare);
	}

	ringAlarm(): Promise<void> {
		return this.alarm();
	}
}

export class PartnerObject extends PartnerCounter implements BareCounter {
	/** Restarts a full window while the limit is lifted, so that every admission has its usual cost. */
	override async admitEmission(...calls: Parameters<PartnerCounter["admitEmission"]>) {
		const answer = await super.admitEmission(...calls);
		if (answer.admitted || !switches.emissionsLifted) return answer;
		this.ctx.storage.kv.delete("emissions");
		return super.admitEmission(...calls);
	}

	async countBare(call: string, bare: BareCall): Promise<number> {
		const { kv } = this.ctx.storage;
		const times = kv.get<number[]>("bare") ?? [];
		kv.put("bare", [...times.slice(-9), Date.now()]);
		return runBareAt(this.env, call, bare);
	}
}

export default {
	async fetch(request, env, context) {
		const url = new URL(request.url);
		if (!url.pathname.startsWith("/bench/")) {
			unlimited ??= { ...env, BULK_RATE: NO_LIMIT, CALL_RATE: NO_LIMIT };
			const simulated = request.headers.get("x-bench-rate-limit") === "simulated";
			const near = simulated ? env : unlimited;
			return service.fetch(request, distance.ms > 0 ? placeFar(near) : near, context);
		}
		try {
			return await answerBase(url, request, env, (work) => context.waitUntil(work));
		} catch (error) {
			return new Response(error instanceof Error ? error.stack : String(error), { status: 500 });
		}
	},
	async queue(batch, env) {
		if (!switches.deliveriesHeld) await service.queue(batch, env);
	},
} satisfies ExportedHandler<Bindings, DeliveryMessage>;
