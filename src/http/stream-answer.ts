import type { Context } from "hono";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import type { AppEnv } from "./app-env.ts";

/**
 * An answer that is made while it is sent, a part in memory at a time. When the db fails on the way the answer breaks
 * off, so that nobody takes a part for the whole.
 */
export function streamAnswer(
	c: Context<AppEnv>,
	headers: Record<string, string>,
	parts: AsyncGenerator<string, void>,
): Response {
	const encoder = new TextEncoder();
	const requestId = c.get("requestId");
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const { value, done } = await parts.next();
					if (done) return controller.close();
					controller.enqueue(encoder.encode(value));
				} catch (error) {
					log("error", "file_broken", { request_id: requestId, ...describeError(error) });
					// The platform logs this text unchanged: the error itself may quote a value.
					controller.error(new Error("a file broke off; see file_broken"));
				}
			},
			cancel: async () => void (await parts.return()),
		},
		{ highWaterMark: 0 },
	);
	return c.body(body, 200, headers);
}
