import { describeOps } from "../../src/api/ops/router.ts";
import { describePartners } from "../../src/sandbox/partner-api.ts";
import { resolve, type Schema } from "./json-schema.ts";

export interface Operation {
	method: string;
	/** Path with `{parameters}`, and what it matches. */
	path: string;
	pattern: RegExp;
	parameters: { name: string; in: "path" | "query" | "header"; required: boolean; schema: Schema }[];
	body: Schema | null;
	responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
	document: object;
	/** Follows a `$ref` of the operation's own document. */
	deref(schema: Schema): Schema;
}

interface Document {
	paths: Record<
		string,
		Record<string, Partial<Operation> & { requestBody?: { content: Record<string, { schema: Schema }> } }>
	>;
}

/** Operations of both OpenAPI documents; one without parameters in its path goes before one that could be read as it. */
export const OPERATIONS: readonly Operation[] = [describePartners, describeOps]
	.flatMap((describe) => {
		const document = describe("https://service.test", "en") as unknown as Document;
		const deref = (schema: Schema) => (schema.$ref === undefined ? schema : resolve(document, schema.$ref));
		return Object.entries(document.paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, { parameters = [], requestBody, responses = {} }]) => ({
				method: method.toUpperCase(),
				path,
				pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
				parameters,
				body: requestBody ? deref(requestBody.content["application/json"]!.schema) : null,
				responses,
				document,
				deref,
			})),
		);
	})
	.toSorted((a, b) => a.path.split("{").length - b.path.split("{").length);

const ERROR_CODE = /\b[A-Z]+(?:_[A-Z]+)+\b|\bUNAUTHORIZED\b|\bLOCKED\b/g;

/** Whether an operation's document names this answer: its status, and the error or the rule in it. */
export function isNamed({ responses }: Operation, status: number, names: readonly string[]): boolean {
	const named: readonly string[] = responses[status]?.description.match(ERROR_CODE) ?? [];
	return names.every((name) => named.includes(name));
}
