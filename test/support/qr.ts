import { encode } from "uqr";

/** Modules that a code's path draws, as text: a row a line. They are compared with those of the text it should hold. */
export function drawnModules(path: string, size: number): string {
	const rows = Array.from({ length: size }, () => Array<string>(size).fill("·"));
	for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
		rows[Number(y)]!.fill("█", Number(x), Number(x) + Number(width));
	return rows.map((row) => row.join("")).join("\n");
}

export function modulesOf(text: string): string {
	const { data } = encode(text, { ecc: "M", border: 0 });
	return data.map((row) => row.map((dark) => (dark ? "█" : "·")).join("")).join("\n");
}
