import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createApiKey, hashApiKey, isApiKey, keyEnvironment } from "../../../src/secrets/api-key.ts";

test.each([
	["blanks around it", (key: string) => ` ${key} `],
	["lower case", (key: string) => key.toLowerCase()],
	["text before it", (key: string) => `x${key}`],
	["text after it", (key: string) => `${key}0`],
	["an unknown environment", (key: string) => key.replace("dev", "test")],
])("a key with %s is malformed", async (_how, change) => {
	expect(await isApiKey(change(await createApiKey("dev")), "dev")).toBe(false);
});

test("a key ends in 30 bits of its own SHA-256", async () => {
	const key = await createApiKey("dev", new Uint8Array(16).fill(7));
	const checksum = createHash("sha256").update("gw_dev_0W3GE1R70W3GE1R70W3GE1R70W").digest().readUInt32BE();
	expect(key).toBe(`gw_dev_0W3GE1R70W3GE1R70W3GE1R70W${crockford(checksum)}`);
});

/** The first 30 of 32 bits, five a symbol. */
function crockford(bits: number): string {
	const symbols = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	return Array.from({ length: 6 }, (_, i) => symbols[(bits >>> (27 - 5 * i)) & 31]).join("");
}

test("keys are random, and stored as SHA-256 in hex", { tags: ["key-form"] }, async () => {
	const keys = await Promise.all(Array.from({ length: 100 }, () => createApiKey("prod")));
	expect(new Set(keys.map((key) => key.slice(8, 34))).size).toBe(100);
	expect(await hashApiKey(keys[0]!)).toBe(createHash("sha256").update(keys[0]!).digest("hex"));
});

test("a developer's machine has keys of dev", () => {
	expect((["local", "dev", "prod"] as const).map(keyEnvironment)).toEqual(["dev", "dev", "prod"]);
});
