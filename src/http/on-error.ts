import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { ConfigError } from "../config.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { Unavailable } from "../unavailable.ts";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./error-body.ts";
import { rejectionAnswer } from "./rejections.ts";
import { malformedJson } from "./validation.ts";

/** The one place where an exception becomes an answer: a failed upstream is 503, anything else is a bug. */
export function onError(error: Error, c: Context<AppEnv>): Response {
	if (error instanceof HTTPException && error.status === 400) return malformedJson(c);
	const request_id = c.get("requestId");
	if (error instanceof Unavailable || error instanceof ConfigError) {
		log("error", "unavailable", { request_id, ...describeError(error) });
		return rejectionAnswer(c, { reason: "service_unavailable" });
	}
	log("error", "bug", { request_id, ...describeError(error) });
	const message = { en: "An internal error occurred.", es: "Ocurrió un error interno." };
	return errorAnswer(c, { error: "INTERNAL_ERROR", message: message[c.get("language") ?? "en"] });
}
