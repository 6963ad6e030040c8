import { askEach, type Database, type Databases } from "./directory.ts";

/** A place in a walk over all databases, one after the other. */
export interface DatabaseCursor<At> {
	database: number;
	at: At | null;
}

/**
 * Reads one page of a walk over all databases, and leaves out one that does not answer.
 * @param cursor - null: the walk begins
 * @param nothing - page of a database that is left out
 * @param isEmpty - tells whether a page has nothing: the next database is read then in the same call
 */
export async function readNext<At, Page extends object>(
	{ databases }: Pick<Databases, "databases">,
	cursor: DatabaseCursor<At> | null,
	read: (database: Database, at: At | null) => Promise<Page & { next: At | null }>,
	nothing: Page,
	isEmpty: (page: Page) => boolean = () => false,
): Promise<Page & { silent: number[]; next: DatabaseCursor<At> | null }> {
	const database = databases.find(({ number }) => number >= (cursor?.database ?? 0)) ?? databases[0]!;
	const following = databases[databases.indexOf(database) + 1];
	const onward = following ? { database: following.number, at: null } : null;
	const { number } = database;
	const { answers, silent } = await askEach({ databases: [database] }, () =>
		read(database, cursor?.at ?? null),
	);
	const [page] = answers;
	if (!page) return { ...nothing, silent, next: onward };
	if (page.next === null && onward && isEmpty(page))
		return readNext({ databases }, onward, read, nothing, isEmpty);
	return { ...page, silent, next: page.next === null ? onward : { database: number, at: page.next } };
}
