import { exportKeyPair, generateHolderKeyPair, type KeyAlgorithm } from "./holder-key.ts";
import type { IssuingAuthority } from "./issuing-authority.ts";
import { buildLeaf } from "./leaf.ts";
import { lintLeaf } from "./lint-leaf.ts";
import { assemblePfx, type PfxProfile } from "./pfx.ts";
import type { Holder } from "./subject-name.ts";

export interface IssueInput {
	/** 16 bytes from createSerial, stored durably before this is called. */
	serial: Uint8Array;
	notBefore: Date;
	notAfter: Date;
	holder: Holder;
	keyAlgorithm: KeyAlgorithm;
	pfxProfile: PfxProfile;
	pin: string;
	/** A pair, or the promise of one, from generateHolderKeyPair. Generated here when not given. */
	keyPair?: CryptoKeyPair | Promise<CryptoKeyPair>;
}

/** DER certificate and DER PFX; or the linter's findings, and then nothing may leave the service. */
export type IssueResult = { ok: true; leaf: Uint8Array; pfx: Uint8Array } | { ok: false; failures: string[] };

/**
 * Issues a certificate: key, signed leaf, lint of the leaf, PFX.
 * Failures name parts of the certificate and never quote the holder's data.
 */
export async function issueCertificate(authority: IssuingAuthority, input: IssueInput): Promise<IssueResult> {
	const { serial, notBefore, notAfter, holder, keyAlgorithm } = input;
	const keyPair = await (input.keyPair ?? generateHolderKeyPair(keyAlgorithm));
	const { spki, pkcs8 } = await exportKeyPair(keyPair);
	try {
		const facts = { serial, notBefore, notAfter, holder, publicKey: spki };
		const leaf = await buildLeaf(authority, facts);
		const failures = await lintLeaf(authority, leaf, { ...facts, keyAlgorithm });
		if (failures.length > 0) return { ok: false, failures };
		const pfx = await assemblePfx({
			profile: input.pfxProfile,
			pin: input.pin,
			friendlyName: holder.fullName,
			leaf,
			chainBags: authority.chainBags,
			pkcs8,
		});
		return { ok: true, leaf, pfx };
	} finally {
		pkcs8.fill(0);
	}
}
