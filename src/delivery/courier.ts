import type { Bindings } from "../config.ts";
import { type Db, openDb } from "../db/query.ts";
import type { Platform } from "../platform.ts";
import type { Sealer } from "../secrets/sealing.ts";
import type { OutboundPolicy } from "./outbound-url.ts";

/** All that travels through the queue: the row in the outbox is the truth. */
export interface DeliveryMessage {
	/** Of the outbox row. */
	id: string;
}

/** What deliveries are made with. */
export interface Courier {
	db: Db;
	sealer: Sealer;
	outbound: OutboundPolicy;
	email: Pick<SendEmail, "send">;
	emailFrom: string;
	/** Undefined where it is not bound. */
	metrics: AnalyticsEngineDataset | undefined;
	queue: Pick<Queue<DeliveryMessage>, "sendBatch">;
	/** Epoch milliseconds. */
	clock: () => number;
}

export function createCourier(
	env: Pick<Bindings, "DB" | "DELIVERIES" | "EMAIL">,
	{ sealer, settings, metrics }: Pick<Platform, "sealer" | "settings" | "metrics">,
): Courier {
	return {
		db: openDb(env.DB),
		sealer,
		outbound: settings.outbound,
		email: env.EMAIL,
		emailFrom: settings.emailFrom,
		metrics,
		queue: env.DELIVERIES,
		clock: Date.now,
	};
}
