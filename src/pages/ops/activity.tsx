import { type Hour, type LatestChange, OPS_OVERVIEW } from "../../db/ops-overview.ts";
import { actionName } from "../../texts/audit.ts";
import { fill } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";
import { OPS_ACTIVITY as T } from "../../texts/ops-activity.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_UPKEEP } from "../../texts/ops-console-upkeep.ts";
import type { Call } from "../kit/call.ts";
import { Sparkline } from "../kit/chart.tsx";
import { sayIn } from "../kit/language.ts";
import { Card, Facts, Table } from "../kit/parts.tsx";
import { when } from "./words.tsx";

/** Jobs and deliveries of the last hours. @param ranAt - when a job last ran, null: none did */
export function Activity({ c, hours, ranAt }: { c: Call; hours: readonly Hour[]; ranAt: number | null }) {
	const say = sayIn(c);
	const counts = (["runs", "created", "dead"] as const).map((kind) => {
		const values = hours.map((hour) => hour[kind]);
		return [say(T[kind]), <Counted c={c} values={values} />] as const;
	});
	return (
		<Card title={say(fill(T.activity, { hours: OPS_OVERVIEW.hours }))}>
			<Facts facts={[[say(T.lastRun), when(c, ranAt)], ...counts]} />
		</Card>
	);
}

function Counted({ c, values }: { c: Call; values: readonly number[] }) {
	const say = sayIn(c);
	const cap = OPS_OVERVIEW.hourCap;
	const total = readableNumber(
		values.reduce((sum, n) => sum + n, 0),
		c.get("language"),
	);
	const isCapped = values.includes(cap);
	return (
		<>
			<Sparkline values={values} label={say(fill(T.perHour, { total, values: values.join(", ") }))} />{" "}
			{isCapped ? `${total}+ (${say(fill(T.capped, { cap }))})` : total}
		</>
	);
}

/** The latest changes, each leading to the audit of its record. */
export function LatestChanges({ c, changes }: { c: Call; changes: readonly LatestChange[] }) {
	const say = sayIn(c);
	return (
		<>
			<h2>{say(T.latest)}</h2>
			<Table
				caption={say(T.latestOrder)}
				columns={[OPS_UPKEEP.at, OPS_UPKEEP.what, OPS_UPKEEP.actor, OPS_UPKEEP.entity].map(say)}
				rows={changes.map(({ entity, version, at, actor, action }) => {
					const chain = new URLSearchParams({ entity, from_version: String(version) });
					return [
						when(c, at, { seconds: true }),
						actionName(action, c.get("language")),
						actor,
						<a href={`/ops/console/audit/chain?${chain}`}>{entity}</a>,
					];
				})}
				empty={say(OPS_CONSOLE.none)}
			/>
		</>
	);
}
