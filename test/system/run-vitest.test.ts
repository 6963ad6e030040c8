import { resolve } from "node:path";
import { expect, test } from "vitest";
import { type FileResult, readRun } from "./run-vitest.ts";

/* A run of the suite counts as content only when vitest was. */

const ok = { fullName: "holds", status: "passed", failureMessages: [] };
const file = (change: Partial<FileResult>): FileResult => ({
	name: "a.test.ts",
	status: "passed",
	message: "",
	assertionResults: [ok],
	...change,
});

test("passed and skipped tests are no failures", () => {
	const skipped = { ...ok, status: "skipped" };
	expect(readRun([file({ assertionResults: [ok, skipped] })], 0).failures).toEqual([]);
});

test.for<[string, FileResult[], number | null, string]>([
	[
		"a test",
		[file({ assertionResults: [{ ...ok, status: "failed", failureMessages: ["3 is not 4"] }] })],
		1,
		"holds: 3 is not 4",
	],
	[
		"a file that died at import, beside one that passed",
		[file({}), file({ status: "failed", message: "no such module", assertionResults: [] })],
		1,
		"a.test.ts, outside its tests: no such module",
	],
	[
		"a hook, so that tests were skipped",
		[file({ status: "failed", message: "beforeAll", assertionResults: [ok, { ...ok, status: "skipped" }] })],
		1,
		"a.test.ts, outside its tests: beforeAll",
	],
	["an error that no test waited for", [file({})], 1, "vitest ended with 1"],
	["vitest, by a signal", [file({})], null, "vitest ended with null"],
	[
		"nothing but skipped tests",
		[file({ assertionResults: [{ ...ok, status: "skipped" }] })],
		0,
		"no test passed",
	],
	["no report", [], 1, "no test passed"],
])("a failure: %s", ([, results, code, failure]) => {
	expect(readRun(results, code).failures).toEqual([failure]);
});

test("a failure does not tell where the project lies", () => {
	const stack = `at ${resolve(import.meta.dirname, "../..")}/test/a.test.ts:1:2`;
	const failed = { ...ok, status: "failed", failureMessages: [stack] };
	expect(readRun([file({ assertionResults: [failed] })], 1).failures).toEqual([
		"holds: at test/a.test.ts:1:2",
	]);
});
