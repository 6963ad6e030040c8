import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describePartners } from "../src/api/partner/router.ts";
import { type ApiDocument, type Call, callsOf, parametersOf } from "./guide/reference/document.ts";
import { sampleBody, sampleValue } from "./guide/reference/sample.ts";

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
	quantity: 2,
};

/** The first four in this order lead from a code to a certificate. */
const FLOW = ["createPurchaseCodes", "requestCertificate", "claimCertificate", "getStatus"];

/** Values of an answer that later calls need, by the variable that keeps them. */
const KEPT: Record<string, Record<string, string>> = {
	createPurchaseCodes: { p_code: "data.pcodes[0]", other_p_code: "data.pcodes[1]" },
	claimCertificate: { serial: "data.serialNumber" },
	createOnboardingSession: { session_id: "data.session_id" },
	addOwnKey: { key_id: "data.key.id" },
	rotateOwnKey: { key_id: "data.key.id" },
	listOwnDeliveries: { delivery_id: "data.deliveries[0].id" },
};
const VARIABLES = Object.values(KEPT).flatMap(Object.keys);

/** The widget's session is of a code that is not used yet. */
const OTHER_CODE = ["createOnboardingSession"];

/** Other status of a call when the whole collection runs. */
const ALSO: Record<string, number> = { resendOwnDelivery: 406 };

const groups = document.tags.map((tag) => ({
	...tag,
	calls: callsOf({ ...document, webhooks: {} }, tag.name),
}));
const calls = groups.flatMap((group) => group.calls);
const flow = FLOW.map((id) => calls.find(({ operation }) => operation.operationId === id)!);
const collection = {
	info: {
		name: document.info.title,
		schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
	},
	variable: [
		{ key: "baseUrl", value: document.servers[0]!.url },
		...["apiKey", ...new Set(VARIABLES)].map((key) => ({ key, value: "" })),
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
		{ name: "Del código al PFX", item: flow.map(itemOf) },
		...groups
			.map(({ name, description, calls: own }) => ({
				name,
				description,
				item: own.filter((call) => !flow.includes(call)).map(itemOf),
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

function itemOf({ method, address, operation }: Call) {
	const { operationId: id } = operation;
	const parameters = parametersOf(document, operation);
	const path = address.replaceAll(/(\w+)\/\{(\w+)\}/g, (_, things: string, name: string) => {
		const variable = name === "id" ? things.replace(/ies$/, "y").replace(/s$/, "").concat("_id") : name;
		return `${things}/${VARIABLES.includes(variable) ? `{{${variable}}}` : `:${name}`}`;
	});
	const query = parameters
		.filter((parameter) => parameter.in === "query")
		.map(({ name, required, schema }) => ({
			key: name,
			value: String(sampleValue(name, schema, FILLED) ?? ""),
			disabled: !required,
		}));
	const asked = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
	const variable = Array.from(path.matchAll(/:(\w+)/g), ([, key]) => ({
		key,
		value: sampleValue(key!, parameters.find(({ name }) => name === key)!.schema, FILLED),
	}));
	const schema = operation.requestBody?.content["application/json"]?.schema;
	const statuses = Object.keys(operation.responses)
		.map(Number)
		.filter((status) => status < 300 || status === ALSO[id]);
	const keeps = Object.entries(KEPT[id] ?? {});
	const exec = [
		`pm.test('${id}', () => pm.expect(pm.response.code).to.be.oneOf([${statuses.join(", ")}]));`,
		...(keeps.length > 0 ? ["const answer = pm.response.json();"] : []),
		...keeps.map(([name, value]) => `pm.collectionVariables.set('${name}', answer.${value});`),
	];
	const body = schema && JSON.stringify(sampleBody(document, schema, FILLED), null, 2);
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
			...(body && {
				body: {
					mode: "raw",
					raw: OTHER_CODE.includes(id) ? body.replace("{{p_code}}", "{{other_p_code}}") : body,
				},
			}),
		},
	};
}
