export interface Answer {
	status: number;
	/** Ordered as received. */
	headers: [name: string, value: string][];
	body: Buffer;
	/** Milliseconds from the call to the answer's last byte. */
	ms: number;
}

const HEAD_END = "\r\n\r\n";
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9][0-9]{2})(?: .*)?$/;
const BODILESS = [204, 304];

/** Puts one HTTP/1.1 answer together from what a socket gives (RFC 9112 §6). Interim answers (1xx) are passed over. */
export class AnswerReader {
	readonly #method: string;
	#held = Buffer.alloc(0);
	#head: Pick<Answer, "status" | "headers"> | null = null;
	#body: Buffer | null = null;

	constructor(method: string) {
		this.#method = method;
	}

	/** @param bytes - null when no more will come. */
	take(bytes: Buffer | null): "more" | "whole" | "garbled" {
		if (bytes) this.#held = Buffer.concat([this.#held, bytes]);
		while (!this.#head) {
			const end = this.#held.indexOf(HEAD_END);
			if (end < 0) return bytes === null && this.#held.length > 0 ? "garbled" : "more";
			const head = readHead(this.#held.subarray(0, end).toString("latin1"));
			if (!head) return "garbled";
			this.#held = this.#held.subarray(end + HEAD_END.length);
			if (head.status >= 200) this.#head = head;
		}
		return this.#readBody(bytes === null);
	}

	answer(): Omit<Answer, "ms"> {
		return { ...this.#head!, body: this.#body! };
	}

	get keepsAlive(): boolean {
		return this.#header("connection")?.toLowerCase() !== "close" && this.#held.length === 0;
	}

	#readBody(ended: boolean): "more" | "whole" | "garbled" {
		const length = this.#header("content-length");
		if (this.#method === "HEAD" || BODILESS.includes(this.#head!.status)) return this.#whole(0);
		// The server in front refuses a redirect whose address is too long for a head, and ends in the middle of the body.
		if (ended && this.#head!.status === 431) return this.#whole(0);
		if (this.#header("transfer-encoding")?.toLowerCase() === "chunked") return this.#readChunks(ended);
		if (length === undefined) return ended ? this.#whole(this.#held.length) : "more";
		if (!/^[0-9]+$/.test(length)) return "garbled";
		if (this.#held.length >= Number(length)) return this.#whole(Number(length));
		return ended ? "garbled" : "more";
	}

	#readChunks(ended: boolean): "more" | "whole" | "garbled" {
		const parts: Buffer[] = [];
		for (let at = 0; ; ) {
			const lineEnd = this.#held.indexOf("\r\n", at);
			if (lineEnd < 0) return ended ? "garbled" : "more";
			const size = Number.parseInt(this.#held.subarray(at, lineEnd).toString("latin1"), 16);
			if (Number.isNaN(size)) return "garbled";
			at = lineEnd + 2 + size + 2;
			if (this.#held.length < at) return ended ? "garbled" : "more";
			if (size > 0) parts.push(this.#held.subarray(lineEnd + 2, lineEnd + 2 + size));
			else {
				this.#body = Buffer.concat(parts);
				this.#held = this.#held.subarray(at);
				return "whole";
			}
		}
	}

	#whole(length: number): "whole" {
		this.#body = this.#held.subarray(0, length);
		this.#held = this.#held.subarray(length);
		return "whole";
	}

	#header(name: string): string | undefined {
		return this.#head?.headers.find(([known]) => known.toLowerCase() === name)?.[1];
	}
}

function readHead(text: string): Pick<Answer, "status" | "headers"> | null {
	const [first = "", ...lines] = text.split("\r\n");
	const status = STATUS_LINE.exec(first)?.[1];
	if (status === undefined) return null;
	const headers: Answer["headers"] = [];
	for (const line of lines) {
		const parts = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
		if (!parts) return null;
		headers.push([parts[1]!, parts[2]!]);
	}
	return { status: Number(status), headers };
}
