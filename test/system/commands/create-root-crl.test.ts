import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TemporaryFolder } from "../../support/temporary-folder.ts";

const SCRIPTS = join(import.meta.dirname, "../../../scripts");
const folder = new TemporaryFolder();
const path = (name: string) => folder.path(name);
const run = (script: string, ...args: string[]) =>
	spawnSync(process.execPath, [join(SCRIPTS, script), ...args], { encoding: "utf8" });
const rootCrl = (...args: string[]) => run("create-root-crl.ts", "--root", path("First"), ...args);

beforeAll(() => {
	for (const name of ["First", "Other"]) {
		const { status, stderr } = run(
			"create-authority.ts",
			...["--name", `TEST ${name}`, "--key", "p-384", "--pki-url", "http://pki.example.cl/pki"],
			...["--out", path(name)],
		);
		expect([status, stderr]).toEqual([0, ""]);
	}
});
afterAll(() => folder[Symbol.dispose]());

test.each([
	["another root's issuing authority", "Other/issuing.pem", "that this root signed: not C=CL, O=TEST Other"],
	["another root", "Other/root.pem", "that this root signed: not C=CL, O=TEST Other"],
	["the root itself", "First/root.pem", "this is the root"],
])("the root's CRL takes no entry for %s, and stays as it was", (_, file, message) => {
	const before = readFileSync(path("First/root.crl"));
	const { status, stdout, stderr } = rootCrl("--revoke", path(file));
	expect([status, stdout]).toEqual([1, ""]);
	expect(stderr).toContain(message);
	expect(readFileSync(path("First/root.crl"))).toEqual(before);
});

test("stderr names the revoked certificate, its serial, the CRL's number, and an earlier listing", () => {
	const what = /CN=TEST First.*, serial [0-9a-f]{16,}\nCRL number/i;
	const outcomes = [
		rootCrl("--revoke", path("First/issuing.pem")),
		rootCrl(),
		rootCrl("--revoke", path("First/issuing.pem")),
	];
	for (const { status, stdout } of outcomes) {
		expect(status).toBe(0);
		expect(stdout).toMatch(/^ROOT_CRL=[\w+/=]+\n$/);
	}
	const [first, renewed, again] = outcomes.map(({ stderr }) => stderr) as [string, string, string];
	expect(first).toMatch(/^revoked: /);
	expect(first).toMatch(what);
	expect(first).toContain("CRL number 2, until ");
	expect(renewed).toMatch(/^CRL number 3, until /);
	expect(again).toMatch(/^already listed: /);
	expect(again).toMatch(what);
	expect(again).toContain("CRL number 4, until ");
});
