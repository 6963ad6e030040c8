import { describe, expect, test } from "vitest";
import {
	createSealer,
	deriveCallerKey,
	keyIdOf,
	openForCaller,
	sealForCaller,
} from "../../../src/secrets/sealing.ts";

const FIRST = new Uint8Array(32).fill(1);
const SECOND = new Uint8Array(32).fill(2);
const PLACE = { table: "holders", row: "7K3M-9QXT-2B4C-H8WD", column: "full_name" };

const sealerOf = (...keys: [id: string, key: Uint8Array][]) => createSealer(new Map(keys));

/** The record with one bit of the byte at `offset` of its nonce, ciphertext and tag flipped. */
function flipBit(record: string, offset: number): string {
	const [id, body] = record.split(".") as [string, string];
	const bytes = Uint8Array.fromBase64(body, { alphabet: "base64url" });
	bytes[offset < 0 ? bytes.length + offset : offset]! ^= 1;
	return `${id}.${bytes.toBase64({ alphabet: "base64url", omitPadding: true })}`;
}

describe("a sealed value", () => {
	test.each(["", "María José Ñuñoa", "x".repeat(100_000)])(
		"opens as it was sealed (text %#)",
		async (text) => {
			const sealer = await sealerOf(["k1", FIRST]);
			expect(await sealer.openText(await sealer.seal(text, PLACE), PLACE)).toBe(text);
		},
	);

	test("opens as it was sealed (bytes)", async () => {
		const sealer = await sealerOf(["k1", FIRST]);
		const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
		expect(await sealer.open(await sealer.seal(bytes, PLACE), PLACE)).toEqual(bytes);
	});

	test.each([
		["row", { ...PLACE, row: "7K3M-9QXT-2B4C-H8WE" }],
		["column", { ...PLACE, column: "email" }],
		["table", { ...PLACE, table: "evidence" }],
		["row and column, of the same text when joined", { ...PLACE, row: `${PLACE.row}f`, column: "ull_name" }],
	])("does not open in another %s", async (_where, elsewhere) => {
		const sealer = await sealerOf(["k1", FIRST]);
		const record = await sealer.seal("12345678-5", PLACE);
		await expect(sealer.open(record, elsewhere)).rejects.toThrow();
		expect(await sealer.openText(record, PLACE)).toBe("12345678-5");
	});

	test.each([
		["nonce", 0],
		["ciphertext", 12],
		["tag", -1],
	])("does not open when one bit of its %s was changed", async (_part, offset) => {
		const sealer = await sealerOf(["k1", FIRST]);
		const record = await sealer.seal("12345678-5", PLACE);
		await expect(sealer.open(flipBit(record, offset), PLACE)).rejects.toThrow();
	});

	test("is the id of its key, a dot, and nonce (12 bytes), ciphertext and tag (16 bytes) in base64url", async () => {
		const sealer = await sealerOf(["k1", FIRST]);
		const record = await sealer.seal("12345678-5", PLACE);
		expect(record).toMatch(/^k1\.[A-Za-z0-9_-]+$/);
		expect(keyIdOf(record)).toBe("k1");
		expect(Uint8Array.fromBase64(record.slice(3), { alphabet: "base64url" })).toHaveLength(12 + 10 + 16);
	});

	test("has a new nonce every time", async () => {
		const sealer = await sealerOf(["k1", FIRST]);
		const records = await Promise.all(Array.from({ length: 50 }, () => sealer.seal("12345678-5", PLACE)));
		expect(new Set(records.map((record) => record.slice(3, 19))).size).toBe(50);
	});
});

describe("rotation of sealing keys", () => {
	test("the first key seals, and values of the older ones still open", async () => {
		const before = await (await sealerOf(["k1", FIRST])).seal("12345678-5", PLACE);
		const sealer = await sealerOf(["k2", SECOND], ["k1", FIRST]);
		expect([sealer.currentKeyId, sealer.keyCount]).toEqual(["k2", 2]);
		expect(await sealer.openText(before, PLACE)).toBe("12345678-5");
		expect(keyIdOf(await sealer.seal("12345678-5", PLACE))).toBe("k2");
	});

	test("a value whose key is gone does not open; the error names the place, never the row", async () => {
		const record = await (await sealerOf(["k1", FIRST])).seal("12345678-5", PLACE);
		const sealer = await sealerOf(["k2", SECOND]);
		const error = await sealer.open(record, PLACE).catch((thrown: Error) => thrown);
		expect(String(error)).toBe("Error: no key to open holders.full_name");
	});

	test("a value does not open under another key of the same id", async () => {
		const record = await (await sealerOf(["k1", FIRST])).seal("12345678-5", PLACE);
		const sealer = await sealerOf(["k1", SECOND]);
		await expect(sealer.open(record, PLACE)).rejects.toThrow();
	});

	test("there is no sealer without a key", async () => {
		await expect(sealerOf()).rejects.toThrow("at least one key");
	});
});

describe("an answer sealed for its caller", { tags: ["idempotency-sealed"] }, () => {
	const SECRET = new Uint8Array(32).fill(3);
	const ANSWER = { status: 200, body: { pfx: "MIIK" } };

	test("has a key of 32 bytes that depends on Idempotency-Key, partner and secret", async () => {
		const key = await deriveCallerKey(SECRET, "partner-1", "order-1");
		expect(key).toHaveLength(32);
		expect(await deriveCallerKey(SECRET, "partner-1", "order-1")).toEqual(key);
		expect(await deriveCallerKey(SECRET, "partner-2", "order-1")).not.toEqual(key);
		expect(await deriveCallerKey(SECRET, "partner-1", "order-2")).not.toEqual(key);
		expect(await deriveCallerKey(FIRST, "partner-1", "order-1")).not.toEqual(key);
	});

	test("opens with the caller's key and the key's id, and with nothing else", async () => {
		const key = await deriveCallerKey(SECRET, "partner-1", "order-1");
		const sealed = await sealForCaller(key, ANSWER, "id-1");
		expect(await openForCaller(key, sealed, "id-1")).toEqual(ANSWER);
		await expect(openForCaller(key, sealed, "id-2")).rejects.toThrow();
		const other = await deriveCallerKey(SECRET, "partner-2", "order-1");
		await expect(openForCaller(other, sealed, "id-1")).rejects.toThrow();
		expect(new TextDecoder().decode(sealed)).not.toContain("MIIK");
	});
});
