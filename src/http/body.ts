import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./error-body.ts";
import { malformedJson } from "./validation.ts";

/** 413 for a body over the limit, declared or streamed; 400 for one that breaks off. @param maxSize - octets. */
export function limitBody(maxSize: number) {
	const limit = bodyLimit({
		maxSize,
		onError: (c) => {
			const language = (c as { get(key: "language"): "en" | "es" }).get("language");
			const message = {
				en: `Send a body of at most ${maxSize} octets.`,
				es: `Envíe un cuerpo de a lo más ${maxSize} octetos.`,
			};
			return errorAnswer(c, { error: "PAYLOAD_TOO_LARGE", message: message[language] });
		},
	});
	return refuseBroken(limit, malformedJson);
}

/** Lets a middleware read the body. That it breaks off, or is framed wrongly, is the caller's doing and no bug. */
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
	const message = {
		en: "Send the body as JSON, with Content-Type: application/json.",
		es: "Envíe el cuerpo como JSON, con Content-Type: application/json.",
	};
	return errorAnswer(c, { error: "UNSUPPORTED_MEDIA_TYPE", message: message[c.get("language")] });
});

/** Blanks and empty parameters are allowed (RFC 9110 §5.6.6); the router's own check of the media type throws at them. */
function withPlainJsonType(request: Request): Request {
	const headers = new Headers(request.headers);
	headers.set("content-type", JSON_TYPE);
	return new Request(request, { headers });
}
