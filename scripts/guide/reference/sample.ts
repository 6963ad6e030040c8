import type { ApiDocument, Call, Schema } from "./document.ts";
import { nameOf, parametersOf } from "./document.ts";

/** A request's body: its required fields and serialNumber, which the reduced flow needs. @param filled - values by name */
export function sampleBody(
	document: ApiDocument,
	schema: Schema,
	filled: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
	const of = schema.$ref ? document.components.schemas[nameOf(schema.$ref)]! : schema;
	const fields = Object.entries(of.properties ?? {}).filter(
		([name]) => of.required?.includes(name) || name === "serialNumber",
	);
	return Object.fromEntries(fields.map(([name, field]) => [name, sampleValue(name, field, filled)]));
}

export function sampleValue(
	name: string,
	schema: Schema,
	filled: Readonly<Record<string, unknown>>,
): unknown {
	return filled[name] ?? schema.example ?? schema.enum?.[0] ?? null;
}

const CODE = "7K3M-9QXT-2B4C-H8WD";
/** JUANA ANDREA PÉREZ SOTO of the sandbox. */
const FILLED = { pCode: CODE, p_code: CODE, serialNumber: "111111111", productCode: "FV01", quantity: 1 };

/** The call as a command for curl. */
export function sampleCommand(document: ApiDocument, { method, address, operation }: Call): string {
	const parameters = parametersOf(document, operation);
	const sampleOf = (name: string) =>
		String(sampleValue(name, parameters.find((one) => one.name === name)?.schema ?? {}, FILLED) ?? "");
	const path = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => sampleOf(name));
	const asked = parameters
		.filter((one) => one.in === "query" && one.required)
		.map(({ name }) => `${name}=${encodeURIComponent(sampleOf(name))}`);
	const query = asked.length > 0 ? `?${asked.join("&")}` : "";
	const media = operation.requestBody?.content["application/json"];
	const verb = method === (media?.schema ? "POST" : "GET") ? "" : ` -X ${method}`;
	const head = `curl -s${verb} "$URL${path}${query}" -H "x-gw: $KEY"`;
	if (!media?.schema) return head;
	const body = media.example ?? sampleBody(document, media.schema, FILLED);
	return `${head} \\\n  -H 'content-type: application/json' -d '${JSON.stringify(body, null, 2)}'`;
}
