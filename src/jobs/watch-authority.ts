import { log } from "../telemetry/log.ts";
import type { Job } from "./job.ts";

const DAY_MS = 86_400_000;
/** Three-year codes are no longer sold three years and 44 days before the authority's end; half a year for a ceremony. */
const ISSUING_WARNING_DAYS = 3 * 366 + 44 + 180;
const OCSP_WARNING_DAYS = 45;
const ROOT_CRL_WARNING_DAYS = 60;

/** Warns before the authority's own certificates end, with time for a ceremony. */
export const watchAuthority: Job = {
	name: "watch-authority",
	async run({ platform: { authority, responder, authorities, rootCrl }, now }) {
		const daysTo = (end: Date) => Math.floor((end.getTime() - now) / DAY_MS);
		const [issuingDays, ocspDays] = [daysTo(authority.notAfter), daysTo(responder.notAfter)];
		if (issuingDays <= ISSUING_WARNING_DAYS)
			log("warn", "authority_ends", { certificate: "issuing", days: issuingDays });
		for (const { keyId, responder: its } of authorities)
			if (its && daysTo(its.notAfter) <= OCSP_WARNING_DAYS)
				log("warn", "authority_ends", { certificate: "ocsp", key_id: keyId, days: daysTo(its.notAfter) });
		const rootCrlDays = rootCrl && daysTo(rootCrl.nextUpdate);
		if (rootCrlDays !== null && rootCrlDays <= ROOT_CRL_WARNING_DAYS)
			log("warn", "authority_ends", { certificate: "root_crl", days: rootCrlDays });
		const report = { issuing_days: issuingDays, ocsp_days: ocspDays };
		return {
			cursor: null,
			report: rootCrlDays === null ? report : { ...report, root_crl_days: rootCrlDays },
			changes: [],
		};
	},
};
