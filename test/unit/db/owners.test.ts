import { expect, test } from "vitest";
import { deleteHolder } from "../../../src/db/holders.ts";
import { selectPartner } from "../../../src/db/partners.ts";
import { type AuditKey, openDb } from "../../../src/db/query.ts";
import { markReminded } from "../../../src/db/reminders.ts";

/* A statement says by its type whose database it is for. The compiler refuses it on any other; at run time all are one. */

const bound = {} as D1Database;
const key = {} as AuditKey;
const partner = openDb<"partner">(bound, key);
const database = openDb<"database">(bound, key);
const directory = openDb<"directory">(bound, key);

test("the compiler refuses a statement on another owner's database", () => {
	const refused = [
		// @ts-expect-error a partner's row is not in the directory
		selectPartner(directory, "pt_1"),
		// @ts-expect-error a partner's statement does not go to a database of which nobody said that the partner lives in it
		deleteHolder(database, "pt_1", "0000-0000-0000-0000"),
		// @ts-expect-error a statement over all partners does not go where one partner calls
		markReminded(partner, [], 30),
	];
	expect(refused).toHaveLength(3);
});
