import { authorityDates } from "../pki/authority-dates.ts";
import { log } from "../telemetry/log.ts";
import type { Job } from "./job.ts";

/** Warns before the authority's own certificates end, with time for a ceremony. */
export const watchAuthority: Job = {
	name: "watch-authority",
	once: true,
	async run({ platform, now }) {
		const dates = authorityDates(platform, now);
		for (const { certificate, keyId, days, isNear } of dates)
			if (isNear)
				log("warn", "authority_ends", {
					certificate,
					...(certificate === "ocsp" && { key_id: keyId }),
					days,
				});
		const current = dates.filter(({ keyId }) => keyId === null || keyId === platform.authority.keyId);
		const report = Object.fromEntries(current.map(({ certificate, days }) => [`${certificate}_days`, days]));
		return { cursor: null, report, changes: [] };
	},
};
