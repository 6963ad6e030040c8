import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { forgetHome } from "../directory.ts";
import { ConfigError } from "../settings/config-error.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { isMoving, Unavailable } from "../unavailable.ts";
import { refuseBody } from "./api.ts";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./errors.ts";
import { rejectionAnswer } from "./rejections.ts";

/** 405 with Allow for every path that is mounted, with any method that is not. Call it after the routes. */
export function refuseOtherMethods(app: OpenAPIHono<AppEnv>): void {
	const methods = new Map<string, Set<string>>();
	for (const { path, method } of app.routes) {
		if (method === "ALL" || path.includes("*")) continue;
		const known = methods.get(path) ?? new Set();
		known.add(method);
		if (method === "GET") known.add("HEAD");
		methods.set(path, known);
	}
	for (const [path, known] of methods) {
		const allow = [...known].sort().join(", ");
		app.all(path, (c) => {
			c.header("Allow", allow);
			return errorAnswer(c, "method_not_allowed", { values: { methods: allow } });
		});
	}
}

/** The one place where an exception becomes an answer: a failed upstream is 503, anything else is a bug. */
export function onError(error: Error, c: Context<AppEnv>): Response {
	if (error instanceof HTTPException && error.status === 400) return refuseBody(c, "json");
	const request_id = c.get("requestId");
	if (error instanceof Unavailable || error instanceof ConfigError) {
		const owner = c.get("owner");
		if (owner && isMoving(error)) forgetHome(owner.partnerId);
		log("error", "unavailable", { request_id, ...describeError(error) });
		return rejectionAnswer(c, error instanceof Unavailable ? error : { reason: "service_unavailable" });
	}
	log("error", "bug", { request_id, ...describeError(error) });
	return errorAnswer(c, "internal_error");
}
