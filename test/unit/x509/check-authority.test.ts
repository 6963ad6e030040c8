import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { beforeAll, describe, expect, test } from "vitest";
import { AuthorityError } from "../../../src/x509/authority-error.ts";
import { checkChain, checkName, checkSettings } from "../../../src/x509/check-authority.ts";
import { CA, CA_OF_LEAVES, createP384Keys, makeCertificate, SIGNS_ALL } from "./p384-certificate.ts";

/* checkKey is tested with what loads a key: issuing-authority, retired-authority and ocsp. */

let rootKeys: CryptoKeyPair;
let issuingKeys: CryptoKeyPair;
let strangerKeys: CryptoKeyPair;

beforeAll(async () => {
	[rootKeys, issuingKeys, strangerKeys] = await Promise.all([
		createP384Keys(),
		createP384Keys(),
		createP384Keys(),
	]);
});

type Parts = Partial<Parameters<typeof makeCertificate>[0]>;

const makeRoot = (parts: Parts = {}) => makeCertificate({ keys: rootKeys, extensions: [CA], ...parts });
const makeIssuing = (parts: Parts = {}) =>
	makeCertificate({
		keys: issuingKeys,
		signedBy: rootKeys,
		subject: "CN=TEST Issuing CA",
		extensions: [CA_OF_LEAVES, SIGNS_ALL],
		...parts,
	});

test("RFC 5280 §6.1: an issuing authority under its root is accepted", async () => {
	await expect(checkChain(await makeIssuing(), await makeRoot())).resolves.toBeUndefined();
});

describe("RFC 5280 §6.1: a chain is refused when", () => {
	const { keyCertSign, cRLSign } = x509.KeyUsageFlags;
	const path = (length: number) => new x509.BasicConstraintsExtension(true, length, true);
	const usages = (flags: number) => new x509.KeyUsagesExtension(flags, true);

	const NO_CA = " is not a CA";
	const LACKS = " lacks keyCertSign or cRLSign";

	test.each<[string, x509.Extension[], string]>([
		["says nothing about being a CA", [SIGNS_ALL], NO_CA],
		["has no extensions at all", [], NO_CA],
		["says nothing about its key's usage", [CA_OF_LEAVES], LACKS],
		["may sign any chain", [CA, SIGNS_ALL], "'s path length is not 0"],
		["may sign another authority", [path(1), SIGNS_ALL], "'s path length is not 0"],
		["may sign no CRL", [CA_OF_LEAVES, usages(keyCertSign)], LACKS],
		["may sign no certificate", [CA_OF_LEAVES, usages(cRLSign)], LACKS],
	])("the issuing certificate %s", async (_, extensions, fault) => {
		const refused = checkChain(await makeIssuing({ extensions }), await makeRoot());
		await expect(refused).rejects.toThrow(new AuthorityError(`the issuing certificate${fault}`));
	});

	test("another issuer is named, or another key signed it or the root, or the root is not a CA", async () => {
		const refusal = async (issuing: Parts, root: Parts = {}) =>
			checkChain(await makeIssuing(issuing), await makeRoot(root)).catch((error) => String(error));
		const by = { signedBy: strangerKeys };
		const otherName = { issuer: "CN=TEST Other Root CA" };
		expect([
			await refusal(otherName),
			await refusal(by),
			await refusal({}, by),
			await refusal({}, { extensions: [] }),
		]).toEqual(
			[
				"the issuing certificate names another issuer than the root",
				"the issuing certificate is not signed by the root",
				"the root certificate is not signed by itself",
				"the root certificate is not a CA",
			].map((message) => String(new AuthorityError(message))),
		);
	});
});

describe("an issuing authority's name", () => {
	const printable = { "2.5.4.10": [{ printableString: "TEST" }] };
	const utf8 = { "2.5.4.3": [{ utf8String: "TEST" }] };
	const check = async (...parts: ConstructorParameters<typeof x509.Name>) =>
		checkName(await makeIssuing({ subject: new x509.Name(...parts) }));

	test("is PrintableString", async () => {
		await expect(check([printable])).resolves.toBeUndefined();
	});

	test.each([
		["empty", []],
		["UTF8String", [utf8]],
		["PrintableString in one attribute and UTF8String in the next", [printable, utf8]],
	])("is refused when it is %s", async (_what, name) => {
		await expect(check(name)).rejects.toThrow(
			new AuthorityError("the issuing certificate's name is not PrintableString throughout"),
		);
	});
});

describe("facts of the authority in its leaves", () => {
	const facts = {
		rut: "76123456-0",
		policyOid: "1.3.6.1.4.1.99999.1.1",
		cpsUrl: "https://pki.example.cl/cps",
		crlUrl: "http://pki.example.cl/crl",
	};
	const RUT = "the authority's RUT is not of the form 12345678-K";
	const OID = "the policy OID is not an object identifier";
	const CPS = "the CPS URL is not an http(s) URL";
	const PKI = "the PKI URL is not a plain http URL";

	test.each<Partial<typeof facts>>([
		{},
		{ rut: "1-9" },
		{ rut: "7654302-K" },
		{ policyOid: "2.0.10" },
		{ cpsUrl: "http://pki.example.cl/cps" },
	])("is accepted: %o", (difference) => {
		expect(() => checkSettings({ ...facts, ...difference })).not.toThrow();
	});

	test.each<[Partial<typeof facts>, string]>([
		[{ rut: "76123456-00" }, RUT],
		[{ rut: "x76123456-0" }, RUT],
		[{ rut: "06123456-0" }, RUT],
		[{ rut: "761234567-0" }, RUT],
		[{ rut: "7654302-k" }, RUT],
		[{ policyOid: "x1.3.6" }, OID],
		[{ policyOid: "1.3.6x" }, OID],
		[{ policyOid: "3.1" }, OID],
		[{ policyOid: "1" }, OID],
		[{ policyOid: "1.03" }, OID],
		[{ cpsUrl: " https://pki.example.cl" }, CPS],
		[{ cpsUrl: "https://pki.example.cl/c p s" }, CPS],
		[{ cpsUrl: "https://" }, CPS],
		[{ crlUrl: " http://pki.example.cl" }, PKI],
		[{ crlUrl: "http://pki.example.cl/ñ" }, PKI],
		[{ crlUrl: "http://" }, PKI],
	])("is refused: %o", (difference, message) => {
		expect(() => checkSettings({ ...facts, ...difference })).toThrow(new AuthorityError(message));
	});
});
