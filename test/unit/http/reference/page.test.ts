import { describe, expect, test } from "vitest";
import { describePartners } from "../../../../src/api/partner/router.ts";
import type { ApiDocument, Schema } from "../../../../src/http/reference/document.ts";
import { fieldsOf } from "../../../../src/http/reference/fields.ts";
import { render } from "../../../../src/http/reference/page.ts";

/* The reference's page against the document that it shows. */

describe.each(["es", "en"] as const)("the reference in %s", (language) => {
	const document = describePartners("https://service.example", language) as unknown as ApiDocument;
	const page = String(render(document, language));

	test("shows every call, event, field and code of the document", () => {
		const shown = (text: string) => page.includes(`<code>${text}</code>`);
		const missing = [
			...Object.keys({ ...document.paths, ...document.webhooks }).filter((name) => !shown(name)),
			...Object.values(document.components.schemas)
				.flatMap((schema) => fieldsOf(schema))
				.map(({ name }) => name)
				.filter((name) => !shown(name)),
			...document.components.schemas.Error!.properties!.error!.enum!.filter((code) => !shown(String(code))),
		];
		expect(missing).toEqual([]);
	});

	test("has every anchor that it links to, once, and nothing that is not a text", () => {
		const ids = Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id!);
		expect(new Set(ids).size).toBe(ids.length);
		const links = Array.from(page.matchAll(/ href="#([^"]*)"/g), ([, id]) => id!);
		expect(links.filter((id) => !ids.includes(id))).toEqual([]);
		expect(page).not.toMatch(/\[object |undefined<|\u001e|\u001f|<script/);
	});
});

test("text of the document is escaped", () => {
	const document = describePartners("https://service.example", "en") as unknown as ApiDocument;
	document.info.description = "**a** `<b>`\n\n<script>alert(1)</script>";
	const page = String(render(document, "en"));
	expect(page).toContain("<p><strong>a</strong> <code>&lt;b&gt;</code></p><p>&lt;script&gt;");
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
