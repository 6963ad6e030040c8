import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./app-env.ts";
import { validationHook } from "./validation.ts";

/** A router whose routes validate by their schemas and describe themselves. */
export function createApi(): OpenAPIHono<AppEnv> {
	return new OpenAPIHono<AppEnv>({ defaultHook: validationHook });
}
