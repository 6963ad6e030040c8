import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import { runSigner, startSigner } from "../../../scripts/local-signer.ts";
import { type LocalSigner, prepareSigner } from "../../../scripts/prepare-signer.ts";
import { freePort } from "../../support/free-port.ts";

/** Rows of D1 as `verify --export` takes them (docs/operators/signer.md). */
const EXPORT = `SELECT serial, issued_at IS NOT NULL AS handed_out, signer_entry, signer_head FROM certificates`;

const SHIFTED_CLOCK = pathToFileURL(join(import.meta.dirname, "shifted-clock.ts")).href;
const DEAD_MS = 300;
const ALIVE_MS = 900;

interface Select {
	ask<T>(what: "select", body: { sql: string }): Promise<T>;
}

/** The signer as a process with its keys in SoftHSM, on one register, whoever dies. */
export class KilledSigner {
	readonly folder: string;
	readonly #signer: LocalSigner;
	/** Dies with the service at a kill, or the service lives on. */
	diesWith: "service" | "nobody" = "service";
	#child: ChildProcess | null = null;

	private constructor(folder: string, signer: LocalSigner) {
		this.folder = folder;
		this.#signer = signer;
	}

	static async prepare(): Promise<KilledSigner> {
		const folder = await mkdtemp(join(tmpdir(), "signer-"));
		const place = { folder: join(folder, "signer"), port: await freePort(), worker: 8787 };
		const signer = await prepareSigner(place);
		Object.assign(signer.env, {
			NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`,
			NODE_NO_WARNINGS: "1",
			SIGNER_CLOCK: join(folder, "clock"),
			SIGNER_PORT: new URL(signer.url).port,
		});
		return new KilledSigner(folder, signer);
	}

	/** The Worker's secrets that go with it. */
	async secrets(): Promise<Record<string, string>> {
		return parseEnv(await readFile(this.#signer.workerSettings, "utf8")) as Record<string, string>;
	}

	get url(): string {
		return this.#signer.url;
	}

	get pid(): number {
		return this.#child!.pid!;
	}

	/** Sets its clock, and starts it where it does not run. */
	async start(clockOffset = 0): Promise<void> {
		await writeFile(join(this.folder, "clock"), String(clockOffset));
		const isAlive = this.#child && this.#child.exitCode === null && this.#child.signalCode === null;
		if (!isAlive) this.#child = await startSigner(this.#signer, { output: "ignore" });
	}

	async kill(): Promise<void> {
		const child = this.#child;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const gone = once(child, "exit");
		child.kill("SIGKILL");
		await gone;
	}

	/** Copies register and token as the runbook has it, while it runs. @returns the copy's folder */
	async backUp(): Promise<string> {
		const copy = await mkdtemp(join(this.folder, "backup-"));
		await this.#run("backup", "--to", join(copy, "register.db"));
		await cp(join(this.folder, "signer", "tokens"), join(copy, "tokens"), { recursive: true });
		return copy;
	}

	/** Loses its disk; a standby starts from a copy of register and token. */
	async replaceBy(copy: string): Promise<void> {
		await this.kill();
		for (const [lost, kept] of [
			["register", "register.db"],
			["tokens", "tokens"],
		] as const) {
			const place = join(this.folder, "signer", lost);
			await rm(place, { recursive: true });
			const restored = lost === "register" ? join(place, kept) : place;
			await cp(join(copy, kept), restored, { recursive: true });
		}
		await this.start();
	}

	/** Tries to start a second one on the same register. @returns its exit code and what it says */
	startSecond(): Promise<{ code: number; text: string }> {
		return this.#run("serve");
	}

	/** Dies under calls, comes back under calls, and lets some through. */
	async dieAndComeBack(): Promise<void> {
		await this.kill();
		await wait(DEAD_MS);
		this.#child = await startSigner(this.#signer, { output: "ignore" });
		await wait(ALIVE_MS);
	}

	/** Compares log, register and D1. @returns what does not agree */
	async verify(service: Select): Promise<string[]> {
		const file = join(this.folder, "export.json");
		await writeFile(file, JSON.stringify(await service.ask("select", { sql: EXPORT })));
		const { code, text } = await this.#run("verify", "--export", file);
		return code === 0 ? [] : text.split("\n").map((line) => `signer: ${line}`);
	}

	async #run(...command: string[]): Promise<{ code: number; text: string }> {
		const child = runSigner(this.#signer, command, "pipe");
		const chunks: Buffer[] = [];
		for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => chunks.push(chunk));
		const [code] = await once(child, "close");
		return { code: code as number, text: Buffer.concat(chunks).toString().trim() };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.kill();
		await rm(this.folder, { recursive: true, force: true });
	}
}
