/** Reads page after page, up to the one that names no next. */
export async function everyPage<Page extends { next: Cursor | null }, Cursor = string>(
	read: (from: { cursor?: Cursor }) => Promise<Page>,
): Promise<Page[]> {
	const pages = [await read({})];
	for (let next: Cursor | null = pages[0]!.next; next !== null; next = pages.at(-1)!.next)
		pages.push(await read({ cursor: next }));
	return pages;
}
