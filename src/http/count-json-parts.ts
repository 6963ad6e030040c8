/**
 * Whether a JSON text has more than `maximum` objects, arrays and members or elements after the first, at any depth. Parsing
 * takes its time by their number: this counts them first, in a fraction of it. What is no JSON may be counted wrongly.
 */
export function hasMoreJsonParts(text: string, maximum: number): boolean {
	let parts = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '"') at = endOfString(text, at);
		else if (character === "," || character === "{" || character === "[") parts++;
		if (parts > maximum) return true;
	}
	return false;
}

/** Where the string that begins at `start` ends: at the next quote behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text[end - 1 - backslashes] === "\\") backslashes++;
		if (backslashes % 2 === 0) return end;
	}
	return text.length;
}
