export type BodyReading =
	| { kind: "whole"; bytes: Uint8Array<ArrayBuffer> }
	| { kind: "too_large" | "stopped" | "broken" };

interface Watch {
	/** Settles when the body is waited for no longer. */
	stop?: Promise<unknown>;
	/** Called when bytes have arrived. */
	onProgress?: () => void;
}

/**
 * Reads a body into memory, which grows with the bytes received, not with the declared length. A body not read to its
 * end is cancelled, as its connection stays open. One that breaks off, or is framed wrongly, is broken.
 * @param maximum - bytes
 */
export async function readBody(
	body: ReadableStream<Uint8Array>,
	maximum: number,
	{ stop, onProgress }: Watch = {},
): Promise<BodyReading> {
	const reader = body.getReader();
	const stopped = stop?.then(() => "stopped" as const);
	const leave = (kind: "too_large" | "stopped"): BodyReading => {
		reader.cancel().catch(() => undefined);
		return { kind };
	};
	let bytes = new Uint8Array(0);
	let size = 0;
	try {
		for (;;) {
			const read = await (stopped ? Promise.race([reader.read(), stopped]) : reader.read());
			if (read === "stopped") return leave("stopped");
			if (read.done) return { kind: "whole", bytes: bytes.subarray(0, size) };
			const chunk = read.value;
			if (chunk.length === 0) continue;
			onProgress?.();
			const grown = size + chunk.length;
			if (grown > maximum) return leave("too_large");
			if (grown > bytes.length) {
				const room = Math.min(maximum, Math.max(grown, 2 * bytes.length));
				bytes = new Uint8Array(bytes.buffer.transfer(room));
			}
			bytes.set(chunk, size);
			size = grown;
		}
	} catch {
		return { kind: "broken" };
	}
}
