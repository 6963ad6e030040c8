import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { byTurns } from "../support/run-size.ts";
import { isInstalled } from "./pfx-openers.ts";
import { crlPem } from "./publish-crl.ts";
import { ToolFolder } from "./revocation-tools.ts";
import { TokenCeremonies } from "./token-ceremonies.ts";
import { testWith } from "./tool-test.ts";
import { EXCLUSIONS, runZlint } from "./zlint.ts";

/*
 * Ceremonies with keys in tokens, held as the runbook has them (docs/operators/authority.md). The tests go on from each other;
 * leaked-authority.test.ts replaces and withdraws an authority of tokens while the service runs.
 */

const FROM = new Date(Date.now() - 60_000).toISOString();
const names = { name: "TEST Ceremony", organization: "TEST Ceremony SpA", rut: "76123456-0" };

/** In CI leaked-authority.test.ts has those of RSA. */
describe.each(byTurns(["p-384", "rsa-3072"] as const, 2))("with keys of %s,", (key) => {
	const files = new ToolFolder();
	let tokens: TokenCeremonies;

	const hold: TokenCeremonies["hold"] = (...given) => tokens.hold(...given);
	const issuingKey = (slot: string, out: string) => {
		const labels = { label: out, log_label: `${out} log` };
		return hold(slot, out, { ceremony: "issuing-key", ...labels, key, root: "root/root.pem" });
	};

	beforeAll(() => {
		if (isInstalled("softhsm2-util")) tokens = new TokenCeremonies(files, "root", "first", "second");
	});
	afterAll(() => files[Symbol.dispose]());

	testWith("softhsm2-util", "root and issuing keys are made in tokens that refuse to give them", async () => {
		const root = { ...names, label: "root", from: FROM, until: "2046-01-01T00:00:00Z" };
		const rootKey = await hold("root", "root", { ceremony: "root", key, ...root });
		for (const held of [rootKey, await issuingKey("first", "issuing-1")]) {
			expect(held).toMatchObject({ code: 0 });
			expect(held.text).toContain("the token answers CKR_ATTRIBUTE_SENSITIVE");
		}
		const held = await hold("root", "first", {
			...{ ceremony: "issuing", ...root, until: "2036-01-01T00:00:00Z", root: "root/root.pem" },
			...{ root_crl: "root/root.crl", public_key: "issuing-1/issuing.public.pem" },
			pki_url: "http://pki.example.cl/pki",
		});
		expect(held).toMatchObject({ code: 0 });
		const { text } = await files.openssl("verify -x509_strict -CAfile root/root.pem first/issuing.pem");
		expect(text).toBe("first/issuing.pem: OK\n");
		const record = JSON.parse(readFileSync(files.path("first/issuing.record.json"), "utf8"));
		const shown = await files.openssl("x509 -in first/issuing.pem -noout -fingerprint -sha256");
		const sha256 = shown.text.trim().split("=")[1]!.replaceAll(":", "").toLowerCase();
		expect(record.made["issuing.pem"].certificate_sha256).toBe(sha256);
		expect(readFileSync(files.path("first/issuing.ceremony.json"))).toEqual(
			readFileSync(files.path("first.json")),
		);
	});

	testWith(["softhsm2-util", "zlint"], "zlint finds in them what is excluded by name", () => {
		files.write("root.crl.pem", crlPem(readFileSync(files.path("root/root.crl"))));
		for (const [subject, file] of [
			["root", "root/root.pem"],
			["issuing authority", "first/issuing.pem"],
			["root's CRL", "root.crl.pem"],
		] as const)
			expect([subject, runZlint(files.path(file)).found]).toEqual([
				subject,
				Object.keys(EXCLUSIONS[subject]).sort(),
			]);
	});

	testWith("softhsm2-util", "one token never has root and issuing key, nor two keys of a label", async () => {
		expect((await issuingKey("root", "same-token")).text).toContain("This token has the root's key");
		const again = await issuingKey("first", "issuing-1");
		expect(again.text).toContain("has a key with the label issuing-1 already");
	});

	testWith("softhsm2-util", "what was changed after the review is not carried out", async () => {
		const ceremony = { ceremony: "issuing-key", label: "a", log_label: "b", key, root: "root/root.pem" };
		files.write("changed.json", JSON.stringify(ceremony));
		const printed = await tokens.run("changed.json", "second", "changed");
		expect(printed.text).toContain("Nothing was made.");
		const [fingerprint] = /[0-9a-f]{64}$/m.exec(printed.text)!;
		files.write("changed.json", JSON.stringify({ ...ceremony, label: "c" }));
		const held = await tokens.run("changed.json", "second", "changed", "--reviewed", fingerprint);
		expect(held).toMatchObject({ code: 1, text: expect.stringContaining("is not what was reviewed") });
		files.write("changed.json", JSON.stringify({ ...ceremony, lable: "c" }));
		expect((await tokens.run("changed.json", "second", "changed")).text).toContain(
			'Unrecognized key: "lable"',
		);
	});

	testWith("softhsm2-util", "an authority's last CRL goes on from its own, not from another's", async () => {
		const last = { ceremony: "final-crl", label: "issuing-1", issuing: "first/issuing.pem", from: FROM };
		const other = await hold("first", "refused", { ...last, crl: "root/root.crl" });
		expect(other.text).toContain("the CRL before is not of this authority");
	});
});
