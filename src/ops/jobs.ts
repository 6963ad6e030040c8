import { createRoute, z } from "@hono/zod-openapi";
import { listJobs } from "../db/jobs.ts";
import { BODY_MAX } from "../domain/limits.ts";
import { createApi } from "../http/api.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { JSON_ERRORS } from "../http/responses.ts";
import { JOBS, runJob } from "../jobs/run.ts";
import { authorizeOps, OPS_ACTOR } from "./authorize-ops.ts";
import { jsonBody, OPS_SECURITY, opsResponses } from "./route-parts.ts";
import { timestamp } from "./wire.ts";

const list = createRoute({
	method: "get",
	path: "/upkeep",
	tags: ["Ops"],
	summary: "List the jobs: when each last ran, and what it found and did",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	responses: opsResponses(200, "The jobs."),
});

const run = createRoute({
	method: "post",
	path: "/upkeep/{job}",
	tags: ["Ops"],
	summary: "Run one batch of a job now, as the cron does",
	security: OPS_SECURITY,
	middleware: [limitBody(BODY_MAX), authorizeOps, requireJson] as const,
	request: {
		params: z.object({ job: z.string().max(64).openapi({ example: "reseal-rows" }) }),
		...jsonBody(z.strictObject({}, "object").openapi("UpkeepRun")),
	},
	responses: opsResponses(
		200,
		"What the run found and did; `done` is false while there is more.",
		JSON_ERRORS,
	),
});

export const opsJobs = createApi()
	.openapi(list, async (c) => {
		const rows = await listJobs(c.get("platform").db);
		const jobs = JOBS.map(({ name }) => {
			const row = rows.find(({ job }) => job === name);
			return {
				job: name,
				ran_at: timestamp(row?.ranAt ?? null),
				done: row ? row.cursor === null : false,
				report: row ? JSON.parse(row.report) : null,
			};
		});
		return c.json({ success: true, data: { jobs } }, 200);
	})
	.openapi(run, async (c) => {
		const job = JOBS.find(({ name }) => name === c.req.valid("param").job);
		if (!job) return rejectionAnswer(c, { reason: "not_found" });
		const platform = c.get("platform");
		const context = { platform, now: platform.clock(), actor: OPS_ACTOR, requestId: c.get("requestId") };
		const { report, done } = await runJob(context, job);
		return c.json({ success: true, data: { job: job.name, report, done } }, 200);
	});
