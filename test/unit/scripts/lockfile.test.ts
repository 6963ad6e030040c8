import { expect, test } from "vitest";
import lockfile from "../../../package-lock.json" with { type: "json" };

interface Entry {
	optionalDependencies?: Record<string, string>;
}

test("package-lock.json has an entry for every platform's builds: npm ci refuses one that lacks any", () => {
	const packages = lockfile.packages as Record<string, Entry>;
	const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
	expect(wanted).toContain("@cloudflare/workerd-darwin-arm64");
	const entries = Object.keys(packages);
	expect(wanted.filter((name) => !entries.some((path) => path.endsWith(`node_modules/${name}`)))).toEqual([]);
});
