import { errorAnswer } from "../../http/errors.ts";
import { JOBS, jobStates, runJob, type ShownJob } from "../../jobs/run.ts";
import { opsCaller } from "../../services/caller.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_UPKEEP as T } from "../../texts/ops-console-upkeep.ts";
import type { Call } from "../kit/call.ts";
import { PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Table } from "../kit/parts.tsx";
import { goBack, may, page, post, show } from "./console.tsx";
import { when } from "./words.tsx";

/** The cron's jobs: the last run of each with its report; any of them can be run now. */
export const jobPages = [
	page("/jobs", { trips: 1 }, async (c) => {
		const say = sayIn(c);
		const jobs = await jobStates(c.get("platform").db);
		const action = may(c, "operate") ? [OPS_CONSOLE.action] : [];
		return show(
			c,
			{ title: OPS_CONSOLE.jobs },
			<Table
				caption={say(T.lastRuns)}
				columns={[T.job, T.ranAt, T.report, OPS_CONSOLE.state, ...action].map(say)}
				rows={jobs.map((job) => rowOf(c, job))}
				empty={say(OPS_CONSOLE.none)}
			/>,
		);
	}),

	post("/jobs/:job", {}, async (c) => {
		const job = JOBS.find(({ name }) => name === c.req.param("job"));
		if (!job) return errorAnswer(c, "not_found");
		await runJob(opsCaller(c), job);
		return goBack("/jobs");
	}),
];

function rowOf(c: Call, job: ShownJob) {
	const say = sayIn(c);
	const { name, ranAt, done } = job;
	const run = (
		<PostForm action={`/ops/console/jobs/${name}`} csrf={c.get("csrf")}>
			<button class="plain" type="submit" aria-label={`${say(T.run)}: ${name}`}>
				{say(T.run)}
			</button>
		</PostForm>
	);
	return [
		name,
		ranAt === null ? say(OPS_CONSOLE.never) : when(c, ranAt),
		reportOf(job),
		ranAt === null ? "" : say(done ? T.complete : T.goesOn),
		...(may(c, "operate") ? [run] : []),
	];
}

/** `looked_at 4, holders 2`: counts, by their names in the log. */
export function reportOf(job: ShownJob | undefined): string {
	const counts = Object.entries(job?.report ?? {});
	return counts.map(([name, value]) => `${name} ${value}`).join(", ") || "—";
}
