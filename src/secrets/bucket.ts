import { Unavailable } from "../unavailable.ts";

/** Awaits one call to a bucket. @throws {Unavailable} when the call fails */
export async function askBucket<T>(call: Promise<T>): Promise<T> {
	return call.catch((error: unknown) => {
		throw new Unavailable("bucket", String(error));
	});
}
