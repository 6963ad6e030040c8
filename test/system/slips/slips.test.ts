import { expect, test } from "vitest";
import { parseAst } from "vitest/node";
import { applySlip, findPlace, parseSlips, readSources, SLIPS, type Slip } from "./slip.ts";

const sources = readSources();

/** Faults of a slip that does not fit the present code. */
function staleness(slip: Slip): string[] {
	try {
		const place = findPlace(slip, sources);
		const text = sources.get(place.file)!;
		const changed = applySlip(slip, place, text);
		parseAst(changed, { lang: "tsx" });
		return changed === text ? [`"${slip.what}" changes nothing`] : [];
	} catch (error) {
		return [`"${slip.what}": ${(error as Error).message}`];
	}
}

test("every slip fits the code of today, and parses", () => {
	expect(SLIPS.flatMap(staleness)).toEqual([]);
});

test("a slip is found across indentation and line breaks, and refused where it is missing or repeated", () => {
	const [slip] = parseSlips("# the sum is a difference\n- a +\n- b;\n+ a - b;") as [Slip];
	const found = (text: string) => findPlace(slip, new Map([["src/sum.ts", text]]));
	const text = "return (\n\ta + b;\n)";
	expect(applySlip(slip, found(text), text)).toBe("return (\n\ta - b;\n)");
	expect(() => found("a - b;")).toThrow("fits 0 places");
	expect(() => found("a + b; a + b;")).toThrow("fits 2 places");
	expect(() => parseSlips("# nothing to find\n+ a")).toThrow("what it replaces");
	expect(() => parseSlips("* a list")).toThrow("begins with");
});

test("no two slips are alike", () => {
	expect(new Set(SLIPS.map(({ what }) => what)).size).toBe(SLIPS.length);
	expect(new Set(SLIPS.map(({ find, replace }) => `${find}\0${replace}`)).size).toBe(SLIPS.length);
});
