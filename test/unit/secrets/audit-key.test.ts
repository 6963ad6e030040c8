import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createAuditKey } from "../../../src/secrets/audit-key.ts";

const SECRETS = [1, 2, 3].map((seed) => new Uint8Array(32).fill(seed));
const HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

test("a mac is HMAC-SHA-256 of use and row hash as a JSON array, in base64url without padding", async () => {
	const expected = createHmac("sha256", SECRETS[0]!).update(`["audit row","${HASH}"]`).digest("base64url");
	const key = await createAuditKey(SECRETS.slice(0, 1));
	expect(await key.macOf(HASH)).toBe(expected);
	expect(await key.isMacOf(expected, HASH)).toBe(true);
	expect(await key.isMacOf(expected, HASH.replace("9", "8"))).toBe(false);
});

test("the first of several secrets makes macs, and each verifies its own", async () => {
	const [first, second, third] = await Promise.all(SECRETS.map((secret) => createAuditKey([secret])));
	const both = await createAuditKey(SECRETS.slice(0, 2));
	expect(await both.macOf(HASH)).toBe(await first!.macOf(HASH));
	expect(await both.isMacOf(await first!.macOf(HASH), HASH)).toBe(true);
	expect(await both.isMacOf(await second!.macOf(HASH), HASH)).toBe(true);
	expect(await both.isMacOf(await third!.macOf(HASH), HASH)).toBe(false);
});

test.each(["", "tampered", "=".repeat(43), `${"A".repeat(43)}=`, "A".repeat(43), "A".repeat(86)])(
	"%j is no mac of a row",
	async (mac) => {
		expect(await (await createAuditKey(SECRETS)).isMacOf(mac, HASH)).toBe(false);
	},
);
