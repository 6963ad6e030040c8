/*
 * The service's only way to the log: one line of JSON per event. What a line may hold is closed by type and by
 * habit: ids, patterns, codes, counts and durations; never a value that a caller or a holder sent.
 */

export type LogLevel = "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Each level has its own console method: the platform's log filters by it. */
const SINKS: Record<LogLevel, (line: string) => void> = {
	info: (line) => console.log(line),
	warn: (line) => console.warn(line),
	error: (line) => console.error(line),
};

/** @param event - snake_case; docs/operations.md says of each what it means and what to do. */
export function log(level: LogLevel, event: string, fields: LogFields = {}): void {
	SINKS[level](JSON.stringify({ level, event, ...fields }));
}
