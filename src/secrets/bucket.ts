/** R2 failed or did not answer: nothing says what the bucket keeps. */
export class BucketUnavailable extends Error {}

/** Awaits one call of a bucket. @throws {BucketUnavailable} in place of what it threw. */
export async function askBucket<T>(call: Promise<T>): Promise<T> {
	return call.catch((error: unknown) => {
		throw new BucketUnavailable(String(error));
	});
}
