import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { pin } from "../unit/x509/test-authority.ts";
import { createAuthorityToday, issueToday } from "./issue-today.ts";
import { isInstalled } from "./pfx-openers.ts";
import { publishCrl } from "./publish-crl.ts";
import { ToolFolder } from "./revocation-tools.ts";
import { testsWith } from "./tool-test.ts";

const test = testsWith("openssl");

/* Messages signed with and encrypted to a holder's key, by `openssl cms`. */

const MESSAGE = "Señora: queda firmado.\r\n";
const KEYS = ["rsa-2048", "ec-p256"] as const;
const files = new ToolFolder();

beforeAll(async () => {
	const { authority, rootPem, issuingPem } = await createAuthorityToday();
	files.write("root.pem", rootPem);
	files.write("issuing.pem", issuingPem);
	files.write("message", MESSAGE);
	for (const keyAlgorithm of KEYS) {
		const { pfx, leafPem, serial } = await issueToday(authority, { keyAlgorithm });
		files.write(`${keyAlgorithm}.pfx`, pfx);
		files.write(`${keyAlgorithm}.pem`, leafPem);
		if (isInstalled("openssl"))
			await openssl(
				`pkcs12 -in ${keyAlgorithm}.pfx -passin pass:${pin} -nodes -nocerts -out ${keyAlgorithm}.key`,
			);
		files.write(`root-and-${keyAlgorithm}.pem`, rootPem + (await publishCrl(authority, [serial])));
	}
	files.write("root-and-none.pem", rootPem + (await publishCrl(authority, [])));
});
afterAll(() => files[Symbol.dispose]());

const openssl = (line: string) => files.openssl(line);

const sign = (key: string) =>
	openssl(
		`cms -sign -binary -md sha256 -in message -signer ${key}.pem -inkey ${key}.key -certfile issuing.pem -outform DER -out signed.p7s`,
	);
/** @param trusted - a PEM file with the root, and with a CRL where `more` asks for one: cms takes it from there. */
const verify = (trusted = "root.pem", more = "") =>
	openssl(
		`cms -verify -binary -inform DER -in signed.p7s -content message -CAfile ${trusted} -purpose smimesign -x509_strict -out verified${more}`,
	);

describe.each(KEYS)("with a key of %s", (key) => {
	test("a detached signature verifies under the root, for S/MIME signing", async () => {
		expect(await sign(key)).toEqual({ code: 0, text: "" });
		expect(await verify()).toEqual({ code: 0, text: "CMS Verification successful\n" });
	});

	test("it does not verify over one other byte", async () => {
		await sign(key);
		files.write("other", MESSAGE.replace("firmado", "firmada"));
		const line = "cms -verify -binary -inform DER -in signed.p7s -content other -CAfile root.pem";
		const { code, text } = await openssl(line);
		expect([code, text]).toEqual([4, expect.stringContaining("verification failure")]);
	});

	test("with the CRL it verifies as long as the certificate is not on it", async () => {
		await sign(key);
		expect(await verify("root-and-none.pem", " -crl_check")).toMatchObject({ code: 0 });
		const { code, text } = await verify(`root-and-${key}.pem`, " -crl_check");
		expect([code, text]).toEqual([4, expect.stringContaining("certificate revoked")]);
	});

	test("what is encrypted to the certificate the key decrypts, and another's does not", async () => {
		const encrypt = `cms -encrypt -binary -aes-256-cbc -in message -outform DER -out encrypted ${key}.pem`;
		expect(await openssl(encrypt)).toEqual({ code: 0, text: "" });
		const decrypt = "cms -decrypt -binary -inform DER -in encrypted -out decrypted";
		expect(await openssl(`${decrypt} -inkey ${key}.key -recip ${key}.pem`)).toEqual({ code: 0, text: "" });
		expect(readFileSync(files.path("decrypted"), "utf8")).toBe(MESSAGE);
		const other = KEYS.find((name) => name !== key);
		expect((await openssl(`${decrypt} -inkey ${other}.key -recip ${other}.pem`)).code).toBe(4);
	});
});
