import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openWithOpenssl } from "../interop/pfx-openers.ts";
import { testsAtNight } from "../interop/tool-test.ts";
import { freePort } from "../support/free-port.ts";
import { isLongRun } from "../support/run-size.ts";

/* `npm start` as users and programs run it, in a copy of the project with databases of its own. */

const root = join(import.meta.dirname, "..", "..");
const COPIED = `.dev.vars .env client docs migrations package-lock.json package.json public scripts signer src
	wrangler.toml`.split(/\s+/);
const HOLDER = { dni: "11111111-1", email: "juana@example.cl", serialNumber: "111111111", pin: "4821" };

let folder: string;
let started: ChildProcess;
let output: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "start-"));
	for (const name of COPIED)
		await cp(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true });
	await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});
afterEach(() => {
	killIfThere(-started.pid!);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Kills a process or, by a negative number, a group; it may have ended before. */
function killIfThere(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
	}
}

/** Starts in a process group of its own, as a service manager or a test harness does. */
function npmStart(port: number, args: string[] = [], more: Record<string, string> = {}): void {
	output = "";
	const env = { ...process.env, PORT: String(port), ...more };
	started = spawn("npm", ["start", ...args], {
		cwd: folder,
		env,
		detached: true,
		stdio: ["ignore", "pipe", "pipe"],
	});
	for (const stream of [started.stdout, started.stderr]) stream?.on("data", (chunk) => (output += chunk));
}

async function untilPrinted(text: string): Promise<void> {
	await vi.waitUntil(() => output.includes(text) || started.exitCode !== null, {
		timeout: 100_000,
		interval: 50,
	});
	expect(output).toContain(text);
}

/** The process and all its descendants that run and whose command has `words`; zombies do not run. */
function processesOf(pid: number, words = ""): number[] {
	const all = execFileSync("ps", ["-ewwo", "pid=,ppid=,stat=,args="], { encoding: "utf8" })
		.split("\n")
		.map((line) => line.trim().split(/\s+/))
		.filter(([, , state]) => state && !state.startsWith("Z"))
		.map(([id, parent, , ...args]) => ({ id: Number(id), parent: Number(parent), args: args.join(" ") }));
	const found = all.filter(({ id }) => id === pid).map(({ id }) => id);
	for (const parent of found) found.push(...all.filter((one) => one.parent === parent).map(({ id }) => id));
	return found.filter((id) => all.some((one) => one.id === id && one.args.includes(words)));
}

/** Whether any process of this group runs. */
function hasGroup(pgid: number): boolean {
	const all = execFileSync("ps", ["-eo", "pgid=,stat="], { encoding: "utf8" }).split("\n");
	return all.some((line) => new RegExp(`^ *${pgid} +[^Z]`).test(line));
}

async function close(server: Server): Promise<void> {
	server.close();
	await once(server, "close");
}

async function call(path: string, body?: object, authorization: Record<string, string> = {}) {
	const headers = {
		"x-gw": /demo key +(\S+)/.exec(output)![1]!,
		"content-type": "application/json",
		...authorization,
	};
	const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
	const response = await fetch(/http:\/\/localhost:\d+/.exec(output)![0] + path, init);
	// biome-ignore lint/suspicious/noExplicitAny: answers of several calls
	return (await response.json()) as any;
}

/** Sells a code, requests and claims its certificate. @returns its DER as text */
async function claimOne(): Promise<string> {
	const { data } = await call("/api/partner/v1/pcode/bulk", { productCode: "FV01", quantity: 1 });
	const [pCode] = data.pcodes;
	const { dni, pin } = HOLDER;
	await call("/api/partners/v1/certificate_request", { pCode, referenceId: "r", ...HOLDER });
	const claimed = await call("/api/partners/v1/certificate_claim", { p_code: pCode, dni, pin });
	const { leafPem } = openWithOpenssl(Buffer.from(claimed.data.certificate, "base64"), pin);
	return new X509Certificate(leafPem).raw.toString("latin1");
}

/** Sends the signal to npm, or to its whole group (-1), and expects npm's exit code and the end of every process. */
async function expectEndedBy(signal: NodeJS.Signals, sign: 1 | -1, code: number | null): Promise<void> {
	const before = processesOf(started.pid!);
	expect(before.length).toBeGreaterThan(3);
	process.kill(sign * started.pid!, signal);
	await vi.waitUntil(() => before.every((pid) => processesOf(pid).length === 0), { interval: 250 });
	await vi.waitUntil(() => started.exitCode !== null || started.signalCode !== null);
	expect(started.exitCode).toBe(code);
}

test("PORT: the service listens there, and its addresses in the reference, the CRL and OCSP follow; SIGTERM ends it all", async () => {
	const port = await freePort();
	const url = `http://localhost:${port}`;
	npmStart(port);
	await untilPrinted("Stop with Ctrl-C");
	expect(output).toContain(`${url}/docs/`);
	expect((await call("/openapi.json")).servers).toEqual([{ url }]);
	const text = await claimOne();
	const keyId = /\/pki\/([0-9a-f]{40})\/crl/.exec(text)?.[1];
	for (const path of [`/pki/${keyId}/crl`, `/pki/${keyId}/ocsp`, `/pki/${keyId}/cer`, "/cps/"])
		expect(text).toContain(url + path);
	await expectEndedBy("SIGTERM", 1, 0);
});

testsAtNight("softhsm2-util")(
	"--signer: a certificate is claimed, signed by the token's key, and the Worker's settings have no issuing key; SIGINT ends it all",
	async () => {
		const [port, signer] = [await freePort(), await freePort()];
		npmStart(port, ["--", "--signer"], { SIGNER_PORT: String(signer) });
		await untilPrinted("Stop with Ctrl-C");
		const text = await claimOne();
		const health = await (await fetch(`http://127.0.0.1:${signer}/v1/health`)).json();
		expect(health).toMatchObject({ status: "ok", entries: expect.any(Number), refused: {} });
		const { key_id, entries } = health as { key_id: string; entries: number };
		expect(text).toContain(`/pki/${key_id}/crl`);
		expect(entries).toBeGreaterThan(0);
		const settings = await readFile(join(folder, ".local/signer/worker.env"), "utf8");
		expect(settings.match(/^(ISSUING|OCSP)_KEY=.*/gm)).toEqual(['ISSUING_KEY=""', 'OCSP_KEY=""']);
		const authorization = `Bearer ${parseEnv(settings).OPS_TOKEN}`;
		const { data } = await call("/ops/v1/authority", undefined, { authorization });
		expect(data).toMatchObject({ issuing_key: "signer", signer: { state: "ok" } });
		expect((await call("/readyz")).data.signer).toMatchObject({ state: "ok", refused: {} });
		await expectEndedBy("SIGINT", 1, 0);
	},
	180_000,
);

test("SIGTERM before the service answers ends everything too", async () => {
	npmStart(await freePort());
	await untilPrinted("node --env-file");
	await vi.waitUntil(() => processesOf(started.pid!, "cli.js dev --port").length > 0);
	process.kill(started.pid!, "SIGTERM");
	await vi.waitUntil(() => !hasGroup(started.pid!));
	expect(output).not.toContain("Stop with Ctrl-C");
});

const ENDS = [
	["SIGKILL to npm, which can pass nothing on", "SIGKILL", 1, null],
	["SIGTERM to the whole process group", "SIGTERM", -1, 0],
] as const;
test.skipIf(!isLongRun).for(ENDS)(
	"%s ends everything that npm start started",
	async ([, signal, sign, code]) => {
		npmStart(await freePort());
		await untilPrinted("Stop with Ctrl-C");
		await expectEndedBy(signal, sign, code);
	},
);

test("a port in use: exit code 1 and one line that says so", async () => {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as { port: number };
	npmStart(port);
	const [code] = await once(started, "close");
	await close(server);
	expect(code).toBe(1);
	const said = output.slice(output.indexOf("scripts/start.ts") + "scripts/start.ts".length).trim();
	expect(said).toBe(
		`Port ${port} is in use. Stop what listens there, or choose another: PORT=${port + 1} npm start`,
	);
});
