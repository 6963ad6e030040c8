import { beforeAll, expect, test } from "vitest";
import { bundleWorker } from "../../../bench/bundle-worker.ts";
import { newestRelease } from "../../../scripts/newest-release.ts";
import { count, isLongRun, runSize } from "../../support/run-size.ts";
import { buildService, ENTRY } from "../crash/build.ts";
import { type Kill, planKills } from "../crash/kill-plan.ts";
import { killThroughout } from "../crash/kill-throughout.ts";
import { bundleVersion, hasPackages, type Slip } from "./version.ts";

/*
 * Production while shares are out: the newest release's Worker calls this one's objects, and the reverse. They take
 * turns at each restart, so that each version reads what the other one stored. A run is a kill.
 */

const TIMEOUT_MS = 300_000;
/** Kills in one state. */
const PER_STATE = 20;
const { runs, seed, ref = newestRelease() } = runSize({ runs: PER_STATE, seed: 1 });

let present: string;

beforeAll(async () => {
	if (isLongRun) present = await bundleWorker({ entry: ENTRY });
}, TIMEOUT_MS);

/** Kills a service of two versions. @returns what was found broken */
async function killBoth(other: string, plan: Kill[][]) {
	const scripts = [
		{ worker: present, objects: other },
		{ worker: other, objects: present },
	];
	const build = await buildService({ scripts });
	try {
		return await killThroughout(build, seed, plan);
	} finally {
		await build.remove();
	}
}

test.skipIf(!isLongRun)(
	"architecture: the newest release and this version call each other and read what the other one stored",
	async ({ task, skip }) => {
		if (ref === null) return skip("no release is tagged v* yet: nothing to run beside");
		count(task, { release: ref, "packages are the release's": String(hasPackages(ref)) });
		const plan = planKills(seed, { kills: runs, perState: PER_STATE, realWaits: 0 });
		const { figures, violations } = await killBoth(await bundleVersion(ref), plan);
		count(task, figures);
		expect(violations).toEqual([]);
	},
	TIMEOUT_MS + runs * 20_000,
);

/** Killed twice after its second signature, under clients that mostly request. */
const KILL: Kill = {
	...{ step: "after-signing", nth: 2, manner: "held", during: "load", afterMs: 0 },
	...{ towards: "b2b", recoveredBy: "alarm" },
};
const SLIP: Slip = {
	file: "src/objects/lease.ts",
	text: 'const KEY = "lease";',
	replacement: 'const KEY = "step";',
};

test.skipIf(!isLongRun)(
	"architecture: a version that keeps its lease under another name is found out",
	async () => {
		const { violations } = await killBoth(await bundleVersion(ref ?? "HEAD", SLIP), [[KILL, KILL]]);
		expect(violations.join("\n")).toMatch(/ was signed and is not entered/);
	},
	TIMEOUT_MS,
);
