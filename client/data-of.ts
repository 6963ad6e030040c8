/** Data of an outcome with `success: true`. */
export type DataOf<Outcome> = Outcome extends { body: { success: true; data: infer Data } } ? Data : never;

/**
 * Returns the data of a success, for scripts that go on with nothing else.
 * @throws {Error} with status and body of any other outcome, 201 ALREADY_ISSUED and 202 among them
 */
export function dataOf<Outcome extends { status: number; body: unknown }>(outcome: Outcome): DataOf<Outcome> {
	const body = outcome.body as { success?: boolean; data?: unknown };
	if (body.success === true) return body.data as DataOf<Outcome>;
	throw new Error(`${outcome.status}: ${JSON.stringify(body)}`);
}
