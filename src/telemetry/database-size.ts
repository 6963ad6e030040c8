import { clock } from "../clock.ts";
import { HOUR_MS } from "../domain/durations.ts";
import { DATABASE_CRITICAL, DATABASE_HIGH, DATABASE_MAX } from "../domain/limits.ts";
import { log } from "./log.ts";

/* D1 reports its size with each answer but those to a single SELECT of named columns; the last report is kept. */

export const DATABASE_LEVELS = ["normal", "high", "critical"] as const;

/** Bytes by the database's number; none before its first report to this isolate. */
const sizes = new Map<number, number>();
let loggedAt = Number.NEGATIVE_INFINITY;

/** @param answer - any answer of that database. One that fills is logged once an hour at most, and again after the clock went back. */
export function noteDatabaseSize(number: number, answer: unknown): void {
	const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
	const reported = (last as Partial<D1Result> | null)?.meta?.size_after;
	if (reported === undefined) return;
	sizes.set(number, reported);
	const { level, ...sized } = databaseSize(number);
	const fields = { database: number, ...sized };
	if (level === "normal" || Math.abs(clock() - loggedAt) < HOUR_MS) return;
	loggedAt = clock();
	if (level === "high") log("warn", "database_filling", fields);
	else log("error", "database_nearly_full", fields);
}

/** Size of a database, or of the fullest, as D1 last reported it to this isolate, and D1's limit, in bytes. */
export function databaseSize(number?: number) {
	const size = number === undefined ? Math.max(0, ...sizes.values()) : (sizes.get(number) ?? 0);
	const level: (typeof DATABASE_LEVELS)[number] =
		size < DATABASE_HIGH * DATABASE_MAX
			? "normal"
			: size < DATABASE_CRITICAL * DATABASE_MAX
				? "high"
				: "critical";
	return { bytes: size, limit: DATABASE_MAX, level };
}
