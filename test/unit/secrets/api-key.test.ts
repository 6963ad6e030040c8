import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createApiKey, hashApiKey, isApiKey } from "../../../src/secrets/api-key.ts";

test.each(["dev", "prod"] as const)(
	"a key of %s names its environment and is valid only there",
	async (environment) => {
		const key = await createApiKey(environment);
		expect(key).toMatch(new RegExp(`^gw_${environment}_[0-9A-HJKMNP-TV-Z]{32}$`));
		expect(await isApiKey(key, environment)).toBe(true);
		expect(await isApiKey(key, environment === "dev" ? "prod" : "dev")).toBe(false);
	},
);

test("the checksum detects one changed symbol and a changed environment", async () => {
	const key = await createApiKey("dev");
	for (let at = "gw_dev_".length; at < key.length; at++) {
		const changed = `${key.slice(0, at)}${key[at] === "7" ? "8" : "7"}${key.slice(at + 1)}`;
		expect(await isApiKey(changed, "dev")).toBe(false);
	}
	expect(await isApiKey(key.replace("gw_dev_", "gw_prod_"), "prod")).toBe(false);
});

test.each([
	["blanks around it", (key: string) => ` ${key} `],
	["lower case", (key: string) => key.toLowerCase()],
	["text before it", (key: string) => `x${key}`],
	["text after it", (key: string) => `${key}0`],
	["an unknown environment", (key: string) => key.replace("dev", "test")],
])("a key with %s is malformed", async (_how, change) => {
	expect(await isApiKey(change(await createApiKey("dev")), "dev")).toBe(false);
});

test("keys are random, and stored as SHA-256 in hex", async () => {
	const keys = await Promise.all(Array.from({ length: 100 }, () => createApiKey("prod")));
	expect(new Set(keys.map((key) => key.slice(8, 34))).size).toBe(100);
	expect(await hashApiKey(keys[0]!)).toBe(createHash("sha256").update(keys[0]!).digest("hex"));
});
