import { app } from "../../../src/sandbox/app.ts";
import { describePartners } from "../../../src/sandbox/partner-api.ts";
import { resolve, type Schema } from "../../support/json-schema.ts";

interface Operation {
	parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
	requestBody?: { content: Record<string, { schema: Schema }> };
	"x-scope": string;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A partner's call as the OpenAPI document has it, put together from the examples of what it needs. */
export interface PartnerRoute {
	method: Method;
	/** `/keys/{id}`, as the document has it; `/keys/:id`, as it is mounted; and with the example in it. */
	template: string;
	pattern: string;
	path: string;
	scope: string;
	query?: string;
	body?: Record<string, unknown>;
}

const document = describePartners("https://partners.example", "en") as unknown as {
	paths: Record<string, Record<string, Operation>>;
};

/** Every partner route. */
export const PARTNER_ROUTES: readonly PartnerRoute[] = Object.entries(document.paths).flatMap(
	([template, operations]) =>
		Object.entries(operations).map(([method, operation]) => routeOf(method, template, operation)),
);

function routeOf(
	method: string,
	template: string,
	{ parameters = [], requestBody, "x-scope": scope }: Operation,
): PartnerRoute {
	const exampleOf = (name: string) =>
		String(parameters.find((parameter) => parameter.name === name)?.schema.example);
	const query = parameters
		.filter((parameter) => parameter.in === "query" && parameter.required)
		.map(({ name }) => `${name}=${exampleOf(name)}`);
	return {
		method: method.toUpperCase() as Method,
		template,
		pattern: template.replaceAll(/\{(\w+)\}/g, ":$1"),
		path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name)),
		scope,
		...(query.length > 0 && { query: `?${query.join("&")}` }),
		...(requestBody && { body: bodyOf(requestBody.content["application/json"]!.schema) }),
	};
}

function bodyOf(schema: Schema): Record<string, unknown> {
	const { properties = {}, required = [] } = deref(schema);
	return Object.fromEntries(required.map((name) => [name, deref(properties[name]!).example]));
}

function deref(schema: Schema): Schema {
	return schema.$ref === undefined ? schema : resolve(document, schema.$ref);
}

/** `METHOD /path/:parameter` of every mounted route, but for what refuses the other methods. */
export function mountedRoutes(): string[] {
	const routes = app.routes.filter(({ method }) => method !== "ALL");
	return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}
