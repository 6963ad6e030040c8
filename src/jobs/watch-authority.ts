import { HOUR_MS } from "../domain/durations.ts";
import { authorityDates } from "../pki/authority-dates.ts";
import type { Platform } from "../platform.ts";
import { askSigner } from "../signer/signer-state.ts";
import { log } from "../telemetry/log.ts";
import type { Job } from "./job.ts";

/** Hour of the day, UTC, whose run gives the daily warning: the morning in Chile. */
const WARNING_HOUR = 12;

/** Warns before the authority's own certificates end, with time for a ceremony, and of a signer that is not well. */
export const watchAuthority: Job = {
	name: "watch-authority",
	once: true,
	async run({ platform, now }) {
		const dates = await authorityDates(platform, now);
		for (const { certificate, keyId, days, isNear } of dates)
			if (isNear)
				log("warn", "authority_ends", {
					certificate,
					...(certificate === "ocsp" && { key_id: keyId }),
					days,
				});
		const current = dates.filter(({ keyId }) => keyId === null || keyId === platform.authority.keyId);
		const left = Object.fromEntries(current.map(({ certificate, days }) => [`${certificate}_days`, days]));
		return { cursor: null, report: { ...left, ...(await watchKey(platform, now)) }, changes: [] };
	},
};

/** Says where the issuing key is; warns of a signer that does not sign and, once a day, of prod's key in the Worker. */
async function watchKey(platform: Platform, now: number) {
	const signer = await askSigner(platform);
	if (signer === null) {
		const isHour = Math.floor(now / HOUR_MS) % 24 === WARNING_HOUR;
		if (platform.settings.environment === "prod" && isHour) log("warn", "issuing_key_in_worker", {});
		return { issuing_key: "worker" };
	}
	const { state, entries, headKeptAt, refused } = signer;
	if (state !== "ok") log("error", "signer_not_well", { state });
	return {
		issuing_key: "signer",
		signer: state,
		...(entries !== null && { signer_entries: entries }),
		...(headKeptAt !== null && { head_hours: Math.floor((now - headKeptAt) / HOUR_MS) }),
		refused: Object.values(refused).reduce((sum, n) => sum + n, 0),
	};
}
