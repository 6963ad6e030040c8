/**
 * Runs again what the turn of a minute came between: the local rate-limit binding counts by the wall clock's
 * minutes, which no test can set.
 */
export async function withinOneMinute<T>(run: () => Promise<T>): Promise<T> {
	for (;;) {
		const minute = currentMinute();
		const result = await run();
		if (currentMinute() === minute) return result;
	}
}

function currentMinute(): number {
	return Math.floor(Date.now() / 60_000);
}
