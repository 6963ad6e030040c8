import { beforeAll, describe, expect } from "vitest";
import { generateHolderKeyPair, type KeyAlgorithm } from "../../src/x509/holder-key.ts";
import type { IssuingAuthority } from "../../src/x509/issuing-authority.ts";
import type { PfxProfile } from "../../src/x509/pfx.ts";
import { byTurns } from "../support/run-size.ts";
import { type issueInput, maria, pin } from "../unit/x509/test-authority.ts";
import { createAuthorityToday, issueToday } from "./issue-today.ts";
import {
	encodePem,
	openWithCerttool,
	openWithKeytool,
	openWithOpenssl,
	openWithPk12util,
} from "./pfx-openers.ts";
import { testWith } from "./tool-test.ts";

const OPENERS = [
	["openssl", openWithOpenssl],
	["keytool", openWithKeytool],
	["certtool", openWithCerttool],
	["pk12util", openWithPk12util],
] as const;
const profiles: PfxProfile[] = ["modern", "legacy"];
const keyAlgorithms: KeyAlgorithm[] = ["rsa-2048", "ec-p256"];
const longName = `${maria.fullName} ${"Ñandú ".repeat(15)}`.trim();

describe.each(["rsa-3072", "p-384"] as const)("under a %s authority", (keyType) => {
	/** In CI the two authorities take turns, with the kinds of files and with the programs. */
	const turn = Number(keyType === "p-384");
	let authority: IssuingAuthority;
	const pairs = new Map<KeyAlgorithm, CryptoKeyPair>();

	beforeAll(async () => {
		({ authority } = await createAuthorityToday(keyType));
		for (const algorithm of keyAlgorithms) pairs.set(algorithm, await generateHolderKeyPair(algorithm));
	});

	const issueWith = (keyAlgorithm: KeyAlgorithm, differences: Parameters<typeof issueInput>[0] = {}) =>
		issueToday(authority, { keyAlgorithm, keyPair: pairs.get(keyAlgorithm)!, ...differences });

	for (const [n, keyAlgorithm] of keyAlgorithms.entries()) {
		for (const pfxProfile of byTurns(profiles, 2, n + turn)) {
			const what = `a ${pfxProfile} PFX with ${keyAlgorithm}`;
			for (const [tool, open] of byTurns<(typeof OPENERS)[number]>(OPENERS, 2, turn))
				testWith(tool, `${tool} opens ${what}: leaf, chain and key, and not with another PIN`, async () => {
					const { leaf, pfx } = await issueWith(keyAlgorithm, { pfxProfile });
					expect(open(pfx, pin)).toEqual({ leafPem: encodePem(leaf), chainLength: 3, keyOpened: true });
					expect(() => open(pfx, "0000")).toThrow();
				});
		}
	}

	for (const [tool, open] of byTurns<(typeof OPENERS)[number]>(OPENERS, 2, turn))
		testWith(
			tool,
			`${tool} opens a PFX whose holder has a name longer than a common name may be`,
			async () => {
				const { leaf, pfx } = await issueWith("rsa-2048", { holder: { ...maria, fullName: longName } });
				expect(open(pfx, pin).leafPem).toBe(encodePem(leaf));
			},
		);
});
