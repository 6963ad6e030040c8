import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { giveUp } from "../../../src/deadlines.ts";
import { cronCaller } from "../../../src/jobs/job.ts";
import { runJob } from "../../../src/jobs/run.ts";
import { watchAuthority } from "../../../src/jobs/watch-authority.ts";
import { platformOf } from "../../../src/platform.ts";
import { replaceTimers, until } from "../../support/clock.ts";
import { activeCode } from "../../support/codes.ts";
import { freshService, JUANA } from "../../support/service.ts";
import { frame, session, submit, typedSession } from "../../support/widget.ts";

beforeAll(freshService);

/** Runs `act`. @returns the deadlines that it set, in milliseconds, once the timers of all have been cleared. */
async function deadlinesOf(act: () => Promise<unknown>): Promise<number[]> {
	return [...new Set(await everyDeadlineOf(act))].sort((a, b) => a - b);
}

async function everyDeadlineOf(act: () => Promise<unknown>): Promise<number[]> {
	const clearTimer = globalThis.clearTimeout;
	const running = new Set<unknown>();
	const set: number[] = [];
	const timers = replaceTimers((setTimer) => (run, milliseconds, ...values) => {
		const timer = setTimer(run, milliseconds, ...values);
		if (run !== giveUp) return timer;
		running.add(timer);
		set.push(milliseconds);
		return timer;
	});
	const cleared = vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
		running.delete(timer);
		clearTimer(timer as number);
	});
	await act();
	await until(() => running.size === 0);
	timers.mockRestore();
	cleared.mockRestore();
	return set;
}

test("an operation has 5 s, a step in its object 65 s, and a job's operation 30 s; no timer is left after the answer", async () => {
	const { partner, pCode } = await activeCode();
	expect({
		status: await deadlinesOf(() => partner.status(pCode)),
		malformed: await deadlinesOf(() => partner.request({ pCode })),
		request: await deadlinesOf(() => partner.request({ pCode, ...JUANA })),
		claim: await deadlinesOf(() => partner.claim(pCode, { dni: JUANA.dni, pin: JUANA.pin })),
	}).toEqual({ status: [5_000], malformed: [5_000], request: [5_000, 65_000], claim: [5_000, 65_000] });
	const made = await session();
	expect(await deadlinesOf(() => frame(made, "GET"))).toEqual([5_000]);
	expect(await deadlinesOf(() => frame(made, "POST", "/open"))).toEqual([5_000, 65_000]);
	const platform = await platformOf(env);
	const job = cronCaller(platform, watchAuthority, platform.clock());
	expect(await deadlinesOf(() => runJob(job, watchAuthority))).toEqual([30_000]);
});

test("a step that the partner's object hands on has 65 s at both hops: a request's and a submission's alike", async () => {
	const { partner, pCode } = await activeCode();
	const made = await typedSession();
	const steps = async (act: () => Promise<unknown>) =>
		(await everyDeadlineOf(act)).filter((milliseconds) => milliseconds === 65_000).length;
	expect(await steps(() => partner.request({ pCode, ...JUANA }))).toBe(2);
	expect(await steps(() => submit(made))).toBe(2);
});
