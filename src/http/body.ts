import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { JSON_PARTS_MAX } from "../domain/limits.ts";
import { malformedJson, tooManyParts } from "./api.ts";
import type { AppEnv } from "./app-env.ts";
import { hasMoreJsonParts } from "./count-json-parts.ts";
import { errorAnswer } from "./errors.ts";
import { readBody } from "./read-body.ts";

/** 413 for a body that declares more than the limit; nothing is read. @param maximum - bytes. */
export function refuseLarge(maximum: number) {
	return createMiddleware<AppEnv>(async (c, next) =>
		Number(c.req.header("content-length") ?? 0) > maximum ? tooLarge(c, maximum) : next(),
	);
}

/**
 * Reads the body: 413 for one that grows over the limit, 408 for one that does not come, 400 for one that breaks off.
 * @param maximum - bytes.
 */
export function takeBody(maximum: number) {
	return createMiddleware<AppEnv>(async (c, next) => {
		if (!c.req.raw.body) return next();
		const reading = await readBody(c.req.raw.body, maximum);
		switch (reading.kind) {
			case "too_large":
				return tooLarge(c, maximum);
			case "too_slow":
				return errorAnswer(c, "request_timeout");
			case "broken":
				return malformedJson(c);
			case "whole":
				c.req.raw = new Request(c.req.raw, { body: reading.bytes });
				return next();
		}
	});
}

function tooLarge(c: Context<AppEnv>, maximum: number) {
	return errorAnswer(c, "body_too_large", { values: { maximum } });
}

const JSON_TYPE = "application/json";

/** 415 unless the body says that it is JSON (§4); 400 for JSON of far more parts than any call has. */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
	const header = c.req.header("content-type") ?? "";
	if (header.split(";")[0]?.trim().toLowerCase() !== JSON_TYPE)
		return errorAnswer(c, "unsupported_media_type");
	if (header !== JSON_TYPE) c.req.raw = withPlainJsonType(c.req.raw);
	if (hasMoreJsonParts(await c.req.text(), JSON_PARTS_MAX)) return tooManyParts(c);
	return next();
});

/** Blanks and empty parameters are allowed (RFC 9110 §5.6.6); the router's own check of the media type throws at them. */
function withPlainJsonType(request: Request): Request {
	const headers = new Headers(request.headers);
	headers.set("content-type", JSON_TYPE);
	return new Request(request, { headers });
}
