import { beforeAll, describe, expect, test } from "vitest";
import { AuthorityError } from "../../../src/x509/authority-error.ts";
import { serialize } from "../../../src/x509/der.ts";
import { type AuthoritySettings, loadIssuingAuthority } from "../../../src/x509/issuing-authority.ts";
import { loadRetiredAuthority } from "../../../src/x509/retired-authority.ts";
import { CA_OF_LEAVES, createP384Keys, makeCertificate, SIGNS_ALL } from "./p384-certificate.ts";
import { createTestSettings } from "./test-authority.ts";

let settings: AuthoritySettings;

beforeAll(async () => {
	settings = await createTestSettings("p-384", new Date("2001-01-01T00:00:00Z"));
});

test("a replaced authority is what it was when it issued, long after its end", async () => {
	const issuing = await loadIssuingAuthority(settings);
	const { certificate, subject, commonName, publicKey, subjectKeyId, keyId, signer } = issuing;
	const retired = await loadRetiredAuthority(settings);
	expect(retired).toEqual({
		certificate,
		subject,
		commonName,
		publicKey,
		subjectKeyId,
		keyId,
		signer: { ...signer, sign: expect.any(Function) },
	});
});

test("one whose key was destroyed has no signer, and all else", async () => {
	const before = await loadRetiredAuthority(settings);
	expect(await loadRetiredAuthority({ ...settings, key: null })).toEqual({ ...before, signer: null });
});

describe("a replaced authority is refused when", () => {
	test.each<[string, () => Promise<{ key?: string | null; certificate?: string }>, string]>([
		["its key is empty", async () => ({ key: "" }), "the issuing key is not PKCS#8"],
		[
			"its certificate is not base64",
			async () => ({ certificate: "not base64!" }),
			"the issuing certificate is not base64",
		],
		[
			"its certificate is not DER",
			async () => ({ certificate: "AAAA" }),
			"the issuing certificate is not a DER certificate",
		],
		[
			"it has no key identifier, which its addresses are named after",
			async () => {
				const extensions = [CA_OF_LEAVES, SIGNS_ALL];
				const certificate = await makeCertificate({ keys: await createP384Keys(), extensions });
				return { key: null, certificate: serialize(certificate).toBase64() };
			},
			"the issuing certificate has no subject key identifier",
		],
	])("%s", async (_why, difference, message) => {
		const error = await loadRetiredAuthority({ ...settings, ...(await difference()) }).catch(
			(thrown) => thrown,
		);
		expect(error).toBeInstanceOf(AuthorityError);
		expect(error.message).toBe(message);
	});
});
