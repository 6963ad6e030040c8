import { errorAnswer } from "../../http/errors.ts";
import { JOBS, jobStates, runJob, runJobs, type ShownJob } from "../../jobs/run.ts";
import { opsCaller } from "../../services/caller.ts";
import { JOB_NAMES } from "../../texts/audit.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_UPKEEP as T } from "../../texts/ops-console-upkeep.ts";
import { Badge } from "../kit/badge.tsx";
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
		const { jobs } = await jobStates(c.get("platform"));
		const action = may(c, "operate") ? [OPS_CONSOLE.action] : [];
		return show(
			c,
			{ title: OPS_CONSOLE.jobs },
			<>
				{isWithoutCron(c) && <p>{say(T.noCron)}</p>}
				<RunAll c={c} />
				<Table
					caption={say(T.lastRuns)}
					columns={[T.job, T.ranAt, T.report, OPS_CONSOLE.state, ...action].map(say)}
					rows={jobs.map((job) => rowOf(c, job))}
					empty={say(OPS_CONSOLE.none)}
				/>
			</>,
		);
	}),

	post("/jobs", {}, async (c) => {
		await runJobs(c.get("platform"), { asked: opsCaller(c) });
		return goBack("/jobs");
	}),

	post("/jobs/:job", {}, async (c) => {
		const job = JOBS.find(({ name }) => name === c.req.param("job"));
		if (!job) return errorAnswer(c, "not_found");
		await runJob(opsCaller(c), job);
		return goBack("/jobs");
	}),
];

/** Whether nothing but people runs the jobs: `npm start` has no cron. */
export function isWithoutCron(c: Call): boolean {
	return c.get("platform").settings.environment === "local";
}

/** A button that runs every job now, for those with the right. */
export function RunAll({ c }: { c: Call }) {
	return (
		may(c, "operate") && (
			<PostForm action="/ops/console/jobs" csrf={c.get("csrf")}>
				<button type="submit">{sayIn(c)(T.runAll)}</button>
			</PostForm>
		)
	);
}

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
		`${say(JOB_NAMES[name])} (${name})`,
		ranAt === null ? say(OPS_CONSOLE.never) : when(c, ranAt),
		reportOf(job),
		ranAt !== null && <Badge tone={done ? "good" : "info"}>{say(done ? T.complete : T.goesOn)}</Badge>,
		...(may(c, "operate") ? [run] : []),
	];
}

/** `looked_at 4, holders 2`: counts, by their names in the log. */
export function reportOf(job: ShownJob | undefined): string {
	const counts = Object.entries(job?.report ?? {});
	return counts.map(([name, value]) => `${name} ${value}`).join(", ") || "—";
}
