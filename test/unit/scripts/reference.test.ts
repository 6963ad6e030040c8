import { describe, expect, test } from "vitest";
import { readFacts } from "../../../scripts/guide/facts.ts";
import { type ApiDocument, callsOf, nameOf, type Schema } from "../../../scripts/guide/reference/document.ts";
import { fieldsOf } from "../../../scripts/guide/reference/fields.ts";
import { referencePages } from "../../../scripts/guide/reference/pages.ts";
import { prose } from "../../../scripts/guide/reference/prose.ts";
import { sampleCommand } from "../../../scripts/guide/reference/sample.ts";
import { describePartners } from "../../../src/sandbox/partner-api.ts";

/* The reference's pages against the document that they show. */

describe.each(["es", "en"] as const)("the reference in %s", async (language) => {
	const document = describePartners("https://service.example", language) as unknown as ApiDocument;
	const pages = new Map(
		(await referencePages(language, readFacts())).map(({ address, body }) => [address, body]),
	);
	const calls = document.tags.flatMap(({ name }) => callsOf(document, name));
	const pageOf = (id: string) => pages.get(`/docs/${language}/reference/${id}`)!;

	test("has a page for every call and event, with its fields, answers, errors and examples", () => {
		expect(calls.length).toBe(pages.size - 1);
		for (const { address, operation } of calls) {
			const page = pageOf(operation.operationId);
			const { requestBody, responses } = operation;
			const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
			const schemas = contents.flatMap((content) => content?.["application/json"]?.schema ?? []);
			const names = schemas
				.map((schema) => (schema.$ref ? document.components.schemas[nameOf(schema.$ref)]! : schema))
				.filter((schema) => schema !== document.components.schemas.Error)
				.flatMap((schema) => fieldsOf(schema).map(({ name }) => name));
			const missing = [address, ...names].filter((name) => !page.includes(`<code>${name}</code>`));
			expect(missing, operation.operationId).toEqual([]);
			for (const status of Object.keys(responses))
				expect(page, operation.operationId).toContain(`>${status}</`);
			expect(page, operation.operationId).toContain("<pre");
		}
	});

	test("lists every call, under the anchor that it had on the one page of before, and every error", () => {
		const index = pageOf("");
		for (const { operation } of calls) expect(index).toContain(`<li id="${operation.operationId}">`);
		for (const code of document.components.schemas.Error!.properties!.error!.enum!)
			expect(index).toContain(`<code>${code}</code>`);
	});
});

test("the command of a call is what its schema takes", () => {
	const document = describePartners("https://service.example", "en") as unknown as ApiDocument;
	for (const call of callsOf(document, "Redeem").concat(callsOf(document, "Desk"))) {
		const command = sampleCommand(document, call);
		expect(command).not.toMatch(/[{]\w+}|undefined|null[,}]/);
		const schema = call.operation.requestBody?.content["application/json"]?.schema;
		if (!schema) continue;
		const { required = [] } = schema.$ref ? document.components.schemas[nameOf(schema.$ref)]! : schema;
		expect(Object.keys(JSON.parse(/-d '(.*)'$/s.exec(command)![1]!))).toEqual(
			expect.arrayContaining(required),
		);
	}
});

test("text of the document is escaped", () => {
	expect(String(prose("**a** `<b>`\n\n<script>alert(1)</script>"))).toBe(
		"<p><strong>a</strong> <code>&lt;b&gt;</code></p><p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
	);
});

test("fields of lists, objects and several forms are rows; required is what every form requires", () => {
	const object = (properties: Record<string, Schema>, required: string[]): Schema => ({
		properties,
		required,
	});
	const one = object({ id: { type: "string" }, file: { type: "string" } }, ["id", "file"]);
	const other = object({ id: { type: "string" } }, ["id"]);
	const list = { items: object({ day: { type: "string" } }, []) };
	const body = object({ data: { anyOf: [one, other, { type: "null" }] }, list }, ["data"]);
	expect(fieldsOf(body).map(({ name, required }) => [name, required])).toEqual([
		["data", true],
		["data.id", true],
		["data.file", false],
		["list", false],
		["list[].day", false],
	]);
});
