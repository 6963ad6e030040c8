import { env } from "cloudflare:workers";
import { createAuthority } from "../../scripts/create-authority.ts";
import { createOcspResponder } from "../../scripts/create-ocsp-responder.ts";

/** Settings of another authority than the tests' own, which begins at `from`. */
export async function createAuthoritySettings(
	commonNamePrefix: string,
	{ pkiUrl = env.PKI_URL, from = new Date() } = {},
) {
	const { root, issuing } = await createAuthority({
		commonNamePrefix,
		organization: commonNamePrefix,
		rut: env.AUTHORITY_RUT,
		keyType: "p-384",
		pkiUrl,
		now: from,
	});
	const responder = await createOcspResponder({ issuing, now: new Date() });
	return {
		ISSUING_KEY: issuing.key,
		ISSUING_CERTIFICATE: issuing.certificate,
		ROOT_CERTIFICATE: root.certificate,
		ROOT_CRL: undefined,
		OCSP_KEY: responder.key,
		OCSP_CERTIFICATE: responder.certificate,
	};
}

/** The tests' own authority as one that another replaced. */
export const RETIRED = {
	RETIRED_1_ISSUING_KEY: env.ISSUING_KEY,
	RETIRED_1_ISSUING_CERTIFICATE: env.ISSUING_CERTIFICATE,
	RETIRED_1_OCSP_KEY: env.OCSP_KEY,
	RETIRED_1_OCSP_CERTIFICATE: env.OCSP_CERTIFICATE,
};
