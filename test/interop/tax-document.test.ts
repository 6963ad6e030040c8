import { createPublicKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { pin } from "../unit/x509/test-authority.ts";
import { createAuthorityToday, issueToday } from "./issue-today.ts";
import { ToolFolder } from "./revocation-tools.ts";
import { ALGORITHMS, SIGNED_ELEMENT, writeTaxDocument } from "./tax-document.ts";
import { testWith } from "./tool-test.ts";

/* A tax document (DTE) signed with the PFX by xmlsec1, and verified with nothing trusted but the root. */

const files = new ToolFolder();
const leaves: Record<string, X509Certificate> = {};
const ids = ["--id-attr:ID", SIGNED_ELEMENT];

beforeAll(async () => {
	const { authority, rootPem, issuingPem } = await createAuthorityToday();
	files.write("root.pem", rootPem);
	files.write("issuing.pem", issuingPem);
	files.write("other-root.pem", (await createAuthorityToday("p-384")).rootPem);
	for (const pfxProfile of ["modern", "legacy"] as const) {
		const { pfx, leafPem } = await issueToday(authority, { pfxProfile });
		files.write(`${pfxProfile}.pfx`, pfx);
		files.write(`${pfxProfile}.pem`, leafPem);
		leaves[pfxProfile] = new X509Certificate(leafPem);
	}
	for (const [name, algorithms] of Object.entries(ALGORITHMS))
		files.write(`${name}.xml`, writeTaxDocument(algorithms));
});
afterAll(() => files[Symbol.dispose]());

/** Signs with what the PFX holds, and says what came out. */
async function sign(template: string, ...withKey: string[]): Promise<string> {
	const options = [...withKey, ...ids, "--output", "signed.xml", `${template}.xml`];
	const { code, text } = await files.run("xmlsec1", "--sign", ...options);
	expect([code, text]).toEqual([0, ""]);
	return readFileSync(files.path("signed.xml"), "latin1");
}

const signWithPfx = (template: string, profile = "modern") =>
	sign(template, "--pkcs12", `${profile}.pfx`, "--pwd", pin);

/** Verifies by the certificate in the signature, whose chain has to end at the root. */
function verify(file: string, trusted = "root.pem") {
	const chain = ["--trusted-pem", trusted, "--untrusted-pem", "issuing.pem", "--enabled-key-data", "x509"];
	return files.run("xmlsec1", "--verify", ...chain, ...ids, file);
}

const GOOD = { code: 0, text: expect.stringMatching(/^OK\nSignedInfo References \(ok\/all\): 1\/1\n/) };

describe.each(Object.keys(ALGORITHMS))("%s", (template) => {
	for (const profile of ["modern", "legacy"]) {
		testWith("xmlsec1", `signed with the ${profile} PFX, verified under the root`, async () => {
			await signWithPfx(template, profile);
			expect(await verify("signed.xml")).toEqual(GOOD);
		});
	}

	testWith("xmlsec1", "not verified once a byte of document or signature is another", async () => {
		const signed = await signWithPfx(template);
		for (const [from, to] of [
			["<MntTotal>1190<", "<MntTotal>9190<"],
			["Ñuñoa", "Ñunoa"],
			["<TasaIVA>19<", "<TasaIVA>19 <"],
			['Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"', '$& Id="x"'],
			["<SignatureValue>", "<SignatureValue>AAAA"],
		] as const) {
			const altered = signed.replace(from, to);
			expect(altered).not.toBe(signed);
			files.write("altered.xml", Buffer.from(altered, "latin1"));
			const { code, text } = await verify("altered.xml");
			expect([code, text]).toEqual([1, expect.stringMatching(/^(FAIL|.*\nFAIL)/m)]);
		}
	});

	testWith("xmlsec1", "not verified under another authority's root", async () => {
		await signWithPfx(template);
		const { code, text } = await verify("signed.xml", "other-root.pem");
		expect(code).not.toBe(0);
		expect(text).toContain("X509_verify_cert: subject=");
	});
});

describe("a signature valid under the tax authority's xmldsignature_v10.xsd", () => {
	/** Key and leaf taken out of the PFX, as LibreDTE and Odoo do; with --pkcs12 xmlsec1 writes the chain as well. */
	async function signWithKeyAndLeaf(): Promise<string> {
		await files.openssl(`pkcs12 -in modern.pfx -passin pass:${pin} -nodes -nocerts -out key.pem`);
		return sign("rsaSha1", "--privkey-pem", "key.pem,modern.pem");
	}

	testWith(
		["xmlsec1", "openssl"],
		"RSAKeyValue and one X509Certificate, both the leaf's, in that order",
		async () => {
			const signed = await signWithKeyAndLeaf();
			const [, modulus, exponent, ...certificates] =
				/<KeyInfo><KeyValue>\s*<RSAKeyValue>\s*<Modulus>([^<]+)<\/Modulus>\s*<Exponent>([^<]+)<\/Exponent>\s*<\/RSAKeyValue>\s*<\/KeyValue>\s*<X509Data>\s*<X509Certificate>([^<]+)<\/X509Certificate>\s*<\/X509Data><\/KeyInfo>/.exec(
					signed,
				)!;
			const [n, e] = [modulus, exponent].map((text) => Buffer.from(text!, "base64").toString("base64url"));
			const key = createPublicKey({ key: { kty: "RSA", n: n!, e: e! }, format: "jwk" });
			expect(leaves.modern!.publicKey.equals(key)).toBe(true);
			expect(certificates.map((text) => Buffer.from(text, "base64"))).toEqual([leaves.modern!.raw]);
			expect(signed).toContain(`<SignatureMethod Algorithm="${ALGORITHMS.rsaSha1.signature}"/>`);
			expect(await verify("signed.xml")).toEqual(GOOD);
		},
	);

	testWith(
		["xmlsec1", "openssl"],
		"verified by the RSAKeyValue alone, where there is no certificate",
		async () => {
			const signed = await signWithKeyAndLeaf();
			const bare = signed.replace(/<X509Data>[\s\S]*<\/X509Data>/, "");
			files.write("bare.xml", Buffer.from(bare, "latin1"));
			expect(await files.run("xmlsec1", "--verify", ...ids, "bare.xml")).toEqual(GOOD);
		},
	);
});
