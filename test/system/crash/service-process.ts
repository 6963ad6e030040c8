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

type Question = "arm" | "clock" | "cron" | "leases" | "move" | "pictures" | "progress" | "ring" | "select";

const READY_WITHIN_MS = 60_000;
const POLL_MS = 10;
/** The socket that leads to the service, past Miniflare's router. */
const DIRECT_SOCKET = /^direct:([0-9]+)/;

/** The service is dead: what was asked of it has no answer. */
export class ServiceDied extends Error {}

/** One life of the service: workerd as a process of its own, on the state that the lives before it left. */
export class ServiceProcess {
	readonly #child: ChildProcess;
	readonly #file: string;
	readonly #log: LogReader;
	/** Addresses of the Worker that answers, and of the one that has the objects where that is another. */
	#urls: string[] = [];
	readonly #workers: number;

	/**
	 * @param fixture - its folder.
	 * @param onNote - called at once with what the Worker notes.
	 */
	constructor(build: Build, fixture: string, settings: ProofSettings, onNote: (note: Note) => void) {
		this.#workers = build.workers;
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
	 * Waits until `/healthz` answers 200.
	 * @throws {ServiceDied}
	 */
	async ready(): Promise<void> {
		const ports = await findPorts(this.#child.stdio[3] as Readable, this.#workers);
		if (ports === null) throw new ServiceDied(`it opened no socket: ${await this.#lastWords()}`);
		this.#urls = ports.map((port) => `http://127.0.0.1:${port}`);
		const deadline = performance.now() + READY_WITHIN_MS;
		while (performance.now() < deadline && this.#lives) {
			const answer = await fetch(`${this.url}/healthz`).catch(() => null);
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

	/** Asks the proof's own routes; each Worker has a clock and may be armed. @throws {ServiceDied} */
	async ask<T>(what: Question, body: object): Promise<T> {
		const asked = what === "clock" || what === "arm" ? this.#urls : [this.url];
		const init = { method: "POST", body: JSON.stringify(body) };
		const [response] = await Promise.all(asked.map((url) => this.fetch(`/proof/${what}`, init, url)));
		if (response!.status !== 200) throw new Error(`/proof/${what}: ${response!.status} ${response!.text}`);
		return JSON.parse(response!.text) as T;
	}

	/** A whole answer. @throws {ServiceDied} */
	async fetch(
		path: string,
		init: RequestInit,
		url = this.url,
	): Promise<{ status: number; headers: Headers; text: string }> {
		try {
			const response = await fetch(`${url}${path}`, init);
			return { status: response.status, headers: response.headers, text: await response.text() };
		} catch {
			throw new ServiceDied(path);
		}
	}

	/** A public file, which must be there. */
	async fetchBytes(path: string): Promise<Uint8Array> {
		const response = await fetch(`${this.url}${path}`);
		if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
		return new Uint8Array(await response.arrayBuffer());
	}

	/** Where programs reach it. */
	get url(): string {
		return this.#urls[0] ?? "";
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

/** workerd names each socket, a line of JSON. @returns those of the Workers in their order; null when it ended before. */
async function findPorts(control: Readable, workers: number): Promise<number[] | null> {
	const ports: number[] = [];
	for await (const line of createInterface({ input: control })) {
		const { event, socket, port } = JSON.parse(line) as { event: string; socket: string; port: number };
		const [, worker] = event === "listen" ? (DIRECT_SOCKET.exec(socket) ?? []) : [];
		if (worker !== undefined) ports[Number(worker)] = port;
		if (Object.keys(ports).length === workers) return ports;
	}
	return null;
}
