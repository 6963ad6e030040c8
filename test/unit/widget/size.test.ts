import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { EMBED_SCRIPT } from "../../../src/widget/built-page.ts";
import { renderPage } from "../../../src/widget/render-page.ts";

const KIB = 1024;

test("the script is at most 8 KiB gzip, the frame in all at most 40 KiB", () => {
	const page = renderPage({
		session: {
			id: "os_5b0f3c1d9a7e4f6b8c2d1e0f",
			code: "7K3M-9QXT-2B4C-H8WD",
			endReason: null,
			origins: ["https://shop.example"],
			partner: { name: "Tienda", accent: "#1f5fbf", logo: null },
		},
		refusal: null,
		service: "Firma Demo",
		locale: "es",
		place: "frame",
	});
	expect(gzipSync(EMBED_SCRIPT).length).toBeLessThanOrEqual(8 * KIB);
	expect(gzipSync(page).length).toBeLessThanOrEqual(40 * KIB);
	expect(page).not.toMatch(/src=|href=|url\(|@import/);
});
