import { listDeliveries } from "../../db/deliveries.ts";
import { listPartners } from "../../db/partners.ts";
import type { JobName } from "../../domain/audit-actions.ts";
import { HOUR_MS } from "../../domain/durations.ts";
import { jobStates } from "../../jobs/run.ts";
import { authorityDates } from "../../pki/authority-dates.ts";
import { databaseSize } from "../../telemetry/database-size.ts";
import type { Text } from "../../texts/language.ts";
import { OPS_CONSOLE, OPS_OVERVIEW as T } from "../../texts/ops-console.ts";
import { sayIn } from "../kit/language.ts";
import { Figure, Figures } from "../kit/parts.tsx";
import { page, show } from "./console.tsx";
import { isWithoutCron, RunAll } from "./jobs.tsx";
import { PARTNER_FILTERS, type PartnerFilter } from "./partner-filters.ts";

/** Dead deliveries are counted up to here. */
const DEAD_COUNTED = 500;
/** The cron runs every job each hour. */
const LATE_MS = 2 * HOUR_MS;

/** Overview of open work: each figure says what it counts and leads to its list. */
export const overviewPages = [
	page("/overview", { trips: 3 }, async (c) => {
		const platform = c.get("platform");
		const now = platform.clock();
		const [partners, jobs, dead] = await Promise.all([
			listPartners(platform.db),
			jobStates(platform.db),
			listDeliveries(platform.db, { state: "dead", partnerId: undefined, limit: DEAD_COUNTED }),
		]);
		const database = databaseSize();
		const ending = authorityDates(platform, now).filter(({ isNear }) => isNear);
		const neverRun = isWithoutCron(c) ? jobs.filter(({ ranAt }) => ranAt === null) : [];
		const late = jobs.filter((job) => !neverRun.includes(job) && (job.ranAt ?? 0) < now - LATE_MS);
		const say = sayIn(c);
		const figure = (value: number | string, label: Text, href: string) => (
			<Figure value={String(value)} label={say(label)} href={`/ops/console${href}`} />
		);
		const counted = (filter: PartnerFilter, label: Text) =>
			figure(partners.filter(PARTNER_FILTERS[filter].has).length, label, `/partners?only=${filter}`);
		const reported = (job: JobName, count: string, label: Text, unknown: Text) => {
			const value = jobs.find(({ name }) => name === job)?.report?.[count];
			return value === undefined
				? figure(say(OPS_CONSOLE.nothing), unknown, "/audit")
				: figure(String(value), label, "/audit");
		};
		return show(
			c,
			{ title: OPS_CONSOLE.overview },
			<>
				<Figures>
					{figure(partners.length, T.partners, "/partners")}
					{counted("unreachable", T.unreachable)}
					{counted("weak", T.weak)}
					{counted("sso_alone", T.ssoAlone)}
					{counted("webhook_off", T.webhooksOff)}
					{counted("suspended", T.suspended)}
					{figure(
						dead.length < DEAD_COUNTED ? dead.length : `${DEAD_COUNTED}+`,
						T.dead,
						"/deliveries?state=dead",
					)}
					{reported("verify-audit", "faults", T.faults, T.notVerified)}
					{reported("reconcile", "found", T.inconsistencies, T.notReconciled)}
					{neverRun.length > 0 && figure(neverRun.length, T.neverRun, "/jobs")}
					{figure(late.length, T.late, "/jobs")}
					{figure(ending.length, T.ending, "/authority")}
					{figure(
						`${Math.floor((database.bytes / database.limit) * 100)} %`,
						T.database[database.level],
						"/jobs",
					)}
				</Figures>
				{neverRun.length > 0 && <RunAll c={c} />}
			</>,
		);
	}),
];
