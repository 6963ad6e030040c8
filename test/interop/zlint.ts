import { execFileSync } from "node:child_process";

/** Lint names by what came of them. Those that do not apply, or not yet, are left out. */
export interface LintReport {
	passed: string[];
	/** Notices, warnings, errors and fatal ones alike. */
	found: string[];
}

/** Runs every lint that zlint has, of whatever source, over a PEM file: a certificate or a CRL. */
export function runZlint(file: string): LintReport {
	const output = execFileSync("zlint", [file], { encoding: "utf8" });
	const lints = Object.entries(JSON.parse(output) as Record<string, { result: string }>);
	const by = (...results: string[]) =>
		lints.filter(([, { result }]) => results.includes(result)).map(([name]) => name);
	return { passed: by("pass").sort(), found: by("info", "warn", "error", "fatal").sort() };
}

const NOT_OF_THE_WEB =
	"is of the rules for TLS servers in browsers; what we issue has no serverAuth, nor has its authority";

/** Accepted findings of zlint, by certificate, each with its reason. Any other finding is a fault of ours. */
export const EXCLUSIONS = {
	"RSA leaf": { w_ct_sct_policy_count_unsatisfied: NOT_OF_THE_WEB },
	"P-256 leaf": { w_ct_sct_policy_count_unsatisfied: NOT_OF_THE_WEB },
	"OCSP responder": { w_ct_sct_policy_count_unsatisfied: NOT_OF_THE_WEB },
	"issuing authority": {
		n_ca_digital_signature_not_set: "notes that it cannot sign OCSP itself: a responder of its own does",
		n_sub_ca_eku_missing: NOT_OF_THE_WEB,
		n_mp_allowed_eku: NOT_OF_THE_WEB,
	},
	root: { n_ca_digital_signature_not_set: "notes that it cannot sign OCSP: nobody asks it" },
	"empty CRL": {},
	"CRL with entries": {},
	"root's CRL": {},
	"root's CRL with an issuing authority": {
		e_cab_crl_has_valid_reason_code:
			"knows the reasons of holders' certificates; an authority's is cACompromise (RFC 5280 §5.3.1)",
	},
} as const satisfies Record<string, Record<string, string>>;
