/*
 * The service's only way to write to the log: one line of JSON per event. Fields are ids, route patterns, codes, counts
 * and durations, never a value that a caller or a holder sent.
 */

export type LogLevel = "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Each level has its own console method: the platform's log filters by it. */
const SINKS: Record<LogLevel, (line: string) => void> = {
	info: (line) => console.log(line),
	warn: (line) => console.warn(line),
	error: (line) => console.error(line),
};

/** @param event - snake_case; docs/operators/incidents.md says what each means and what to do. */
export function log(level: LogLevel, event: string, fields: LogFields = {}): void {
	SINKS[level](JSON.stringify({ level, event, ...fields }));
}
