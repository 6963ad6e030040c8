import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, vi } from "vitest";

/* The pictures of docs/partners and docs/operators: `PICTURES=1 npx vitest run --project browser` takes them anew. */

const docs = join(import.meta.dirname, "../../docs");
/** Bytes; one that is smaller shows nothing. */
const SMALL = 40 * 1024;
const EMPTY = 4 * 1024;

/** Takes a picture of the page if pictures are wanted. @param most - of its height, in pixels */
export async function picture(
	page: Page,
	name: string,
	readers: "partners" | "operators" = "partners",
	most = Number.POSITIVE_INFINITY,
): Promise<void> {
	if (!process.env.PICTURES) return;
	// A tab that the test opened and that closed itself may still be in front.
	await page.bringToFront();
	await page.evaluate(
		"new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))",
	);
	const devtools = await page.context().newCDPSession(page);
	const height = await page.evaluate<number>("document.documentElement.scrollHeight");
	const { width } = page.viewportSize()!;
	// The first capture of a page may show nothing yet.
	const bytes = await vi.waitFor(async () => {
		const { data } = await devtools.send("Page.captureScreenshot", {
			format: "webp",
			quality: readers === "operators" ? 40 : 65,
			captureBeyondViewport: true,
			clip: { x: 0, y: 0, width, height: Math.min(height, most), scale: 1 },
		});
		const taken = Buffer.from(data, "base64");
		expect(taken.length).toBeGreaterThan(EMPTY);
		return taken;
	});
	expect(bytes.length).toBeLessThanOrEqual(SMALL);
	await writeFile(join(docs, readers, "pictures", `${name}.webp`), bytes);
}
