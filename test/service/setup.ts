import { afterAll, vi } from "vitest";

/* Files share a workerd: a clock or a spy that one leaves behind must not reach the next. */
afterAll(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});
