import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { passTime, startClock, stopClock } from "../../support/clock.ts";
import { spyOnEmail } from "../../support/receiver.ts";
import { emptyBucket, freshService } from "../../support/service.ts";
import { type Apply, apply } from "./document/apply.ts";
import type { Sequence } from "./sequences/commands.ts";
import { play } from "./sequences/play.ts";
import { ServiceAndModel, type Tally } from "./service/compare-with-service.ts";
import { freeze } from "./service/send.ts";

/** Emptying costs as much as twenty calls. A sequence has no partner and no code in common with another. */
const SEQUENCES_PER_SERVICE = 10;
const service = { sequences: 0 };

/**
 * Runs a sequence from the present on, and holds every answer, and after it the statuses of the codes, against the
 * model.
 * @throws {Disagreement}
 */
export async function runSequence(sequence: Sequence, tally: Tally, model: Apply = apply): Promise<void> {
	startClock();
	if (service.sequences++ % SEQUENCES_PER_SERVICE === 0) await freshService();
	await forgetLaterTimes();
	stopClock();
	muteLog();
	holdDeliveries();
	liftLimits();
	const both = new ServiceAndModel(model, tally);
	try {
		await play(both, { now: Date.now, pass: passTime }, sequence);
	} catch (disagreement) {
		// What it leaves behind may be in the midst of a restore.
		service.sequences = 0;
		throw disagreement;
	} finally {
		freeze(false);
		await both.releaseHeld();
		startClock();
	}
}

/** The approximate rate of submissions is one of real time. */
function liftLimits(): void {
	vi.spyOn(Object.getPrototypeOf(env.SUBMIT_RATE), "limit").mockResolvedValue({ success: true });
}

/**
 * Sequences of one service begin at the same time, and the one before may have lived for years: a day that it digested would
 * be over, and a CRL that it published would leave out certificates that ended before.
 */
async function forgetLaterTimes(): Promise<void> {
	await Promise.all([env.AUDIT, env.PKI].map(emptyBucket));
}

/** A line per call is most of what a sequence would cost. */
function muteLog(): void {
	for (const level of ["log", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
}

/** The queue hands nothing on, and every e-mail arrives: what is delivered is no part of the model. */
function holdDeliveries(): void {
	vi.spyOn(Object.getPrototypeOf(env.DELIVERIES), "sendBatch").mockResolvedValue(undefined);
	spyOnEmail();
}
