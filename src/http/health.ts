import { Hono } from "hono";
import { ConfigError } from "../config.ts";
import { ping } from "../db/partners.ts";
import { platformOf } from "../platform.ts";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./error-body.ts";

/** `/healthz`: the Worker runs. `/readyz`: its settings are sound and D1 answers; which version it is. */
export const health = new Hono<AppEnv>()
	.get("/healthz", (c) => c.json({ success: true, data: { status: "alive" } }))
	.get("/readyz", async (c) => {
		try {
			const { db } = await platformOf(c.env);
			await ping(db);
		} catch (error) {
			const message =
				error instanceof ConfigError ? `${error.setting} is not set as it must be` : "D1 does not answer";
			return errorAnswer(c, { error: "SERVICE_UNAVAILABLE", message });
		}
		return c.json({ success: true, data: { status: "ready", version: c.env.VERSION?.id } });
	});
