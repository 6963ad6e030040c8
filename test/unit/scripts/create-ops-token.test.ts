import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOpsTokens } from "../../../src/domain/operators.ts";

const SCRIPT = join(import.meta.dirname, "../../../scripts/create-ops-token.ts");
const run = (...args: string[]) => spawnSync(process.execPath, [SCRIPT, ...args], { encoding: "utf8" });

test("a new token is printed with the entry that stores its SHA-256 alone; no two are the same", () => {
	const [first, second] = [run("ana@example.cl"), run("ana@example.cl")];
	const [, token = ""] = /^ {2}(ops_[\w-]{43})$/m.exec(first.stdout) ?? [];
	const [, entry = ""] = /^ {2}(ana@example\.cl:.+)$/m.exec(first.stdout) ?? [];
	const digest = createHash("sha256").update(token).digest();
	expect(readOpsTokens(entry)).toEqual([{ name: "ana@example.cl", digest: new Uint8Array(digest) }]);
	expect(entry).not.toContain(token);
	expect(second.stdout).not.toContain(token);
});

test.each(["", "Ana", "ana:luis", "ana,luis", "-ana"])("a token for %j is refused", (name) => {
	const { status, stdout } = run(name);
	expect([status, stdout]).toEqual([2, ""]);
});
