/*
 * An exception's message may quote input: JSON.parse quotes the document, D1 the value it could not bind. Everything
 * that could be a value is removed before the message is logged.
 */

const STRUCK = "…";
const DETAIL_MAX = 300;
const FRAMES_MAX = 8;

/** Quoted text, addresses, anything with a digit run, and anything as long as a token. */
const VALUES = [
	/"[^"]*"|'[^']*'|`[^`]*`/g,
	/[^\s@]+@[^\s@]+/g,
	/[\w+/=.-]*\d{3,}[\w+/=.-]*/g,
	/[A-Za-z0-9+/_=-]{24,}/g,
];

/** Log fields that describe an error without quoting any value. */
export function describeError(error: unknown): { error_name: string; detail: string; frames?: string } {
	if (!(error instanceof Error)) return { error_name: typeof error, detail: strikeValues(String(error)) };
	const frames = (error.stack ?? "")
		.split("\n")
		.filter((line) => /^\s+at /.test(line))
		.slice(0, FRAMES_MAX)
		.map((line) => line.trim());
	return {
		error_name: error.constructor.name,
		detail: strikeValues(error.message),
		...(frames.length > 0 && { frames: frames.join(" | ") }),
	};
}

function strikeValues(text: string): string {
	return VALUES.reduce((rest, pattern) => rest.replace(pattern, STRUCK), text).slice(0, DETAIL_MAX);
}
