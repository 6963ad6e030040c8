import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { aroundTable, errorsTable } from "./guide/errors-table.ts";
import { FOLDER, LANGUAGES, readPage } from "./guide/pages.ts";

/* Part of `npm run client:generate`: writes the table of §7 into the guide's interface pages. A test compares. */

for (const language of LANGUAGES) {
	const { markdown } = await readPage(language, "interface");
	const { before, behind } = aroundTable(markdown);
	await writeFile(join(FOLDER, language, "interface.md"), before + (await errorsTable(language)) + behind);
}
