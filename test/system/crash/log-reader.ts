import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import type { Note } from "./steps.ts";

const POLL_MS = 2;
const MARK = '{"proof":';

/**
 * Follows the file into which workerd itself writes its log: what it wrote before a kill is there after it, whoever
 * else was killed.
 */
export class LogReader {
	readonly #file: string;
	readonly #onNote: (note: Note) => void;
	readonly #timer: NodeJS.Timeout;
	readonly #buffer = Buffer.alloc(1 << 20);
	#descriptor: number | null = null;
	#position: number;
	#rest = "";

	/** Reads on from the end that the file has now. */
	constructor(file: string, onNote: (note: Note) => void) {
		this.#file = file;
		this.#onNote = onNote;
		this.#position = existsSync(file) ? statSync(file).size : 0;
		this.#timer = setInterval(() => this.#read(), POLL_MS);
	}

	close(): void {
		clearInterval(this.#timer);
		this.#read();
		if (this.#descriptor !== null) closeSync(this.#descriptor);
	}

	#read(): void {
		if (this.#descriptor === null) {
			if (!existsSync(this.#file)) return;
			this.#descriptor = openSync(this.#file, "r");
		}
		for (;;) {
			const size = readSync(this.#descriptor, this.#buffer, 0, this.#buffer.length, this.#position);
			if (size === 0) return;
			this.#position += size;
			const lines = (this.#rest + this.#buffer.toString("latin1", 0, size)).split("\n");
			this.#rest = lines.pop()!;
			for (const line of lines) this.#take(line);
		}
	}

	#take(line: string): void {
		const message = messageOf(line);
		if (message.startsWith(MARK)) this.#onNote(JSON.parse(message) as Note);
	}
}

/** workerd writes `{"timestamp":…,"level":…,"message":…}` a line. */
function messageOf(line: string): string {
	if (!line.startsWith("{")) return line;
	try {
		const { message } = JSON.parse(line) as { message?: unknown };
		return typeof message === "string" ? message : line;
	} catch {
		return line;
	}
}
