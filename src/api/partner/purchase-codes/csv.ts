/* Writes rows of CSV (RFC 4180) that a spreadsheet opens without executing them. */

/** Tells a spreadsheet that the file is UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/** First characters that make a spreadsheet read a cell as a formula, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Texts that need quotes, by what separates the cells: RFC 4180 has a comma, Excel in Chile a semicolon. */
const QUOTED = { ",": /[",\r\n]|^\s|\s$/, ";": /[";\r\n]|^\s|\s$/ } as const;
export type Separator = keyof typeof QUOTED;

/** A row with its line break. Null is an empty cell; a text that begins like a formula gets an apostrophe before it. */
export function csvRow(cells: readonly (string | number | null)[], separator: Separator = ","): string {
	return `${cells.map((value) => cell(value, separator)).join(separator)}\r\n`;
}

function cell(value: string | number | null, separator: Separator): string {
	if (value === null) return "";
	if (typeof value === "number") return String(value);
	const text = FORMULA.test(value) ? `'${value}` : value;
	return QUOTED[separator].test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
