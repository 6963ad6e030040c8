import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { malformedJson } from "./api.ts";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./errors.ts";

/** 413 for a body over the limit, declared or streamed; 400 for one that breaks off. @param maxSize - bytes. */
export function limitBody(maxSize: number) {
	const limit = bodyLimit({
		maxSize,
		onError: (c) => errorAnswer(c as Context<AppEnv>, "body_too_large", { values: { maximum: maxSize } }),
	});
	return refuseBroken(limit, malformedJson);
}

/** Runs a middleware that reads the body. A body that breaks off, or is framed wrongly, is refused: it is no bug. */
export function refuseBroken(read: MiddlewareHandler, refuse: (c: Context<AppEnv>) => Response) {
	return createMiddleware<AppEnv>(async (c, next) => {
		let isRead = false;
		const onwards = () => {
			isRead = true;
			return next();
		};
		try {
			return await read(c, onwards);
		} catch (error) {
			if (isRead) throw error;
			return refuse(c);
		}
	});
}

const JSON_TYPE = "application/json";

/** 415 unless the body says that it is JSON (§4). */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
	const header = c.req.header("content-type") ?? "";
	if (header.split(";")[0]?.trim().toLowerCase() === JSON_TYPE) {
		if (header !== JSON_TYPE) c.req.raw = withPlainJsonType(c.req.raw);
		return next();
	}
	return errorAnswer(c, "unsupported_media_type");
});

/** Blanks and empty parameters are allowed (RFC 9110 §5.6.6); the router's own check of the media type throws at them. */
function withPlainJsonType(request: Request): Request {
	const headers = new Headers(request.headers);
	headers.set("content-type", JSON_TYPE);
	return new Request(request, { headers });
}
