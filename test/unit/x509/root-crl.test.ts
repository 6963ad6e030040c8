import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { beforeAll, describe, expect, test } from "vitest";
import { createRootCrl } from "../../../scripts/create-root-crl.ts";
import { AuthorityError } from "../../../src/x509/authority-error.ts";
import { serialize } from "../../../src/x509/der.ts";
import { loadRootCrl } from "../../../src/x509/root-crl.ts";
import { createP384Keys, exportKey, makeCertificate, p384 } from "./p384-certificate.ts";

const LONG_AGO = new Date("2020-01-01T00:00:00Z");

interface Root {
	keys: CryptoKeyPair;
	key: string;
	der: Uint8Array;
}

let root: Root;
let renamed: Root;
let crl: Uint8Array;

beforeAll(async () => {
	const keys = await createP384Keys();
	root = await makeRoot(keys, "CN=TEST Root CA");
	renamed = await makeRoot(keys, "CN=TEST Other Root CA");
	crl = await sign(root);
});

async function makeRoot(keys: CryptoKeyPair, name: string): Promise<Root> {
	const certificate = await makeCertificate({ keys, subject: name, issuer: name });
	return { keys, key: await exportKey(keys), der: serialize(certificate) };
}

const sign = ({ key, der }: Root) =>
	createRootCrl({ root: { key, certificate: der.toBase64() }, now: LONG_AGO });

test("a root CRL is read as it is, also one that ended long ago", async () => {
	const read = await loadRootCrl(crl.toBase64(), root.der);
	expect(read.der.toHex()).toBe(crl.toHex());
	expect(read.nextUpdate).toEqual(new Date("2021-01-01T00:00:00Z"));
});

describe("a root CRL is refused when", () => {
	test.each<[string, () => string | Promise<string>, string]>([
		["it is not base64", () => "not base64!", "the root CRL is not base64"],
		["it is not DER", () => "AAAA", "the root CRL is not a DER CRL"],
		["it is a certificate", () => root.der.toBase64(), "the root CRL is not a DER CRL"],
		[
			"another root of the same name signed it",
			async () => (await sign(await makeRoot(await createP384Keys(), "CN=TEST Root CA"))).toBase64(),
			"the root CRL is not signed by the root",
		],
		[
			"it names another issuer, with the root's own key",
			async () => (await sign(renamed)).toBase64(),
			"the root CRL is not signed by the root",
		],
		[
			"a date was changed after it was signed",
			() => new Uint8Array(changeText(crl, "210101000000Z", "220101000000Z")).toBase64(),
			"the root CRL is not signed by the root",
		],
		["it has no next update", () => signWithoutEnd(root), "the root CRL has no next update"],
	])("%s", async (_why, list, message) => {
		expect(await refusal(await list(), root.der)).toBe(message);
	});

	test("the root itself cannot be read", async () => {
		const der = root.der.subarray(0, -1);
		expect(await refusal(crl.toBase64(), der)).toBe("the root certificate is not a DER certificate");
	});
});

async function refusal(list: string, rootDer: Uint8Array): Promise<string> {
	const error = await loadRootCrl(list, rootDer).catch((thrown) => thrown);
	expect(error).toBeInstanceOf(AuthorityError);
	return error.message;
}

function changeText(der: Uint8Array, from: string, to: string): Uint8Array {
	const text = Buffer.from(der).toString("latin1");
	expect(text).toContain(from);
	return Buffer.from(text.replace(from, to), "latin1");
}

async function signWithoutEnd({ keys }: Root): Promise<string> {
	const list = await x509.X509CrlGenerator.create({
		issuer: "CN=TEST Root CA",
		thisUpdate: LONG_AGO,
		signingAlgorithm: p384,
		signingKey: keys.privateKey,
	});
	return new Uint8Array(list.rawData).toBase64();
}
