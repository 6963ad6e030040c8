import { abortAllDurableObjects } from "cloudflare:test";
import { afterAll, afterEach, vi } from "vitest";
import { endAllWork } from "./whose-work.ts";

/* Tests share a workerd: a clock, a spy or a call that one leaves behind must not reach the next. */
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});
afterAll(() => endAllWork(abortAllDurableObjects));
