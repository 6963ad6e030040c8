import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { derivePkcs12Key, encodeBmpPassword, purpose } from "../../../src/x509/pkcs12-kdf.ts";
import { createPartnerSerials, createSerial, serialToHex } from "../../../src/x509/serial.ts";

describe("PKCS#12 key derivation (RFC 7292 App. B)", () => {
	// Stephen Henson's PKCS#12 vectors, which OpenSSL, Bouncy Castle and Go test against.
	test.each([
		["smeg", "key", "0a58cf64530d823f", 1, 24, "8aaae6297b6cb04642ab5b077851284eb7128f1a2a7fbca3"],
		["smeg", "iv", "0a58cf64530d823f", 1, 8, "79993dfe048d3b76"],
		["smeg", "mac", "3d83c0e4546ac140", 1, 20, "8d967d88f6caa9d714800ab3d48051d63f73a312"],
		["queeg", "key", "05dec959acff72f7", 1000, 24, "ed2034e36328830ff09df1e1a07dd357185dac0d4f9eb3d4"],
		["queeg", "iv", "05dec959acff72f7", 1000, 8, "11dedad7758d4860"],
		["queeg", "mac", "263216fcc2fab31c", 1000, 20, "5ec4c7a80df652294c3925b6489a7ab857c83476"],
	] as const)("SHA-1, %s, %s, salt %s, %i rounds", (password, use, salt, rounds, length, derived) => {
		const input = { hash: "sha1", purpose: purpose[use], salt: hexToBytes(salt), rounds, length } as const;
		expect(bytesToHex(derivePkcs12Key({ ...input, password: encodeBmpPassword(password) }))).toBe(derived);
	});

	// Vectors of `openssl kdf … PKCS12KDF`, OpenSSL 3.0.19. The second runs over three blocks.
	test.each([
		["mac", 2048, 32, "c90e760053a604548c9e55329ccf36807d945c6a881cdf12ba84d1dd7604632c"],
		[
			"key",
			3,
			70,
			"879bcf9cc6c6dae4c9972fddaf45e98d7c6cea766eef47ec4dcbf093e70118618682a2c426aa3a1cfda2c5d9e223f5a71df3338799c4080828825cc730a5e07d71bee1963586",
		],
	] as const)("SHA-256, 1234, %s, %i rounds, %i bytes", (use, rounds, length, derived) => {
		const salt = hexToBytes("0a58cf64530d823f");
		const password = encodeBmpPassword("1234");
		const input = { hash: "sha256", purpose: purpose[use], password, salt, rounds, length } as const;
		expect(bytesToHex(derivePkcs12Key(input))).toBe(derived);
	});

	test("the password is a BMPString with a two-byte NUL", () => {
		expect(bytesToHex(encodeBmpPassword("1ñ"))).toBe("003100f10000");
	});
});

describe("serial", () => {
	test.each([
		["00", "40"],
		["7f", "7f"],
		["80", "40"],
		["ff", "7f"],
	])("of random bytes starting with %s starts with %s: positive, and 16 bytes in DER", (first, shown) => {
		const random = hexToBytes(`${first}${"ab".repeat(15)}`);
		expect(serialToHex(createSerial(random))).toBe(`${shown.toUpperCase()}${"AB".repeat(15)}`);
		expect(random[0]).toBe(Number.parseInt(first, 16));
	});

	test.each([0, 1, 0x80000000, 0xffffffff])(
		"of a partner carries its number %i, for the key's holder alone",
		(number) => {
			const serials = createPartnerSerials(new Uint8Array(32).fill(7));
			const other = createPartnerSerials(new Uint8Array(32).fill(8));
			const made = Array.from({ length: 200 }, () => serialToHex(serials.create(number)));
			for (const serial of made) {
				expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
				expect(serials.numberOf(serial)).toBe(number);
			}
			expect(new Set(made.map((serial) => serial.slice(0, 24))).size).toBe(200);
			expect(new Set(made.map((serial) => serial.slice(24))).size).toBeGreaterThan(198);
			expect(made.filter((serial) => other.numberOf(serial) === number)).toEqual([]);
		},
	);

	test.each(["", "80".repeat(16), "40".repeat(15), "3F".repeat(16), "zz".repeat(16)])(
		"%s is no leaf's and carries no number",
		(serial) => {
			expect(createPartnerSerials(new Uint8Array(32)).numberOf(serial)).toBeNull();
		},
	);

	test("is refused from anything but 16 bytes", () => {
		expect(() => createSerial(new Uint8Array(15))).toThrow(RangeError);
	});
});
