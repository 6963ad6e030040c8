/* Parts of an OpenAPI 3.1 document of src/http/openapi.ts that the page reads. */

export interface Schema {
	$ref?: string;
	type?: string | string[];
	format?: string;
	enum?: (string | number | boolean)[];
	pattern?: string;
	minLength?: number;
	maxLength?: number;
	minimum?: number;
	maximum?: number;
	minItems?: number;
	maxItems?: number;
	description?: string;
	example?: unknown;
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	anyOf?: Schema[];
}

export interface Media {
	schema?: Schema;
	example?: unknown;
	examples?: Record<string, { value: unknown }>;
}

export interface Parameter {
	name: string;
	in: string;
	required?: boolean;
	description?: string;
	schema: Schema;
}

interface Answer {
	description: string;
	headers?: Record<string, unknown>;
	content?: Record<string, Media>;
}

export interface Operation {
	operationId: string;
	tags: string[];
	summary: string;
	description?: string;
	parameters?: (Parameter | { $ref: string })[];
	requestBody?: { content: Record<string, Media> };
	responses: Record<string, Answer>;
}

type Item = Record<string, Operation>;

export interface ApiDocument {
	info: { title: string; description: string };
	servers: { url: string }[];
	tags: { name: string; description: string }[];
	paths: Record<string, Item>;
	webhooks: Record<string, Item>;
	components: {
		schemas: Record<string, Schema>;
		parameters?: Record<string, Parameter>;
		headers: Record<string, { description: string }>;
		securitySchemes: Record<string, { name: string; description: string }>;
	};
}

/** A call, or a webhook: then `method` is POST and `address` the event. */
export interface Call {
	method: string;
	address: string;
	operation: Operation;
}

/** The calls of a tag, in the document's order. */
export function callsOf({ paths, webhooks }: ApiDocument, tag: string): Call[] {
	return [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([address, item]) =>
		Object.entries(item)
			.filter(([, operation]) => operation.tags.includes(tag))
			.map(([method, operation]) => ({ method: method.toUpperCase(), address, operation })),
	);
}

/** The name at the end of a `$ref`. */
export function nameOf(ref: string): string {
	return ref.slice(ref.lastIndexOf("/") + 1);
}

export function parametersOf(document: ApiDocument, { parameters = [] }: Operation): Parameter[] {
	return parameters.map((one) => ("$ref" in one ? document.components.parameters![nameOf(one.$ref)]! : one));
}
