import { afterAll, beforeAll, describe, expect } from "vitest";
import { createAuthorityToday, issueToday } from "./issue-today.ts";
import { publishCrl } from "./publish-crl.ts";
import { ToolFolder } from "./revocation-tools.ts";
import { testsWith, testWith } from "./tool-test.ts";

/* Leaf, issuing authority and root as a chain, judged by OpenSSL, GnuTLS and NSS, for each use and against the CRL. */

const AUTHORITIES = ["rsa-3072", "p-384"] as const;
const KEYS = ["rsa-2048", "ec-p256"] as const;

describe.each(AUTHORITIES)("under a %s authority", (keyType) => {
	const files = new ToolFolder();
	const test = testsWith("openssl");
	beforeAll(async () => {
		const { authority, rootPem, issuingPem } = await createAuthorityToday(keyType);
		files.write("root.pem", rootPem);
		files.write("issuing.pem", issuingPem);
		files.write("empty.crl", await publishCrl(authority, []));
		for (const keyAlgorithm of KEYS) {
			const { leafPem, serial } = await issueToday(authority, { keyAlgorithm });
			files.write(`${keyAlgorithm}.pem`, leafPem);
			files.write(`${keyAlgorithm}.crl`, await publishCrl(authority, [serial]));
			files.write(`${keyAlgorithm}-chain.pem`, leafPem + issuingPem + rootPem);
		}
		files.write("other-root.pem", (await createAuthorityToday("p-384")).rootPem);
	});
	afterAll(() => files[Symbol.dispose]());

	const openssl = (leaf: string, more: string, root = "root.pem") =>
		files.run(
			"openssl",
			..."verify -x509_strict -policy_check -untrusted issuing.pem -CAfile".split(" "),
			...[root, ...more.split(" "), `${leaf}.pem`],
		);

	for (const key of KEYS) {
		// EC keys lack keyEncipherment, which RFC 8813 §3 forbids them, so openssl finds them unsuitable to encrypt to.
		const uses = ["smimesign", "sslclient", ...(key === "rsa-2048" ? ["smimeencrypt"] : [])];
		const others = ["sslserver", "crlsign", "timestampsign", ...(key === "ec-p256" ? ["smimeencrypt"] : [])];
		test(`a ${key} leaf is good for ${uses.join(", ")}, and for no server or CA`, async () => {
			for (const purpose of uses)
				expect(await openssl(key, `-purpose ${purpose}`)).toEqual({ code: 0, text: `${key}.pem: OK\n` });
			for (const purpose of others) {
				const { code, text } = await openssl(key, `-purpose ${purpose}`);
				expect([code, text]).toEqual([2, expect.stringContaining("unsuitable certificate purpose")]);
			}
		});

		testWith(
			"certutil",
			`NSS finds a ${key} leaf good to sign, to write to, as a client, and no more`,
			async () => {
				using nss = new ToolFolder();
				await nss.run("certutil", "-N", "-d", "sql:.", "--empty-password");
				for (const [name, trust] of [
					["root", "CT,C,C"],
					["issuing", ",,"],
					[key, ",,"],
				] as const) {
					const added = ["-n", name, "-t", trust, "-i", files.path(`${name}.pem`)];
					const { code } = await nss.run("certutil", "-A", "-d", "sql:.", ...added);
					expect(code).toBe(0);
				}
				const verify = (use: string) => nss.run("certutil", "-V", "-d", "sql:.", "-n", key, "-u", use);
				for (const use of ["S", "R", "C"])
					expect(await verify(use)).toEqual({ code: 0, text: "certutil: certificate is valid\n" });
				for (const use of ["V", "L", "O"])
					expect((await verify(use)).text).toContain("certificate is invalid");
			},
		);

		test(`a ${key} leaf is good with a CRL that does not name it, and only with that`, async () => {
			expect(await openssl(key, "-crl_check -CRLfile empty.crl")).toMatchObject({ code: 0 });
			const revoked = await openssl(key, `-crl_check -CRLfile ${key}.crl`);
			expect(revoked).toEqual({ code: 2, text: expect.stringContaining("certificate revoked") });
			const without = await openssl(key, "-crl_check");
			expect(without).toEqual({ code: 2, text: expect.stringContaining("unable to get certificate CRL") });
		});

		test(`a ${key} leaf is not good under another root`, async () => {
			const { code, text } = await openssl(key, "-purpose smimesign", "other-root.pem");
			expect([code, text]).toEqual([2, expect.stringMatching(/unable to get (local )?issuer certificate/)]);
		});

		testWith(
			"certtool",
			`GnuTLS verifies the chain of a ${key} leaf, for e-mail, not for a server, and against the CRL`,
			async () => {
				const chain = await files.run("certtool", "--verify-chain", "--infile", `${key}-chain.pem`);
				expect(chain.text).toMatch(/Chain verification output: Verified\. The certificate is trusted\./);
				const verify = ["--verify", "--load-ca-certificate", "root.pem", "--infile", `${key}-chain.pem`];
				const forUse = (purpose: string) => files.run("certtool", ...verify, "--verify-purpose", purpose);
				expect(await forUse("1.3.6.1.5.5.7.3.4")).toMatchObject({ code: 0 });
				expect((await forUse("1.3.6.1.5.5.7.3.1")).code).not.toBe(0);
				const withCrl = (crl: string) => files.run("certtool", ...verify, "--load-crl", crl);
				expect((await withCrl("empty.crl")).text).toContain("Verified. The certificate is trusted.");
				expect((await withCrl(`${key}.crl`)).text).toMatch(/revoked/i);
			},
		);
	}
});
