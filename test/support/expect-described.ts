import { expect } from "vitest";
import { faultsOf } from "./json-schema.ts";
import { OPERATIONS } from "./operations.ts";

/** Holds an answer against what the OpenAPI documents say of its route and status, if they have the route. */
export function expectDescribed(
	method: string,
	path: string,
	{ status, headers, body }: { status: number; headers: Headers; body: unknown },
): void {
	if (!headers.get("content-type")?.includes("json")) return;
	const [pathname] = path.split("?");
	const operation = OPERATIONS.find((known) => known.method === method && known.pattern.test(pathname!));
	if (operation === undefined) return;
	const { document, responses } = operation;
	const place = `${method} ${operation.path} ${status}`;
	const described = responses[status];
	if (described === undefined) expect.fail(`${place} is not described`);
	const { schema } = described.content?.["application/json"] ?? {};
	if (schema) expect([place, faultsOf(document, schema, body)]).toEqual([place, []]);
}
