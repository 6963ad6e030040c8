import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKeyedHash } from "../../../src/secrets/keyed-hash.ts";
import { hashPin, pinMatches } from "../../../src/secrets/pin-hash.ts";

const SECRET = new Uint8Array(32).fill(7);
const OTHER_SECRET = new Uint8Array(32).fill(8);

describe("a keyed hash", () => {
	test("is HMAC-SHA-256 of use and values as a JSON array, in base64url without padding", async () => {
		const hash = await (await createKeyedHash(SECRET)).of("email", "partner-1", "maria@example.cl");
		const expected = createHmac("sha256", SECRET).update('["email","partner-1","maria@example.cl"]');
		expect(hash).toBe(expected.digest("base64url"));
		expect(hash).toHaveLength(43);
	});

	test("depends on secret, use, and each value in its place", async () => {
		const hash = await createKeyedHash(SECRET);
		const hashes = [
			await hash.of("rut", "a", "b"),
			await hash.of("email", "a", "b"),
			await hash.of("rut", "ab"),
			await hash.of("rut", "b", "a"),
			await hash.of("rut", "a", "b", ""),
			await (await createKeyedHash(OTHER_SECRET)).of("rut", "a", "b"),
		];
		expect(new Set(hashes).size).toBe(hashes.length);
	});

	test("matches only what it was made of", async () => {
		const hash = await createKeyedHash(SECRET);
		const made = await hash.of("rut", "a");
		expect(await hash.matches(made, "rut", "a")).toBe(true);
		expect(await hash.matches(made, "rut", "b")).toBe(false);
		expect(await hash.matches(made, "email", "a")).toBe(false);
		expect(await (await createKeyedHash(OTHER_SECRET)).matches(made, "rut", "a")).toBe(false);
	});
});

describe("a PIN's record", { tags: ["pin-hash"] }, () => {
	const CODE = "7K3M-9QXT-2B4C-H8WD";

	test("matches the PIN for the code it was made for, and no other PIN or code", async () => {
		const pepper = await createKeyedHash(SECRET);
		const record = await hashPin(pepper, CODE, "4711");
		expect(await pinMatches(pepper, CODE, record, "4711")).toBe(true);
		expect(await pinMatches(pepper, CODE, record, "4712")).toBe(false);
		expect(await pinMatches(pepper, "7K3M-9QXT-2B4C-H8WE", record, "4711")).toBe(false);
	});

	test("does not match under another salt or pepper", async () => {
		const pepper = await createKeyedHash(SECRET);
		const record = await hashPin(pepper, CODE, "4711");
		const { salt } = await hashPin(pepper, CODE, "4711");
		expect(await pinMatches(pepper, CODE, { ...record, salt }, "4711")).toBe(false);
		expect(await pinMatches(await createKeyedHash(OTHER_SECRET), CODE, record, "4711")).toBe(false);
	});

	test("has a fresh salt of 16 bytes: the same PIN twice looks different", async () => {
		const pepper = await createKeyedHash(SECRET);
		const [one, other] = [await hashPin(pepper, CODE, "4711"), await hashPin(pepper, CODE, "4711")];
		expect(one.salt).toMatch(/^[A-Za-z0-9_-]{22}$/);
		expect(one.salt).not.toBe(other.salt);
		expect(one.hash).not.toBe(other.hash);
	});
});
