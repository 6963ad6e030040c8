import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTarget, type Target } from "./start-target.ts";

/* Connections over real sockets, against workerd as it is: what it reads and keeps of a body, and for how long. */

const MIB = 1024 * 1024;
const REQUEST = "/api/partners/v1/certificate_request";

let target: Target;

beforeAll(async () => {
	target = await startTarget();
});
afterAll(() => target.stop());

/** Creates a new partner, whose key no isolate has seen. */
async function newKey(): Promise<string> {
	const headers = { authorization: `Bearer ${target.opsToken}`, "content-type": "application/json" };
	const body = JSON.stringify({ name: "Connections" });
	const url = `http://${target.host}:${target.port}/ops/v1/partners`;
	const answer = await fetch(url, { method: "POST", headers, body });
	return ((await answer.json()) as { data: { api_key: string } }).data.api_key;
}

interface Answered {
	/** Null where the connection was closed before an answer arrived, as it may be on a caller that goes on sending. */
	status: number | null;
	ms: number;
}

/** Sends the head of a certificate_request and then `body`, and leaves the connection open. */
function openCall(headers: string[], body: Uint8Array) {
	const started = performance.now();
	const socket = connect(target.port, target.host);
	const { promise: answer, resolve } = Promise.withResolvers<Answered>();
	const settle = (status: number | null) => resolve({ status, ms: performance.now() - started });
	socket.on("error", () => settle(null));
	socket.on("close", () => settle(null));
	socket.on("data", (bytes) => settle(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString("latin1"))?.[1])));
	const head = [
		`POST ${REQUEST} HTTP/1.1`,
		"Host: service.test",
		"Content-Type: application/json",
		...headers,
	];
	socket.write(`${head.join("\r\n")}\r\n\r\n`);
	socket.write(body);
	return { answer, end: () => socket.destroy() };
}

/** Resident memory of this process's workerd, bytes. */
function workerdMemory(): number {
	const processes = execFileSync("ps", ["-eo", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n");
	const pids = processes
		.map((line) => line.trim().split(/\s+/))
		.filter(([, parent, name]) => Number(parent) === process.pid && name === "workerd")
		.map(([pid]) => pid);
	if (pids.length === 0) throw new Error("no workerd runs under this process");
	const kilobytes = pids.map(
		(pid) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1],
	);
	return 1024 * kilobytes.reduce((sum, resident) => sum + Number(resident), 0);
}

/** Twelve bodies of 11 MiB, each but for its last byte. @returns by how many bytes workerd grew, at its most. */
async function holdTwelveBodies(
	headers: string[],
): Promise<{ growth: number; answers: (Answered | "open")[] }> {
	const before = workerdMemory();
	const length = `Content-Length: ${11 * MIB}`;
	const body = Buffer.alloc(11 * MIB - 1, 0x20);
	const calls = Array.from({ length: 12 }, () => openCall([length, ...headers], body));
	let peak = before;
	for (let i = 0; i < 20; i++) {
		peak = Math.max(peak, workerdMemory());
		await pause(200);
	}
	const answers = await Promise.all(
		calls.map(({ answer }) => Promise.race([answer, pause(10, "open" as const)])),
	);
	for (const { end } of calls) end();
	return { growth: peak - before, answers };
}

test.concurrent("twelve bodies of 11 MiB without a key are refused unread and take no memory; with a key they are read", {
	tags: ["order-key-before-body"],
}, async () => {
	const strangers = await holdTwelveBodies([]);
	const statuses = strangers.answers.map((answer) => answer !== "open" && answer.status);
	expect(statuses.every((status) => status === 401 || status === null)).toBe(true);
	expect(statuses).toContain(401);
	expect(strangers.growth).toBeLessThan(32 * MIB);
	const known = await holdTwelveBodies([`x-gw: ${await newKey()}`]);
	expect(known.answers).toEqual(Array(12).fill("open"));
	expect(known.growth).toBeGreaterThan(64 * MIB);
});

test.concurrent("a body that stops is cut off after 15 s", { tags: ["body-timeout"] }, async () => {
	const { answer } = openCall(["Content-Length: 100", `x-gw: ${await newKey()}`], Buffer.from("{"));
	const { status, ms } = await answer;
	expect(status).toBe(408);
	expect(ms).toBeGreaterThan(14_000);
	expect(ms).toBeLessThan(25_000);
});

test("a hundred first calls with one key at once are all let in, though the first caller hangs up", async () => {
	const headers = { "x-gw": await newKey(), "cf-connecting-ip": "203.0.113.1" };
	const hangUp = new AbortController();
	const send = (signal: AbortSignal | null) =>
		fetch(`http://${target.host}:${target.port}/api/partner/v1/pcodes`, { headers, signal });
	const first = send(hangUp.signal).catch(() => null);
	const others = Array.from({ length: 100 }, () => send(null));
	hangUp.abort();
	await first;
	const statuses = await Promise.all(others.map(async (answer) => (await answer).status));
	expect(new Set(statuses)).toEqual(new Set([200]));
});
