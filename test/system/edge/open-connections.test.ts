import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTarget, type Target } from "../../support/start-target.ts";

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
	const answer = await fetch(`${target.url}/ops/v1/partners`, { method: "POST", headers, body });
	return ((await answer.json()) as { data: { api_key: string } }).data.api_key;
}

interface Answered {
	/** Null where the connection was closed before an answer arrived, as it may be on a caller that goes on sending. */
	status: number | null;
	ms: number;
}

/** Sends the head of a call and then `body`, and leaves the connection open. */
function openCall(headers: string[], body: Uint8Array, start = `POST ${REQUEST}`) {
	const started = performance.now();
	const socket = connect(target.port, target.host);
	const { promise: answer, resolve } = Promise.withResolvers<Answered>();
	const settle = (status: number | null) => resolve({ status, ms: performance.now() - started });
	socket.on("error", () => settle(null));
	socket.on("close", () => settle(null));
	socket.on("data", (bytes) => settle(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString("latin1"))?.[1])));
	const head = [`${start} HTTP/1.1`, "Host: service.test", "Content-Type: application/json", ...headers];
	socket.write(`${head.join("\r\n")}\r\n\r\n`);
	const sent = new Promise((written) => socket.write(body, written));
	return { answer, sent, end: () => socket.destroy() };
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

interface Held {
	/** Number of bytes by which workerd grew, at its most. */
	growth: number;
	answers: Answered[];
}

/** Sends twelve bodies of 11 MiB, each but for its last byte, and holds them until `isOver`. */
async function holdTwelveBodies(headers: string[], isOver: (held: Held) => boolean): Promise<Held> {
	const before = workerdMemory();
	const length = `Content-Length: ${11 * MIB}`;
	const body = Buffer.alloc(11 * MIB - 1, 0x20);
	const calls = Array.from({ length: 12 }, () => openCall([length, ...headers], body));
	const held: Held = { growth: 0, answers: [] };
	for (const { answer } of calls) void answer.then((answered) => held.answers.push(answered));
	const look = () => {
		held.growth = Math.max(held.growth, workerdMemory() - before);
		return isOver(held);
	};
	await vi.waitUntil(look);
	// What was answered early may still be read.
	for (let i = 0; i < 20; i++) await pause(50).then(look);
	for (const { end } of calls) end();
	return held;
}

test.concurrent("twelve bodies of 11 MiB without a key are refused unread and take no memory; with a key they are read", {
	tags: ["order-key-before-body"],
}, async () => {
	const strangers = await holdTwelveBodies([], ({ answers }) => answers.length === 12);
	const statuses = strangers.answers.map(({ status }) => status);
	expect(statuses.every((status) => status === 401 || status === null)).toBe(true);
	expect(statuses).toContain(401);
	expect(strangers.growth).toBeLessThan(32 * MIB);
	const known = await holdTwelveBodies([`x-gw: ${await newKey()}`], ({ growth }) => growth > 64 * MIB);
	expect(known.answers).toEqual([]);
});

test.concurrent("a body that stops is cut off after 15 s", { tags: ["body-timeout"] }, async () => {
	const { answer } = openCall(["Content-Length: 100", `x-gw: ${await newKey()}`], Buffer.from("{"));
	const { status, ms } = await answer;
	expect(status).toBe(408);
	expect(ms).toBeGreaterThan(14_000);
});

test("a hundred first calls with one key at once are all let in, though the first caller hangs up", async () => {
	const headers = [`x-gw: ${await newKey()}`, "cf-connecting-ip: 203.0.113.1"];
	const calls = Array.from({ length: 101 }, () =>
		openCall(headers, new Uint8Array(), "GET /api/partner/v1/pcodes"),
	);
	await Promise.all(calls.map(({ sent }) => sent));
	const [first, ...others] = calls;
	first!.end();
	const statuses = await Promise.all(others.map(async ({ answer }) => (await answer).status));
	for (const { end } of others) end();
	expect(new Set(statuses)).toEqual(new Set([200]));
});
