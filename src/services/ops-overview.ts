import { REQUESTS_SHOWN } from "../db/holder-requests.ts";
import { OPS_OVERVIEW, type OpsOverview, readOpsOverview } from "../db/ops-overview.ts";
import { askEach, type Databases } from "../directory.ts";

/** The overview of all databases that answer: sums up to the caps of one, and the latest changes of all. */
export async function readOverview(platform: Pick<Databases, "databases" | "clock">): Promise<OpsOverview> {
	const { answers: each } = await askEach(platform, ({ db }) => readOpsOverview(db, platform.clock()));
	const sum = (of: (one: OpsOverview) => number, cap: number) =>
		Math.min(
			cap,
			each.reduce((total, one) => total + of(one), 0),
		);
	const { hourCap, deadCap, auditShown } = OPS_OVERVIEW;
	const oldest = each.flatMap(({ requests }) => requests.oldest ?? []);
	return {
		hours: (each[0]?.hours ?? []).map((_, ago) => ({
			created: sum(({ hours }) => hours[ago]!.created, hourCap),
			dead: sum(({ hours }) => hours[ago]!.dead, hourCap),
			runs: sum(({ hours }) => hours[ago]!.runs, hourCap),
		})),
		dead: sum(({ dead }) => dead, deadCap + 1),
		requests: {
			n: sum(({ requests }) => requests.n, REQUESTS_SHOWN),
			oldest: oldest.length > 0 ? Math.min(...oldest) : null,
		},
		latest: each
			.flatMap(({ latest }) => latest)
			.toSorted((a, b) => b.at - a.at)
			.slice(0, auditShown),
	};
}
