import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { applySlip } from "./slip.ts";
import { SLIPS } from "./slips.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

test.each(SLIPS)("the slip fits the code of today: $file: $what", (slip) => {
	const text = readFileSync(join(ROOT, slip.file), "utf8");
	expect(applySlip(slip, text)).not.toBe(text);
	expect(existsSync(join(ROOT, slip.test))).toBe(true);
});

test("a slip whose text is missing or repeated is refused", () => {
	const slip = { what: "a for b", file: "file.ts", find: "a", replace: "b", test: "" };
	expect(applySlip(slip, "an x")).toBe("bn x");
	expect(() => applySlip(slip, "x")).toThrow("fits 0 places");
	expect(() => applySlip(slip, "a a")).toThrow("fits 2 places");
});

test("there are thirty slips or more, no two alike", () => {
	expect(SLIPS.length).toBeGreaterThanOrEqual(30);
	expect(new Set(SLIPS.map(({ file, find, replace }) => `${file}\0${find}\0${replace}`)).size).toBe(
		SLIPS.length,
	);
});
