import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Build } from "./build.ts";
import { LogReader } from "./log-reader.ts";
import type { ProofSettings } from "./settings.ts";
import type { Note } from "./steps.ts";

type Question = "arm" | "clock" | "cron" | "leases" | "pictures" | "progress" | "ring" | "select";

const READY_WITHIN_MS = 60_000;
const POLL_MS = 10;
/** The socket that leads to the service, past Miniflare's router. */
const DIRECT_SOCKET = /^direct/;

/** The service is dead: what was asked of it has no answer. */
export class ServiceDied extends Error {}

/** One life of the service: workerd as a process of its own, on the state that the lives before it left. */
export class ServiceProcess {
	readonly #child: ChildProcess;
	readonly #file: string;
	readonly #log: LogReader;
	#url = "";

	/**
	 * @param fixture - its folder.
	 * @param onNote - called at once with what the Worker notes.
	 */
	constructor(build: Build, fixture: string, settings: ProofSettings, onNote: (note: Note) => void) {
		this.#file = join(fixture, "log");
		this.#log = new LogReader(this.#file, onNote);
		const output = openSync(this.#file, "a");
		this.#child = spawn(build.workerd, build.arguments(settings), {
			stdio: ["pipe", output, output, "pipe"],
			env: { ...process.env, TZ: "UTC" },
		});
		closeSync(output);
		const end = () => void this.#child.kill("SIGKILL");
		process.once("exit", end);
		this.#child.once("exit", () => process.off("exit", end));
		this.#child.stdin!.on("error", () => undefined).end(build.configure(fixture, settings));
	}

	/**
	 * Waits until `/healthz` answers 200. @returns milliseconds since the process was started.
	 * @throws {ServiceDied}
	 */
	async ready(): Promise<void> {
		const port = await findPort(this.#child.stdio[3] as Readable);
		if (port === null) throw new ServiceDied(`it opened no socket: ${await this.#lastWords()}`);
		this.#url = `http://127.0.0.1:${port}`;
		const deadline = performance.now() + READY_WITHIN_MS;
		while (performance.now() < deadline && this.#lives) {
			const answer = await fetch(`${this.#url}/healthz`).catch(() => null);
			if (answer?.ok) return;
			await new Promise((resolve) => setTimeout(resolve, POLL_MS));
		}
		throw new ServiceDied("not ready");
	}

	/** SIGKILL, at once. @returns when nothing of it is left and all that it wrote is read. */
	async kill(): Promise<void> {
		const gone = this.#lives ? once(this.#child, "exit") : null;
		this.#child.kill("SIGKILL");
		await gone;
		this.#log.close();
	}

	/** Asks the proof's own routes. @throws {ServiceDied} */
	async ask<T>(what: Question, body: object): Promise<T> {
		const response = await this.fetch(`/proof/${what}`, { method: "POST", body: JSON.stringify(body) });
		if (response.status !== 200) throw new Error(`/proof/${what}: ${response.status} ${response.text}`);
		return JSON.parse(response.text) as T;
	}

	/** A whole answer. @throws {ServiceDied} */
	async fetch(path: string, init: RequestInit): Promise<{ status: number; headers: Headers; text: string }> {
		try {
			const response = await fetch(`${this.#url}${path}`, init);
			return { status: response.status, headers: response.headers, text: await response.text() };
		} catch {
			throw new ServiceDied(path);
		}
	}

	/** A public file, which must be there. */
	async fetchBytes(path: string): Promise<Uint8Array> {
		const response = await fetch(`${this.#url}${path}`);
		if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
		return new Uint8Array(await response.arrayBuffer());
	}

	/** Where programs reach it. */
	get url(): string {
		return this.#url;
	}

	/** Exit status, and the end of its log. */
	async #lastWords(): Promise<string> {
		if (this.#lives) await once(this.#child, "exit");
		const { exitCode, signalCode } = this.#child;
		return `${signalCode ?? exitCode} ${(await readFile(this.#file, "utf8")).slice(-1_000)}`;
	}

	get #lives(): boolean {
		return this.#child.exitCode === null && this.#child.signalCode === null;
	}
}

/** workerd names each socket, a line of JSON. @returns null when it ended before. */
async function findPort(control: Readable): Promise<number | null> {
	for await (const line of createInterface({ input: control })) {
		const { event, socket, port } = JSON.parse(line) as { event: string; socket: string; port: number };
		if (event === "listen" && DIRECT_SOCKET.test(socket)) return port;
	}
	return null;
}
