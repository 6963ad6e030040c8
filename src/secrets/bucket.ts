import { Unavailable } from "../unavailable.ts";

/** Awaits one call of a bucket. @throws {Unavailable} in place of what it threw. */
export async function askBucket<T>(call: Promise<T>): Promise<T> {
	return call.catch((error: unknown) => {
		throw new Unavailable("bucket", String(error));
	});
}
