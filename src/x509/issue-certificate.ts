import type { LogReceipt } from "./authority-signer.ts";
import { exportKeyPair, generateHolderKeyPair, type KeyAlgorithm, letRequestLeave } from "./holder-key.ts";
import type { IssuingAuthority } from "./issuing-authority.ts";
import { encodeLeaf } from "./leaf.ts";
import { isSignatureOf, lintLeaf } from "./lint-leaf.ts";
import { assemblePfx, type PfxProfile, preparePfx } from "./pfx.ts";
import { frameSigned } from "./signatures.ts";
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
export type IssueResult =
	| { ok: true; leaf: Uint8Array; pfx: Uint8Array; receipt: LogReceipt | null }
	| { ok: false; failures: string[] };

/**
 * Issues a certificate: key, leaf, lint, signature, PFX. What is signed was linted before, with a filler in the
 * signature's place: the authority's key never signs what does not match the profile.
 * Failures name parts of the certificate and never quote the holder's data.
 */
export async function issueCertificate(authority: IssuingAuthority, input: IssueInput): Promise<IssueResult> {
	const { serial, notBefore, notAfter, holder, keyAlgorithm, pfxProfile, pin } = input;
	const keyPair = await (input.keyPair ?? generateHolderKeyPair(keyAlgorithm));
	const { spki, pkcs8 } = await exportKeyPair(keyPair);
	try {
		const facts = { serial, notBefore, notAfter, holder, publicKey: spki };
		const { signer, chainBags } = authority;
		const tbs = await encodeLeaf(authority, facts);
		const filled = frameSigned(signer, tbs, new Uint8Array(signer.signatureBytes));
		const failures = await lintLeaf(authority, filled, { ...facts, keyAlgorithm });
		if (failures.length > 0) return { ok: false, failures };
		// What needs no certificate is done while a signer elsewhere is asked; a signature made here is there within the turn.
		const signing = signer.sign("certificates", tbs);
		await Promise.race([signing, letRequestLeave()]);
		const [{ signature, receipt }, prepared] = await Promise.all([
			signing,
			preparePfx(pfxProfile, pin, pkcs8),
		]);
		if (!(await isSignatureOf(authority, tbs, signature)))
			return { ok: false, failures: ["signature: does not verify"] };
		const leaf = frameSigned(signer, tbs, signature);
		const pfx = await assemblePfx(prepared, { friendlyName: holder.fullName, leaf, chainBags });
		return { ok: true, leaf, pfx, receipt };
	} finally {
		pkcs8.fill(0);
	}
}
