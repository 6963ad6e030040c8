import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { BODY_PAUSE_MS, BODY_TIME_MS, JSON_PARTS_MAX } from "../domain/limits.ts";
import { type BodyReading, readBody } from "../read-body.ts";
import { refuseBody } from "./api.ts";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./errors.ts";

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
		const reading = await readInTime(c.req.raw.body, maximum);
		switch (reading.kind) {
			case "too_large":
				return tooLarge(c, maximum);
			case "stopped":
				return errorAnswer(c, "request_timeout");
			case "broken":
				return refuseBody(c, "json");
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

/** Names of UTF-8 and of its part US-ASCII; none declared is UTF-8 (RFC 8259 §8.1). */
const CHARSETS: readonly string[] = ["utf-8", "utf8", "us-ascii", "ascii", ""];

/**
 * 415 unless the body says that it is JSON (§4), in UTF-8; 400 for bytes that are not UTF-8, and for JSON of far more
 * parts than any call has. Decoded as it comes, a name in Latin-1 would be another name.
 */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
	const header = c.req.header("content-type") ?? "";
	const [type, ...parameters] = header.toLowerCase().split(";");
	if (type!.trim() !== JSON_TYPE || !parameters.every(isUtf8))
		return errorAnswer(c, "unsupported_media_type");
	if (header !== JSON_TYPE) c.req.raw = withPlainJsonType(c.req.raw);
	const text = readUtf8(await c.req.arrayBuffer());
	if (text === null) return refuseBody(c, "encoding", "INVALID_ENCODING");
	if (hasMoreJsonParts(text, JSON_PARTS_MAX)) return refuseBody(c, "parts");
	return next();
});

/** @param parameter - of a media type, in lower case. */
function isUtf8(parameter: string): boolean {
	const [name, value = ""] = parameter.split("=");
	return name!.trim() !== "charset" || CHARSETS.includes(value.replaceAll('"', "").trim());
}

function readUtf8(bytes: ArrayBuffer): string | null {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
	} catch {
		return null;
	}
}

/** Blanks and empty parameters are allowed (RFC 9110 §5.6.6); the router's own check of the media type throws at them. */
function withPlainJsonType(request: Request): Request {
	const headers = new Headers(request.headers);
	headers.set("content-type", JSON_TYPE);
	return new Request(request, { headers });
}

/**
 * Reads a caller's body: one without progress for 15 s, or not whole after 60 s, is stopped.
 * @param maximum - bytes
 */
export async function readInTime(body: ReadableStream<Uint8Array>, maximum: number): Promise<BodyReading> {
	const { promise: stop, resolve: expire } = Promise.withResolvers<void>();
	const whole = setTimeout(expire, BODY_TIME_MS);
	let pause = setTimeout(expire, BODY_PAUSE_MS);
	const onProgress = () => {
		clearTimeout(pause);
		pause = setTimeout(expire, BODY_PAUSE_MS);
	};
	try {
		return await readBody(body, maximum, { stop, onProgress });
	} finally {
		clearTimeout(whole);
		clearTimeout(pause);
	}
}

/**
 * Whether a JSON text has more than `maximum` objects, arrays and members or elements after the first, at any depth.
 * Parsing takes time in proportion to them, counting a fraction of it. Text that is no JSON may be counted wrong.
 */
function hasMoreJsonParts(text: string, maximum: number): boolean {
	let parts = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '"') at = endOfString(text, at);
		else if (character === "," || character === "{" || character === "[") parts++;
		if (parts > maximum) return true;
	}
	return false;
}

/** Finds the end of the string that begins at `start`: the next quote behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text[end - 1 - backslashes] === "\\") backslashes++;
		if (backslashes % 2 === 0) return end;
	}
	return text.length;
}
