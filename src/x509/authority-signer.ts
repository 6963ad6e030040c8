import type { Certificate } from "@peculiar/asn1-x509";
import { AuthorityError } from "./authority-error.ts";
import { checkKey } from "./check-authority.ts";
import { createLocalSigner, describePublicKey, type Signer } from "./signatures.ts";

/** Kinds of things that an authority signs. */
export type SignedKind = "certificates" | "crls" | "ocsp-responders";

/** A signer's entry in its own log: it signed this, and everything before it. */
export interface LogReceipt {
	entry: number;
	/** SHA-256 of the log up to the entry, lower-case hex. */
	head: string;
	/** Signature of entry and head by the log's own key, base64. */
	headSignature: string;
}

/** An authority's key: in this isolate, or behind a signer that reads what it is to sign and keeps a log of it. */
export interface AuthoritySigner extends Omit<Signer, "sign"> {
	/** @returns `receipt` null: the key is here, and nobody keeps a log */
	sign(kind: SignedKind, tbs: Uint8Array): Promise<{ signature: Uint8Array; receipt: LogReceipt | null }>;
}

/** Makes the signer of a certificate's key. @throws AuthorityError when it does not fit the certificate */
export type SignerSource = (certificate: Certificate) => Promise<AuthoritySigner>;

const RSA_MIN_BITS = 3072;

/** @param pkcs8 - the issuing key, which stays in this isolate */
export function signHere(pkcs8: Uint8Array): SignerSource {
	return async (certificate) => {
		const signer = await createLocalSigner(pkcs8);
		await checkKey("issuing", certificate, signer, RSA_MIN_BITS);
		const { algorithm, signatureBytes } = signer;
		const sign = async (_: SignedKind, tbs: Uint8Array) => ({
			signature: await signer.sign(tbs),
			receipt: null,
		});
		return { algorithm, signatureBytes, sign };
	};
}

/** @param sign - asks for a signature elsewhere; nothing is asked before the first one */
export function signElsewhere(sign: AuthoritySigner["sign"]): SignerSource {
	return async ({ tbsCertificate }) => {
		const described = await describePublicKey(tbsCertificate.subjectPublicKeyInfo, "issuing key");
		if (described.algorithm === "rsa-sha256" && described.signatureBytes * 8 < RSA_MIN_BITS)
			throw new AuthorityError(`the issuing RSA key is shorter than ${RSA_MIN_BITS} bits`);
		return { ...described, sign };
	};
}
