import { expect, test } from "vitest";
import { digestFiles } from "../../../scripts/digest-files.ts";
import { TemporaryFolder } from "../../support/temporary-folder.ts";

test("a file that is changed or added changes the digest: npm start applies migrations, and the guide is built", async () => {
	using folder = new TemporaryFolder();
	const found = new Set<string>();
	for (const [name, text] of [
		["0001.sql", "CREATE"],
		["0001.sql", "CREATE TABLE"],
		["0002.sql", "CREATE TABLE"],
	] as const) {
		folder.write(name, text);
		found.add(await digestFiles(folder.path(), ["*.sql"]));
	}
	folder.write("note.txt", "no migration");
	found.add(await digestFiles(folder.path(), ["*.sql"]));
	expect(found.size).toBe(3);
});
