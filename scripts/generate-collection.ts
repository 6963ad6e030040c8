import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describePartners } from "../src/partner-api.ts";
import {
	type ApiDocument,
	type Call,
	callsOf,
	parametersOf,
	type Schema,
} from "../src/reference/document.ts";

/*
 * A Postman collection (2.1, which Bruno and others import too) of the partner's calls, from the OpenAPI document, with a
 * person of the sandbox filled in. With --check it writes nothing and fails when the committed file differs.
 */

const FILE = join(import.meta.dirname, "..", "docs", "partners", "partner-api.postman_collection.json");
const document = describePartners("http://localhost:8787", "es") as unknown as ApiDocument;

/** JUANA ANDREA PÉREZ SOTO of the sandbox, and what earlier calls answered. */
const FILLED: Record<string, unknown> = {
	pCode: "{{p_code}}",
	p_code: "{{p_code}}",
	serialNumber: "111111111",
	productCode: "FV01",
	quantity: 1,
};

/** The first four in this order lead from a code to a certificate; each keeps what the next one needs. */
const FLOW: Record<string, string | null> = {
	createPurchaseCodes: "pm.collectionVariables.set('p_code', pm.response.json().data.pcodes[0]);",
	requestCertificate: null,
	claimCertificate: "pm.collectionVariables.set('serial', pm.response.json().data.serialNumber);",
	getStatus: null,
};

const groups = document.tags.map((tag) => ({
	...tag,
	calls: callsOf({ ...document, webhooks: {} }, tag.name),
}));
const calls = groups.flatMap((group) => group.calls);
const flow = Object.keys(FLOW).map((id) => calls.find(({ operation }) => operation.operationId === id)!);
const collection = {
	info: {
		name: document.info.title,
		schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
	},
	variable: [
		{ key: "baseUrl", value: document.servers[0]!.url },
		...["apiKey", "p_code", "serial"].map((key) => ({ key, value: "" })),
	],
	auth: {
		type: "apikey",
		apikey: [
			{ key: "key", value: "x-gw" },
			{ key: "value", value: "{{apiKey}}" },
			{ key: "in", value: "header" },
		],
	},
	item: [
		{ name: "Del código al PFX", item: flow.map((call) => itemOf(call, true)) },
		...groups
			.map(({ name, description, calls: own }) => ({
				name,
				description,
				item: own.filter((call) => !flow.includes(call)).map((call) => itemOf(call, false)),
			}))
			.filter(({ item }) => item.length > 0),
	],
};
const text = `${JSON.stringify(collection, null, "\t")}\n`;
if (!process.argv.includes("--check")) await writeFile(FILE, text);
else if ((await readFile(FILE, "utf8").catch(() => "")) !== text) {
	console.error("The Postman collection is not what the OpenAPI document says: npm run client:generate");
	process.exitCode = 1;
}

function itemOf({ method, address, operation }: Call, inFlow: boolean) {
	const path = address.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
		name in { p_code: 1, serial: 1 } ? `{{${name}}}` : `:${name}`,
	);
	const query = parametersOf(document, operation)
		.filter((parameter) => parameter.in === "query")
		.map(({ name, required, schema }) => ({
			key: name,
			value: String(sampleOf(name, schema) ?? ""),
			disabled: !required,
		}));
	const asked = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
	const variable = Array.from(path.matchAll(/:(\w+)/g), ([, key]) => ({ key, value: "" }));
	const schema = operation.requestBody?.content["application/json"]?.schema;
	const statuses = Object.keys(operation.responses)
		.map(Number)
		.filter((status) => (inFlow ? status < 300 : status < 500));
	const exec = [
		`pm.test('${operation.operationId}', () => pm.expect(pm.response.code).to.be.oneOf([${statuses.join(", ")}]));`,
		...[FLOW[operation.operationId] ?? []].flat(),
	];
	return {
		name: operation.summary,
		event: [{ listen: "test", script: { type: "text/javascript", exec } }],
		request: {
			method,
			description: operation.description ?? "",
			header: schema ? [{ key: "content-type", value: "application/json" }] : [],
			url: {
				raw: `{{baseUrl}}${path}${asked.length > 0 ? `?${asked.join("&")}` : ""}`,
				host: ["{{baseUrl}}"],
				path: path.slice(1).split("/"),
				query,
				variable,
			},
			...(schema && { body: { mode: "raw", raw: JSON.stringify(exampleOf(schema), null, 2) } }),
		},
	};
}

/** Its required fields, and serialNumber, which the reduced flow needs. */
function exampleOf(schema: Schema): unknown {
	const of = schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1)!]! : schema;
	const fields = Object.entries(of.properties ?? {}).filter(
		([name]) => of.required?.includes(name) || name === "serialNumber",
	);
	return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(name, field)]));
}

function sampleOf(name: string, schema: Schema & { example?: unknown }): unknown {
	return FILLED[name] ?? schema.example ?? schema.enum?.[0] ?? null;
}
