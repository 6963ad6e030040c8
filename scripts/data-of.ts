/** An answer as openapi-fetch returns it: `data` of a 2xx, `error` of every other status. */
interface Answer<Body> {
	data?: Body;
	error?: unknown;
	response: Response;
}

export type DataOf<Body> = Body extends { success: true; data: infer Data } ? Data : never;

/**
 * Returns the data of an answer with `success: true`.
 * @throws {Error} with status and body of any other answer, 201 ALREADY_ISSUED and 202 among them
 */
export function dataOf<Body>({ data, error, response }: Answer<Body>): DataOf<Body> {
	const body = data as { success?: boolean; data?: unknown } | undefined;
	if (body?.success === true) return body.data as DataOf<Body>;
	const path = response.url && new URL(response.url).pathname;
	throw new Error(`${path} ${response.status}: ${JSON.stringify(body ?? error)}`.trim());
}
