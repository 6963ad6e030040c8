import { abortAllDurableObjects } from "cloudflare:test";
import { afterAll, vi } from "vitest";
import { endAllWork } from "./whose-work.ts";

/* Files share a workerd: a clock, a spy or a call that one leaves behind must not reach the next. */
afterAll(async () => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	await endAllWork(abortAllDurableObjects);
});
