import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { median } from "simple-statistics";
import { freePort } from "../../test/support/free-port.ts";
import { bundleWorker } from "../bundle-worker.ts";
import { cpuOf } from "../machine.ts";
import { compare, interleave, type Part } from "../measure.ts";

/** Gzipped, what the free plan takes. */
const SIZE_LIMIT_KIB = 3 * 1024;
/** CPU time of global scope, every plan. */
const START_UP_LIMIT_MS = 1_000;
const EMPTY = `export default { fetch: () => new Response("alive") };`;
const DEADLINE_MS = 10_000;

interface Start {
	/** Time from the process's start to its first answer. */
	wall: number;
	/** CPU time of the process until then; NaN where /proc has none. */
	cpu: number;
}

/** The bundle of prod and its start in `workerd serve`, less that of an empty Worker. */
export const measureBundle: Part = async ({ quick }) => {
	const plain = await bundleWorker({ environment: "prod" });
	const minified = await bundleWorker({ environment: "prod", minify: true });
	const size = (name: string, code: string) =>
		compare({
			name: `${name} / 3 MiB of the free plan`,
			unit: "KiB",
			ours: gzipSync(code, { level: 9 }).length / 1024,
			base: SIZE_LIMIT_KIB,
			aim: { atMost: 1 },
		});
	const starts: Record<"plain" | "minified" | "empty", Start[]> = { plain: [], minified: [], empty: [] };
	const start = (kind: keyof typeof starts, code: string) => async () => {
		const sample = await timeStart(code);
		starts[kind].push(sample);
		return sample.wall;
	};
	const contenders = [start("plain", plain), start("minified", minified), start("empty", EMPTY)];
	await interleave(quick ? 5 : 15, contenders);
	const of = (kind: keyof typeof starts, what: keyof Start) => median(starts[kind].map((s) => s[what]));
	const limit = (name: string, ours: number) =>
		compare({ name, unit: "ms", ours, base: START_UP_LIMIT_MS, aim: { atMost: 1 } });
	return {
		measures: [
			size("bundle, gzip", plain),
			size("bundle --minify, gzip", minified),
			limit("start-up CPU / 1 s allowed", of("plain", "cpu") - of("empty", "cpu")),
			limit("start-up CPU --minify / 1 s allowed", of("minified", "cpu") - of("empty", "cpu")),
			compare({
				name: "start to first /healthz / empty Worker",
				unit: "ms",
				ours: of("plain", "wall"),
				base: of("empty", "wall"),
			}),
		],
	};
};

async function timeStart(code: string): Promise<Start> {
	const folder = await mkdtemp(join(tmpdir(), "bench-start-"));
	try {
		const port = await freePort();
		await writeFile(join(folder, "worker.mjs"), code);
		await writeFile(join(folder, "config.capnp"), configuration(port));
		const started = performance.now();
		const child = spawn("workerd", ["serve", join(folder, "config.capnp")], { stdio: "ignore" });
		try {
			while (!(await answers(port))) {
				if (performance.now() - started > DEADLINE_MS) throw new Error("workerd serve did not answer");
				await new Promise((resolve) => setTimeout(resolve, 2));
			}
			const wall = performance.now() - started;
			return { wall, cpu: await cpuOf(child.pid!) };
		} finally {
			child.kill();
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function answers(port: number): Promise<boolean> {
	return fetch(`http://127.0.0.1:${port}/healthz`).then(
		({ ok }) => ok,
		() => false,
	);
}

function configuration(port: number): string {
	return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
	services = [ (name = "main", worker = .worker) ],
	sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ]
);
const worker :Workerd.Worker = (
	modules = [ (name = "worker.mjs", esModule = embed "worker.mjs") ],
	compatibilityDate = "2026-08-01",
	compatibilityFlags = ["nodejs_compat", "global_fetch_strictly_public"]
);
`;
}
