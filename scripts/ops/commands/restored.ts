import type { OpsClient } from "../../ops-client.ts";
import type { Cursor, OpsCommand } from "../command.ts";
import { compareRestored, type Difference, KEY_IS_BACK, type SettingsRow } from "../compare-restored.ts";
import { readDump } from "../read-dump.ts";
import { DATABASE, numbered } from "./databases.ts";

export const RESTORED_COMMANDS: readonly OpsCommand[] = [
	{
		name: "restored compare",
		summary:
			"after a restore of D1: list what partners and ops had changed, and end again the keys that had ended",
		takes: ["before.sql"],
		options: {},
		example: "npm run ops -- restored compare before.sql",
		call: (ops, { "before.sql": file }) => compareAndEnd(ops, file),
		confirm: ({ "before.sql": file }) => `Keys that had ended when ${file} was exported are ended again`,
		shows: "differences",
		columns: ["partner_id", "name", "tell", "what", "id", "before", "now", "to_do"],
		hasFault: ({ differences }) => (differences as Difference[]).length > 0,
	},
	{
		name: "restored directory",
		summary: "after a restore of D1: make the directory of partners and keys agree with all databases",
		takes: [],
		options: {},
		example: "npm run ops -- restored directory",
		call: (ops) => ops.POST("/ops/v1/restores/directory", {}),
		shows: "",
		hasFault: ({ lost }) => (lost as string[]).length > 0,
	},
	{
		name: "restored end",
		summary: "after a restore of D1: end the mending that no walk can end; OCSP takes D1's word again",
		takes: [],
		options: { reason: { help: "why; audited", required: true }, database: DATABASE },
		example: 'npm run ops -- restored end --reason "the objects of three codes are lost"',
		call: (ops, { reason, database }) =>
			ops.POST("/ops/v1/restores/mend/end", { body: { reason, ...numbered(database) } }),
		confirm: () => "OCSP will say good of every certificate that D1 does not know as revoked",
		shows: "",
		hasFault: ({ mending }) => mending === true,
	},
];

const readPage = (ops: OpsClient, from: Cursor) => ops.POST("/ops/v1/restores/settings", { body: from });

/** Ends at once: whoever has such a key could read with it, and call again from the thaw on. */
async function compareAndEnd(ops: OpsClient, file: string) {
	const before = await readDump(file);
	const now: SettingsRow[] = [];
	let from: Cursor = {};
	do {
		const page: Awaited<ReturnType<typeof readPage>> = await readPage(ops, from);
		if (!page.data) return page;
		const { rows, next } = page.data.data;
		now.push(...rows);
		from = next === null ? {} : { cursor: next };
	} while (from.cursor);
	const differences = compareRestored(before, now, Date.now());
	for (const { partner_id, id, to_do } of differences) {
		if (to_do !== KEY_IS_BACK) continue;
		const path = { id: partner_id, keyId: id };
		const ended = await ops.DELETE("/ops/v1/partners/{id}/keys/{keyId}", { params: { path } });
		if (!ended.data) return ended;
	}
	return { data: { success: true, data: { differences } }, response: new Response() };
}
