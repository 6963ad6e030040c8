import fc from "fast-check";
import { expect, test } from "vitest";
import { contrast, readableOn, SURFACES, textOn } from "../../../../src/widget/browser/accent.ts";
import { holds } from "../../../support/holds.ts";

const colour = fc
	.integer({ min: 0, max: 0xffffff })
	.map((number) => `#${number.toString(16).padStart(6, "0")}`);

test("contrast is WCAG's", () => {
	expect([contrast("#000000", "#ffffff"), contrast("#ffffff", "#767676").toFixed(2)]).toEqual([21, "4.54"]);
});

test("whatever the partner's colour: text on it and it on either surface can be read", () =>
	holds([colour], (accent) => {
		expect(contrast(accent, textOn(accent))).toBeGreaterThanOrEqual(4.5);
		for (const surface of Object.values(SURFACES))
			expect(contrast(readableOn(accent, surface), surface)).toBeGreaterThanOrEqual(4.5);
	}));

test("a colour that can be read stays what it is", () => {
	expect(readableOn("#1f5fbf", SURFACES.light)).toBe("#1f5fbf");
});
