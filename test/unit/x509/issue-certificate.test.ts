import { bytesToHex } from "@noble/hashes/utils.js";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { generateHolderKeyPair } from "../../../src/x509/holder-key.ts";
import { issueCertificate } from "../../../src/x509/issue-certificate.ts";
import type { IssuingAuthority } from "../../../src/x509/issuing-authority.ts";
import { createTestAuthority, issueInput } from "./test-authority.ts";

let authority: IssuingAuthority;
let keyPair: CryptoKeyPair;
/** The authority's signature of other bytes. */
let other: Uint8Array;

beforeAll(async () => {
	authority = await createTestAuthority("p-384");
	keyPair = await generateHolderKeyPair("ec-p256");
	other = (await authority.signer.sign("certificates", Uint8Array.of(1))).signature;
});

afterEach(() => {
	vi.restoreAllMocks();
});

/** Every private key exported during the test: its bytes at that time, in hex, and the buffer that was returned. */
function spyOnExportedKeys() {
	const exportKey = crypto.subtle.exportKey.bind(crypto.subtle);
	const exported: { asExported: string; buffer: ArrayBuffer }[] = [];
	vi.spyOn(crypto.subtle, "exportKey").mockImplementation(async (format, key) => {
		const buffer = (await exportKey(format, key)) as ArrayBuffer;
		if (format === "pkcs8") exported.push({ asExported: bytesToHex(new Uint8Array(buffer)), buffer });
		return buffer;
	});
	return exported;
}

describe("nothing is signed, and nothing leaves, that does not match the profile", () => {
	const issue = () => issueCertificate(authority, issueInput({ keyAlgorithm: "ec-p256", keyPair }));

	test("what the linter refuses never reaches the signer", async () => {
		const sign = vi.spyOn(authority.signer, "sign");
		const rsa = issueInput({ keyAlgorithm: "rsa-2048", keyPair });
		expect(await issueCertificate(authority, rsa)).toMatchObject({ ok: false });
		expect(sign).not.toHaveBeenCalled();
	});

	test.each<[string, (signature: Uint8Array) => Uint8Array]>([
		["with a byte changed", (signature) => signature.with(-1, signature.at(-1)! ^ 1)],
		["of other bytes", () => other],
		["of no bytes", () => new Uint8Array()],
	])("a signature %s", async (_what, alter) => {
		const { sign } = authority.signer;
		vi.spyOn(authority.signer, "sign").mockImplementation(async (kind, tbs) => {
			const { signature, receipt } = await sign(kind, tbs);
			return { signature: alter(signature), receipt };
		});
		expect(await issue()).toEqual({ ok: false, failures: ["signature: does not verify"] });
	});

	test("the signer is given the bytes of the certificate that leaves, once", async () => {
		const sign = vi.spyOn(authority.signer, "sign");
		const issued = await issue();
		const [[kind, tbs]] = sign.mock.calls as [[string, Uint8Array]];
		expect(sign).toHaveBeenCalledTimes(1);
		expect(kind).toBe("certificates");
		expect(issued.ok && bytesToHex(issued.leaf).slice(8, 8 + 2 * tbs.length)).toBe(bytesToHex(tbs));
	});
});

const PRIVATE_KEY_INFO = /^308187020100/;

describe("invariant 5: the exported private key is zeroed", { tags: ["private-key-nowhere"] }, () => {
	const issue = (differences: Parameters<typeof issueInput>[0]) =>
		issueCertificate(authority, issueInput({ keyAlgorithm: "ec-p256", keyPair, ...differences }));

	test.each<[string, () => Promise<void>]>([
		[
			"after the certificate was issued",
			async () => {
				expect((await issue({})).ok).toBe(true);
			},
		],
		[
			"after the linter found the certificate wrong",
			async () => {
				const result = await issue({ keyAlgorithm: "rsa-2048" });
				const failures = ["public key: not of the algorithm asked for", "keyUsage: wrong"];
				expect(result).toEqual({ ok: false, failures });
			},
		],
		[
			"after signing failed",
			async () => {
				vi.spyOn(authority.signer, "sign").mockRejectedValue(new Error("the signer is away"));
				await expect(issue({})).rejects.toThrow("the signer is away");
			},
		],
		[
			"after the PFX could not be assembled",
			async () => {
				vi.spyOn(crypto.subtle, "deriveKey").mockRejectedValue(new Error("no key derivation"));
				await expect(issue({})).rejects.toThrow("no key derivation");
			},
		],
	])("%s", async (_when, issuing) => {
		const exported = spyOnExportedKeys();
		await issuing();
		expect(exported).toHaveLength(1);
		expect(exported[0]!.asExported).toMatch(PRIVATE_KEY_INFO);
		expect(bytesToHex(new Uint8Array(exported[0]!.buffer))).toMatch(/^(00)+$/);
	});
});
