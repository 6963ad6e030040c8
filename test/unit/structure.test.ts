import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

/** Imports that are left when the Worker is built: none that begins with `import type` or `export type`. */
const VALUE_IMPORTS =
	/^(?:(?:import|export)\b(?! type\b)[^;"]*?\bfrom |import |.*\bimport\(\s*)"(\.{1,2}\/[^"]+)"/gm;
const SRC = resolve(import.meta.dirname, "../../src");

/** Every file of src whose values a file imports, directly or not, and the file itself. */
function closureOf(file: string, known = new Set<string>()): Set<string> {
	if (known.has(file)) return known;
	known.add(file);
	const imports = readFileSync(file, "utf8").matchAll(VALUE_IMPORTS);
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

test("the walker follows imports of values, and none of types", () => {
	expect(filesOf("domain/actor.ts")).toEqual(["domain/actor.ts"]);
	expect(filesOf("dev.ts")).toEqual(expect.arrayContaining(["index.ts", "sandbox/identities.ts"]));
	expect(filesOf("objects/stubs.ts")).toEqual(["objects/stubs.ts", "telemetry/timings.ts", "unavailable.ts"]);
});

test("GET /status imports fewer than 30 files, of no object, no upstream and no certificate", () => {
	const files = filesOf("api/partner/redeem/status.ts");
	expect(
		files.filter((file) =>
			/^(objects|identity|x509|delivery|jobs|sandbox|services|pages|api\/ops)\//.test(file),
		),
	).toEqual([]);
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
		"api/partner/redeem/certificate-request.ts",
		"api/partner/redeem/certificate-claim.ts",
		"api/ops/purchase-codes.ts",
	])
		expect(filesOf(route).filter((file) => file.startsWith("objects/"))).toEqual(["objects/stubs.ts"]);
});

test("prod's Worker has neither the sandbox nor the demo shop", () => {
	const inDevOnly = (file: string) => /^sandbox\//.test(file);
	expect(filesOf("index.ts").filter(inDevOnly)).toEqual([]);
	expect(filesOf("dev.ts").filter(inDevOnly)).toEqual(
		expect.arrayContaining(["sandbox/single-sign-on-page.ts", "sandbox/demo/router.ts"]),
	);
});

test("D1, R2, the queue and the objects are taken from the environment where each wait for them gets its deadline", () => {
	const types = readFileSync(resolve(SRC, "../worker-configuration.d.ts"), "utf8");
	const bound = types.matchAll(/^\t(\w+): (?:D1Database|R2Bucket|Queue|DurableObjectNamespace)\b/gm);
	// DB_2, DB_3 … are taken by the name of the first.
	const names = [...new Set([...bound].map(([, name]) => name!.replace(/_\d+$/, "")))].sort();
	const taken = (file: string) => {
		const text = readFileSync(join(SRC, file), "utf8");
		return names.filter((name) => new RegExp(`(?:\\.|(?<!\\$)\\{ |, |")${name}(?:_\\d+)?\\b`).test(text));
	};
	expect(taken("deadlines.ts")).toEqual(names);
	expect(names).toContain("DB");
	const elsewhere = globSync("**/*.{ts,tsx}", { cwd: SRC }).filter((file) => taken(file).length > 0);
	expect(elsewhere.sort()).toEqual(["bindings.ts", "deadlines.ts"]);
});

test("the signer shares no line with the service, and is read in an hour", () => {
	const signer = resolve(SRC, "../signer/src");
	const texts = globSync("*.ts", { cwd: signer }).map((file) => readFileSync(join(signer, file), "utf8"));
	const imported = texts.flatMap((text) => [...text.matchAll(/\bfrom "([^"]+)"|\bimport\("([^"]+)"\)/g)]);
	expect(imported.length).toBeGreaterThan(40);
	const foreign = imported
		.map(([, name, late]) => name ?? late ?? "")
		.filter((name) => !/^(node:|\.\/[\w-]+\.ts$)/.test(name));
	expect(new Set(foreign)).toEqual(new Set(["pkcs11js"]));
	const code = texts.flatMap((text) => text.split("\n").filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)));
	expect(code.length).toBeLessThanOrEqual(1_450);
});

/** Causes of unsteady tests (docs/contributors/system-tests.md): a text that shows it, and files that may have it. */
const UNSTEADY: [cause: string, shownBy: RegExp, mayHaveIt: RegExp][] = [
	[
		"a count of round trips that has those of other calls: use tripsDuring",
		/watchEveryTrip\(|getPrototypeOf\(env\.DB/,
		/^(support\/failing-db|system\/(faults|histories)\/.*|service\/db\/whose-trips\.test)\.ts$/,
	],
	[
		"a poll with a patience of its own under 30 s: leave it out",
		/\b(timeout: |(?:waitFor|waitUntil)\(.*, )([12]?\d_\d{3}|\d{2,5})\b/,
		/^system\/faults\/holder-use-cases\.ts$/,
	],
	[
		"a wait by the clock: wait for what is to come, or set the clock",
		/\bsetTimeout\((?!\(\) => element)|waitForTimeout\(|timers\/promises/,
		/^(system|interop)\/|^support\/clock\.ts$|^browser\/hostility\.test\.ts$/,
	],
	[
		"a limit on the time that passed: other programs lengthen it; take process.cpuUsage or the least of several",
		/expect\([^)]*\bnow\(\) - [^)]*\)\.toBeLess/,
		/^interop\/delivery\.test\.ts$/,
	],
	[
		"a wait that never ends: what waits for it fails during a later test; release it, and wait for the call",
		/new Promise(<\w+>)?\(\(\) => (undefined|\{\})\)/,
		// What waits there ends all the same: a deadline of the test's clock, an object that dies, a unit without a service.
		/^(unit\/|system\/)|^service\/(delivery\/webhook|api\/partner\/redeem\/rut-attempts)\.test\.ts$|^support\/signer\.ts$/,
	],
	[
		"a PIN is looked for in random hex or base64, which hold any four digits: use alone",
		/\.pin\b.*not\.toContain\(|(not\.toContain|includes)\(.*\.pin\b|not\.toMatch\(.*\b4821\|/,
		/^$/,
	],
	["a time that is signed and sent is read twice: read it once", /\.sign\(.*new Date\(\)/, /^$/],
	["a port that two may have: use freePort, or listen on 0", /\.listen\([1-9]|--port",? "?[1-9]/, /^$/],
	[
		"a folder that two processes have: name it by the process, or use mkdtemp",
		/["'`]\.wrangler\/[\w-]*["'`]|join\(tmpdir\(\), [^)]*\)(?<!-"\))/,
		/^$/,
	],
	[
		"a database that a server has open: ask that server, since a second program locks it (browser/partner.ts)",
		/\bDatabaseSync\(/,
		/^system\/(restore|crash)\//,
	],
	[
		"a spy that the end of the first test takes away: set it in beforeEach",
		/beforeAll\((drop|hold)Queue/,
		/^$/,
	],
];

test("nothing in the tests makes them unsteady in a way that is known", () => {
	const tests = resolve(import.meta.dirname, "..");
	const files = globSync("**/*.ts", { cwd: tests }).filter((file) => file !== "unit/structure.test.ts");
	const found = UNSTEADY.flatMap(([cause, shownBy, mayHaveIt]) =>
		files.flatMap((file) => {
			if (mayHaveIt.test(file)) return [];
			const lines = readFileSync(join(tests, file), "utf8").split("\n");
			return lines.flatMap((line, i) => (shownBy.test(line) ? [`${file}:${i + 1}: ${cause}`] : []));
		}),
	);
	expect(found.join("\n")).toBe("");
	expect(files.length).toBeGreaterThan(300);
});

test("a comment begins with its subject or verb, never with Of, By, From, The same and the like", () => {
	const root = resolve(SRC, "..");
	const written = globSync("{bench,client,scripts,signer,src,test}/**/*.{ts,tsx}", { cwd: root }).filter(
		(file) => !/node_modules|\/dist\/|openapi\.ts$/.test(file),
	);
	const found = written.flatMap((file) => {
		const comments = readFileSync(join(root, file), "utf8").matchAll(
			/\/\*\*?\s+(?:\* )?(?:Of|By|From|The same|As|What|Whose|Without)\b.*/g,
		);
		return [...comments].map(([comment]) => `${file}: ${comment}`);
	});
	expect(found).toEqual([]);
	expect(written.length).toBeGreaterThan(900);
});

test("every icon of the kit is drawn by some page", () => {
	const icons = readFileSync(join(SRC, "pages/kit/icon.tsx"), "utf8").matchAll(/^\t"?([a-z-]+)"?:\s+'/gm);
	const sources = globSync("**/*.{ts,tsx}", { cwd: SRC }).filter((file) => file !== "pages/kit/icon.tsx");
	const text = sources.map((file) => readFileSync(join(SRC, file), "utf8")).join();
	const names = Array.from(icons, ([, name]) => name!);
	expect(names.length).toBeGreaterThan(10);
	expect(names.filter((name) => !text.includes(`"${name}"`))).toEqual([]);
});
