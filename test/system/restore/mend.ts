import { expect } from "vitest";
import { dataOf } from "../../../scripts/data-of.ts";
import { everyPage } from "../../support/every-page.ts";
import type { Client } from "../crash/client.ts";

/** Mends a database like `npm run ops -- mend`. @returns the codes that it mended, and whether a mending goes on. */
export async function mend(
	{ ops }: Client,
	database: number,
	restored_to: string,
): Promise<{ mended: string[]; mending: boolean }> {
	const pages = await everyPage(async (from) =>
		dataOf(await ops.POST("/ops/v1/restores/mend", { body: { database, restored_to, ...from } })),
	);
	expect(pages.flatMap(({ failed }) => failed)).toEqual([]);
	return { mended: pages.flatMap((page) => page.mended).sort(), mending: pages.at(-1)!.mending };
}
