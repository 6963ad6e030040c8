import { beforeAll, describe, expect, test } from "vitest";
import { generateHolderKeyPair, type KeyAlgorithm } from "../../src/x509/holder-key.ts";
import type { IssuingAuthority } from "../../src/x509/issuing-authority.ts";
import type { PfxProfile } from "../../src/x509/pfx.ts";
import { type issueInput, maria, pin } from "../unit/x509/test-authority.ts";
import { createAuthorityToday, issueToday } from "./issue-today.ts";
import { checkMacWithPkijs, openWithForge, openWithPkijs } from "./pfx-library-openers.ts";
import {
	encodePem,
	openWithCerttool,
	openWithKeytool,
	openWithOpenssl,
	openWithPk12util,
	verifyWithOpenssl,
} from "./pfx-openers.ts";
import { testWith } from "./tool-test.ts";

const openers = {
	openssl: openWithOpenssl,
	keytool: openWithKeytool,
	certtool: openWithCerttool,
	pk12util: openWithPk12util,
} as const;
const profiles: PfxProfile[] = ["modern", "legacy"];
const keyAlgorithms: KeyAlgorithm[] = ["rsa-2048", "ec-p256"];
const longName = `${maria.fullName} ${"Ñandú ".repeat(15)}`.trim();

describe.each(["rsa-3072", "p-384"] as const)("under a %s authority", (keyType) => {
	let authority: IssuingAuthority;
	const pairs = new Map<KeyAlgorithm, CryptoKeyPair>();

	beforeAll(async () => {
		({ authority } = await createAuthorityToday(keyType));
		for (const algorithm of keyAlgorithms) pairs.set(algorithm, await generateHolderKeyPair(algorithm));
	});

	const issueWith = (keyAlgorithm: KeyAlgorithm, differences: Parameters<typeof issueInput>[0] = {}) =>
		issueToday(authority, { keyAlgorithm, keyPair: pairs.get(keyAlgorithm)!, ...differences });

	for (const keyAlgorithm of keyAlgorithms) {
		for (const pfxProfile of profiles) {
			const what = `a ${pfxProfile} PFX with ${keyAlgorithm}`;

			for (const [tool, open] of Object.entries(openers) as [
				keyof typeof openers,
				typeof openWithOpenssl,
			][]) {
				testWith(tool, `${tool} opens ${what}: leaf, chain and key`, async () => {
					const { leaf, pfx } = await issueWith(keyAlgorithm, { pfxProfile });
					expect(open(pfx, pin)).toEqual({ leafPem: encodePem(leaf), chainLength: 3, keyOpened: true });
				});

				testWith(tool, `${tool} does not open ${what} with another PIN`, async () => {
					const { pfx } = await issueWith(keyAlgorithm, { pfxProfile });
					expect(() => open(pfx, "0000")).toThrow();
				});
			}

			const reach = pfxProfile === "modern" ? "opens" : "verifies the MAC of (it knows no 3DES)";
			test(`PKI.js ${reach} ${what}`, async () => {
				const { leaf, pfx } = await issueWith(keyAlgorithm, { pfxProfile });
				expect(await checkMacWithPkijs(pfx, pin)).toBe(true);
				if (pfxProfile === "legacy") return;
				const opened = await openWithPkijs(pfx, pin);
				expect(opened.certificates[0]).toEqual(leaf);
				expect(opened.friendlyName).toBe(maria.fullName);
			});

			// node-forge knows neither EC keys nor certificates signed with ECDSA.
			const forgeReads = keyAlgorithm === "rsa-2048" && keyType === "rsa-3072";
			test(`node-forge ${forgeReads ? "opens" : "gets past the MAC of (it knows no EC)"} ${what}`, async () => {
				const { leaf, pfx } = await issueWith(keyAlgorithm, { pfxProfile });
				if (forgeReads) expect(openWithForge(pfx, pin).certificates[0]).toEqual(leaf);
				else expect(() => openWithForge(pfx, pin)).not.toThrow(/MAC/);
				expect(() => openWithForge(pfx, "0000")).toThrow(/MAC/);
			});
		}

		testWith("openssl", `openssl verifies the ${keyAlgorithm} leaf strictly, policies and all`, async () => {
			const { leafPem } = await issueWith(keyAlgorithm);
			const [issuing, root] = [encodePem(authority.certificate), encodePem(authority.root)];
			expect(verifyWithOpenssl({ leaf: leafPem, issuing, root }, new Date())).toMatch(/: OK\n$/);
		});
	}

	for (const [tool, open] of Object.entries(openers) as [keyof typeof openers, typeof openWithOpenssl][]) {
		testWith(
			tool,
			`${tool} opens a PFX whose holder has a name longer than a common name may be`,
			async () => {
				const { leaf, pfx } = await issueWith("rsa-2048", { holder: { ...maria, fullName: longName } });
				expect(open(pfx, pin).leafPem).toBe(encodePem(leaf));
			},
		);
	}
});
