import { encode } from "uqr";

/* A QR code (ISO/IEC 18004) as one path, for the Worker's pages and the widget's. */

interface QrPath {
	/** Modules of a side, without the quiet zone. */
	size: number;
	/** Dark modules, one unit each. */
	path: string;
}

export function qrPath(text: string): QrPath {
	const { data, size } = encode(text, { ecc: "M", border: 0 });
	const runs = data.flatMap((row, y) =>
		row.flatMap((dark, x) => {
			if (!dark || row[x - 1]) return [];
			const end = row.indexOf(false, x);
			const width = (end < 0 ? size : end) - x;
			return `M${x} ${y}h${width}v1h-${width}z`;
		}),
	);
	return { size, path: runs.join("") };
}

/** Quiet zone around it, in modules (§5.3.8). */
const QUIET = 4;

/** `viewBox` of a code with its quiet zone. */
export function qrBox({ size }: QrPath): string {
	const side = size + 2 * QUIET;
	return `${-QUIET} ${-QUIET} ${side} ${side}`;
}
