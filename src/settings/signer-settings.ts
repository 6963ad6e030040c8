import { ConfigError } from "./config-error.ts";

/** A signer that has the issuing key, and how it knows this Worker. */
interface SignerSettings {
	/** Base address; of a binding, the host that is named in requests. */
	url: string;
	/** Name under which the signer has registered the Worker's key. */
	caller: string;
	/** The Worker's own Ed25519 key, base64 PKCS#8. */
	callerKey: string;
}

/** Place of the issuing key: base64 PKCS#8, or the signer that has it. */
export type IssuingKeyPlace = { key: string } | { signer: SignerSettings };

/** A responder of files: base64 PKCS#8 and base64 DER. */
export type OcspFiles = { key: string; certificate: string };

interface KeySettings {
	ISSUING_KEY: string | null;
	SIGNER_URL: string | null;
	SIGNER_CALLER: string | null;
	SIGNER_CALLER_KEY: string | null;
	OCSP_KEY: string | null;
	OCSP_CERTIFICATE: string | null;
}

/** Host that requests to the binding SIGNER name where SIGNER_URL gives none. */
const BOUND_URL = "http://signer";

/**
 * Reads where the issuing key is. A deployment deletes no secret, so an empty one counts as absent.
 * @returns `ocsp` null: the responder renews itself through the signer
 * @throws {ConfigError}
 */
export function readKeyPlace(
	read: KeySettings,
	{ isBound, environment }: { isBound: boolean; environment: string },
): { issuing: IssuingKeyPlace; ocsp: OcspFiles | null } {
	const { ISSUING_KEY: key, OCSP_KEY: ocspKey, OCSP_CERTIFICATE: ocspCertificate } = read;
	if (!isBound && read.SIGNER_URL === null)
		return {
			issuing: { key: required("ISSUING_KEY", key) },
			ocsp: {
				key: required("OCSP_KEY", ocspKey),
				certificate: required("OCSP_CERTIFICATE", ocspCertificate),
			},
		};
	if (key !== null) throw new ConfigError("ISSUING_KEY", "must be absent: the signer has the key");
	if ((ocspKey === null) !== (ocspCertificate === null))
		throw new ConfigError("OCSP_KEY", "and OCSP_CERTIFICATE go together: give both or neither");
	const url = read.SIGNER_URL ?? BOUND_URL;
	if (!isBound && environment !== "local" && !url.startsWith("https:"))
		throw new ConfigError("SIGNER_URL", "must be https: what is signed names holders");
	const signer = {
		url,
		caller: required("SIGNER_CALLER", read.SIGNER_CALLER),
		callerKey: required("SIGNER_CALLER_KEY", read.SIGNER_CALLER_KEY),
	};
	const ocsp = ocspKey && ocspCertificate ? { key: ocspKey, certificate: ocspCertificate } : null;
	return { issuing: { signer }, ocsp };
}

function required(setting: string, value: string | null): string {
	if (value === null) throw new ConfigError(setting, "is missing");
	return value;
}
