import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { digestFiles } from "../../../scripts/digest-files.ts";

test("a file that is changed or added changes the digest: npm start applies migrations, and the guide is built", async () => {
	const folder = mkdtempSync(join(tmpdir(), "digest-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const found = new Set<string>();
	for (const [name, text] of [
		["0001.sql", "CREATE"],
		["0001.sql", "CREATE TABLE"],
		["0002.sql", "CREATE TABLE"],
	] as const) {
		writeFileSync(join(folder, name), text);
		found.add(await digestFiles(folder, ["*.sql"]));
	}
	writeFileSync(join(folder, "note.txt"), "no migration");
	found.add(await digestFiles(folder, ["*.sql"]));
	expect(found.size).toBe(3);
});
