import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { byTurns } from "../support/run-size.ts";

/* `npm run deploy` as far as it goes without an account. */

const root = join(import.meta.dirname, "..", "..");

function deploy(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
	return new Promise((resolve) => {
		execFile("node", ["scripts/deploy.ts", ...args], { cwd: root }, (error, stdout, stderr) =>
			resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
		);
	});
}

test.for(byTurns(["prod", "dev"], 2))(
	"--dry-run goes all the way for %s, and sends nothing",
	async (environment) => {
		const tried = await deploy(environment, "--dry-run", "--skip-tests");
		expect(tried.stdout).toContain(`${environment}: nothing was sent.`);
		expect(tried.code).toBe(0);
	},
);

test("sample values are refused without --dry-run, and so is an unknown environment", async () => {
	const refused = await deploy("prod", "--skip-tests");
	expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("sample")]);
	expect((await deploy("staging")).code).toBe(1);
});
