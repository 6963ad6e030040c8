import { BODY_PAUSE_MS, BODY_TIME_MS } from "../domain/limits.ts";

export type BodyReading =
	| { kind: "whole"; bytes: Uint8Array<ArrayBuffer> }
	| { kind: "too_large" | "too_slow" | "broken" };

/**
 * Reads a body into memory, which grows with what has arrived and not with what was declared. A body that breaks off,
 * or is framed wrongly, is broken; one without progress for 15 s, or not whole after 60 s, is too slow.
 *
 * @param maximum - bytes
 */
export async function readBody(body: ReadableStream<Uint8Array>, maximum: number): Promise<BodyReading> {
	const reader = body.getReader();
	const { promise: late, resolve: expire } = Promise.withResolvers<"late">();
	const whole = setTimeout(() => expire("late"), BODY_TIME_MS);
	let pause = setTimeout(() => expire("late"), BODY_PAUSE_MS);
	const stop = (kind: "too_large" | "too_slow"): BodyReading => {
		reader.cancel().catch(() => undefined);
		return { kind };
	};
	let bytes = new Uint8Array(0);
	let size = 0;
	try {
		for (;;) {
			const read = await Promise.race([reader.read(), late]);
			if (read === "late") return stop("too_slow");
			if (read.done) return { kind: "whole", bytes: bytes.subarray(0, size) };
			const chunk = read.value;
			if (chunk.length === 0) continue;
			clearTimeout(pause);
			pause = setTimeout(() => expire("late"), BODY_PAUSE_MS);
			const grown = size + chunk.length;
			if (grown > maximum) return stop("too_large");
			if (grown > bytes.length) {
				const room = Math.min(maximum, Math.max(grown, 2 * bytes.length));
				bytes = new Uint8Array(bytes.buffer.transfer(room));
			}
			bytes.set(chunk, size);
			size = grown;
		}
	} catch {
		return { kind: "broken" };
	} finally {
		clearTimeout(whole);
		clearTimeout(pause);
	}
}
