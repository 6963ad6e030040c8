import { expect, test } from "vitest";
import { csvRow } from "../../../../../src/api/partner/purchase-codes/csv.ts";

test("a cell is quoted where RFC 4180 asks for it; null is empty, a number is bare", () => {
	expect(csvRow(["a", 1, null, 'say "x"', "a,b", "a\nb", " a ", ""])).toBe(
		'a,1,,"say ""x""","a,b","a\nb"," a ",\r\n',
	);
});

test('decision "CSV": a cell that begins like a formula is text to a spreadsheet', {
	tags: ["list-csv-formula"],
}, () => {
	for (const start of ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
		expect(csvRow([`${start}1+1`])).toMatch(/^"?'/);
	expect(csvRow(['=HYPERLINK("http://x","y")'])).toBe('"\'=HYPERLINK(""http://x"",""y"")"\r\n');
	expect(csvRow(["order-1=2", -1])).toBe("order-1=2,-1\r\n");
});
