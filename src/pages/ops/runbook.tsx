import { OPS_ACTIVITY } from "../../texts/ops-activity.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";

/** Page of the runbook for a signer that does not sign. */
export const NOT_SIGNING = "signer-host.md#it-does-not-sign";

/** The page of the operators' documents; named, where the settings do not say where they are. */
export function Runbook({ c, page }: { c: Call; page: string }) {
	const { runbookUrl } = c.get("platform").settings;
	const words = sayIn(c)(OPS_ACTIVITY.runbook);
	if (runbookUrl === null) return [`${words}: `, <code>{`docs/operators/${page}`}</code>];
	return (
		<a href={`${runbookUrl}/${page}`} aria-label={`${words}: ${page}`}>
			{words}
		</a>
	);
}
