import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const SRC = resolve(import.meta.dirname, "../../src");

/** Every file of src that a file imports, directly or not, type-only imports included, and the file itself. */
function closureOf(file: string, known = new Set<string>()): Set<string> {
	if (known.has(file)) return known;
	known.add(file);
	const imports = readFileSync(file, "utf8").matchAll(/\b(?:from|import|import\()\s*"(\.{1,2}\/[^"]+)"/g);
	for (const [, path] of imports) {
		const imported = resolve(dirname(file), path!);
		expect([file, path, existsSync(imported)]).toEqual([file, path, true]);
		closureOf(imported, known);
	}
	return known;
}

function filesOf(path: string): string[] {
	return [...closureOf(join(SRC, path))].map((file) => relative(SRC, file)).sort();
}

test("the walker follows imports of values, of types and without names", () => {
	expect(filesOf("domain/actor.ts")).toEqual(["domain/actor.ts"]);
	expect(filesOf("dev.ts")).toEqual(expect.arrayContaining(["index.ts", "sandbox/identities.ts"]));
	expect(filesOf("objects/stubs.ts")).toEqual(expect.arrayContaining(["platform.ts", "objects/rpc.ts"]));
});

test("GET /status imports fewer than 30 files, of no object, no upstream and no certificate", () => {
	const files = filesOf("redeem/status.ts");
	expect(files.filter((file) => /^(objects|identity|x509|delivery|jobs|sandbox|ops)\//.test(file))).toEqual(
		[],
	);
	expect(files.filter((file) => file.startsWith("texts/"))).toEqual([
		"texts/hints.ts",
		"texts/language.ts",
		"texts/messages.ts",
		"texts/reference.ts",
	]);
	expect(files.length).toBeLessThan(30);
});

test("a route imports the names and calls of objects, never what runs inside them", () => {
	for (const route of [
		"redeem/certificate-request.ts",
		"redeem/certificate-claim.ts",
		"ops/purchase-codes.ts",
	])
		expect(filesOf(route).filter((file) => file.startsWith("objects/"))).toEqual([
			"objects/onboarding-rpc.ts",
			"objects/partner-rpc.ts",
			"objects/rpc.ts",
			"objects/stubs.ts",
		]);
});

test("prod's Worker has neither the sandbox nor the demo shop", () => {
	const inDevOnly = (file: string) => /^(sandbox|demo)\//.test(file);
	expect(filesOf("index.ts").filter(inDevOnly)).toEqual([]);
	expect(filesOf("dev.ts").filter(inDevOnly)).toEqual(
		expect.arrayContaining(["sandbox/single-sign-on-page.ts", "demo/router.ts"]),
	);
});
