import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("the exploration of our readers finds a planted fault, and none of ours", () => {
	const { status, stdout } = spawnSync(
		"node",
		["test/system/run.ts", "parsers", "--seconds", "0.3", "--seed", "1"],
		{
			encoding: "utf8",
		},
	);
	expect([status, stdout]).toEqual([0, expect.stringContaining("violations: 0")]);
}, 120_000);
