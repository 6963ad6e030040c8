import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";

/** Waits for a row to be opened; null for one that does not open, which the log says, so that the others are shown. */
export async function openRow<T>(table: string, row: string, opened: Promise<T>): Promise<T | null> {
	try {
		return await opened;
	} catch (error) {
		log("error", "unopenable", { table, row, ...describeError(error) });
		return null;
	}
}
