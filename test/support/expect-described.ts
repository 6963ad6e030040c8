import { expect } from "vitest";
import { describeOps } from "../../src/api/ops/router.ts";
import { describePartners } from "../../src/sandbox/partner-api.ts";
import { faultsOf, type Schema } from "./json-schema.ts";

interface Described {
	paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, Media> }> }>>;
}
interface Media {
	schema: Schema;
}

const OPERATIONS = [describePartners, describeOps].flatMap((describe) => {
	const document = describe("https://service.test", "en") as unknown as Described;
	return Object.entries(document.paths).flatMap(([template, methods]) =>
		Object.entries(methods).map(([method, { responses }]) => ({
			document,
			method: method.toUpperCase(),
			template,
			path: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
			responses,
		})),
	);
});
/** A path without parameters goes before one that could be read as it. */
OPERATIONS.sort((a, b) => a.template.split("{").length - b.template.split("{").length);

/** Holds an answer against what the OpenAPI documents say of its route and status, if they have the route. */
export function expectDescribed(
	method: string,
	path: string,
	{ status, headers, body }: { status: number; headers: Headers; body: unknown },
): void {
	if (!headers.get("content-type")?.includes("json")) return;
	const [pathname] = path.split("?");
	const operation = OPERATIONS.find((known) => known.method === method && known.path.test(pathname!));
	if (operation === undefined) return;
	const { document, template, responses } = operation;
	const place = `${method} ${template} ${status}`;
	const described = responses[status];
	if (described === undefined) expect.fail(`${place} is not described`);
	const { schema } = described.content?.["application/json"] ?? {};
	if (schema) expect([place, faultsOf(document, schema, body)]).toEqual([place, []]);
}
