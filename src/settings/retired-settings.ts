import { ConfigError } from "./config-error.ts";

/** An issuing authority that was replaced: base64 PKCS#8 and base64 DER. */
export interface RetiredSettings {
	/** `RETIRED_1_`: of its settings' names. */
	prefix: string;
	certificate: string;
	/** Null after a leak, and where a signer has it. */
	key: string | null;
	/** Its own signer, by address or binding, which knows this Worker as the other one does. Null: none has the key. */
	signer: { url: string | null; bound: Fetcher | null } | null;
	/** Null: it answers no OCSP. */
	ocsp: { key: string; certificate: string } | null;
}

const RETIRED_NAME =
	/^RETIRED_[1-9]_(ISSUING_KEY|ISSUING_CERTIFICATE|OCSP_KEY|OCSP_CERTIFICATE|SIGNER|SIGNER_URL)$/;

/**
 * Reads a replaced authority's ISSUING_KEY, ISSUING_CERTIFICATE, OCSP_KEY, OCSP_CERTIFICATE, SIGNER and SIGNER_URL from RETIRED_1_…,
 * RETIRED_2_… in the order of replacement. A deployment deletes no secret, so an empty one counts as absent.
 */
export function readRetired(env: Record<string, unknown>): RetiredSettings[] {
	const names = Object.keys(env).filter((name) => name.startsWith("RETIRED_"));
	const unknown = names.find((name) => !RETIRED_NAME.test(name));
	if (unknown !== undefined) throw new ConfigError(unknown, "is not a setting: RETIRED_1_ISSUING_KEY is one");
	const given = names.filter((name) => String(env[name] ?? "").trim() !== "");
	const prefixes = given.map((name) => name.slice(0, "RETIRED_1_".length));
	return [...new Set(prefixes)].sort().map((prefix) => {
		const read = (name: string) => String(env[prefix + name] ?? "").trim() || null;
		const certificate = read("ISSUING_CERTIFICATE");
		if (!certificate) throw new ConfigError(`${prefix}ISSUING_CERTIFICATE`, "is missing");
		const [key, ocspCertificate] = [read("OCSP_KEY"), read("OCSP_CERTIFICATE")];
		if ((key === null) !== (ocspCertificate === null))
			throw new ConfigError(`${prefix}OCSP_KEY`, "and OCSP_CERTIFICATE go together: give both or neither");
		const ocsp = key && ocspCertificate ? { key, certificate: ocspCertificate } : null;
		const signer = {
			url: read("SIGNER_URL"),
			bound: (env[`${prefix}SIGNER`] as Fetcher | undefined) ?? null,
		};
		const isElsewhere = signer.url !== null || signer.bound !== null;
		const retired = { prefix, certificate, key: read("ISSUING_KEY"), ocsp };
		if (isElsewhere && retired.key)
			throw new ConfigError(`${prefix}ISSUING_KEY`, "must be absent: the signer has the key");
		return { ...retired, signer: isElsewhere ? signer : null };
	});
}
