import { env } from "cloudflare:workers";
import type { Bindings } from "../../../src/bindings.ts";
import service, { PurchaseCodeObject as CodeObject, PartnerObject as Counter } from "../../../src/dev.ts";
import { type Lease, readLease } from "../../../src/objects/lease.ts";
import { type DeliveryMessage, platformOf } from "../../../src/platform.ts";
import { breakCall } from "./break-service.ts";
import { answerHost } from "./inspect.ts";
import { movePartners } from "./move-partners.ts";
import { passOrHold } from "./pause.ts";
import { readSettings } from "./settings.ts";
import { wrapEnv, wrapFetch } from "./wrap-bindings.ts";
import { wrapBucket, wrapRegister, wrapSigning, wrapStorage } from "./wrap-platform.ts";

/* The service that is killed: that of local and dev, on a platform that can make it die at a named step. */

// biome-ignore lint/performance/noBarrelFile: workerd looks for entrypoints among the exports of the main module.
export { CivilRegistrySandbox, SingleSignOnSandbox } from "../../../src/dev.ts";

const { DB, EVIDENCE, PROOF_SETTINGS } = env as unknown as Bindings & { PROOF_SETTINGS: string };
const settings = readSettings(PROOF_SETTINGS);
const LEASE_MS = 60_000;
const EARLY_MS = 700;
const PROGRESS = "onboarding:";

const machineNow = Date.now;
let offset = settings.clockOffset;
Date.now = () => (settings.clockAt ?? machineNow()) + offset;

wrapRegister(DB);
wrapBucket(EVIDENCE);
wrapSigning();
wrapFetch(settings.hostPort);

/** An alarm is due when the service's clock says so; one that is early finds its lease running and sets itself again. */
function alarmAt(time: number): number {
	const wait = time - Date.now();
	const isOfLease = wait <= LEASE_MS;
	return machineNow() + (settings.earlyAlarms && isOfLease ? Math.min(wait, EARLY_MS) : wait);
}

export class PartnerObject extends Counter {
	constructor(state: DurableObjectState, env: Bindings) {
		wrapStorage(state.storage, alarmAt);
		super(state, env);
	}
}

export class PurchaseCodeObject extends CodeObject {
	constructor(state: DurableObjectState, env: Bindings) {
		wrapStorage(state.storage, alarmAt);
		super(state, wrapEnv(env));
	}

	/** Runs the alarm for the host: the platform's clock is not moved with the service's, so its alarm is not due. */
	ring(): Promise<void> {
		return this.alarm();
	}

	/** Shows the host the lease that a crash left. */
	async lease(): Promise<Lease | null> {
		return readLease(this.ctx.storage);
	}

	/** Shows the host the sessions of the widget whose answers are kept. */
	async progress(): Promise<{ session: string; until: number }[]> {
		const kept = this.ctx.storage.kv.list<{ until: number }>({ prefix: PROGRESS });
		return [...kept].map(([key, { until }]) => ({ session: key.slice(PROGRESS.length), until }));
	}
}

export default {
	async fetch(request, env, context) {
		const { pathname } = new URL(request.url);
		if (pathname.startsWith("/proof/"))
			return answerHost(request, env, {
				moveClock: (by) => {
					offset += by;
				},
				move: async (order) => movePartners(await platformOf(wrapEnv(env)), order),
				runCron: () => service.scheduled({ cron: "* * * * *" } as ScheduledController, wrapEnv(env)),
			});
		const response = await breakCall(request, async (sent) => service.fetch(sent, wrapEnv(env), context));
		if (request.method === "POST") await passOrHold("before-answer");
		return response;
	},
	queue: (batch, env) => service.queue(batch, wrapEnv(env)),
} satisfies ExportedHandler<Bindings, DeliveryMessage>;
