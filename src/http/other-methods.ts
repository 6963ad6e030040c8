import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./error-body.ts";

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
			const message = { en: `Use ${allow}.`, es: `Use ${allow}.` };
			return errorAnswer(c, { error: "METHOD_NOT_ALLOWED", message: message[c.get("language")] });
		});
	}
}
