import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/* The pictures of docs/partners and docs/operators: `PICTURES=1 npx vitest run --project browser` takes them anew. */

const docs = join(import.meta.dirname, "../../docs");
/** Bytes; one that is smaller shows nothing. */
const SMALL = 40 * 1024;
const EMPTY = 4 * 1024;

/** What the page shows now, when pictures are being taken. @param most - of its height, in pixels */
export async function picture(
	page: Page,
	name: string,
	readers: "partners" | "operators" = "partners",
	most = Number.POSITIVE_INFINITY,
): Promise<void> {
	if (!process.env.PICTURES) return;
	await page.evaluate(
		"new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))",
	);
	const devtools = await page.context().newCDPSession(page);
	const height = await page.evaluate<number>("document.documentElement.scrollHeight");
	const { width } = page.viewportSize()!;
	const { data } = await devtools.send("Page.captureScreenshot", {
		format: "webp",
		quality: readers === "operators" ? 50 : 80,
		captureBeyondViewport: true,
		clip: { x: 0, y: 0, width, height: Math.min(height, most), scale: 1 },
	});
	const bytes = Buffer.from(data, "base64");
	expect(bytes.length).toBeLessThanOrEqual(SMALL);
	expect(bytes.length).toBeGreaterThan(EMPTY);
	await writeFile(join(docs, readers, "pictures", `${name}.webp`), bytes);
}
