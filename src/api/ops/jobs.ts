import { z } from "@hono/zod-openapi";
import { DATABASE_MAX } from "../../domain/limits.ts";
import { createApi } from "../../http/api.ts";
import { cursorField, databaseCursor, writeCursor } from "../../http/cursor.ts";
import { errorAnswer } from "../../http/errors.ts";
import { dateTime, jsonBody, successBody } from "../../http/responses.ts";
import { timestamp } from "../../http/timestamp.ts";
import { type ReconcileCursor, reconcileNext } from "../../jobs/reconcile.ts";
import { JOBS, jobStates, runJob } from "../../jobs/run.ts";
import { opsCaller } from "../../services/caller.ts";
import { DATABASE_LEVELS, databaseSize } from "../../telemetry/database-size.ts";
import { silentDatabases } from "../../wire/database.ts";
import { opsRoute } from "./ops-route.ts";

const report = z.record(z.string(), z.union([z.int(), z.boolean(), z.string()])).openapi("JobReport");

const list = opsRoute({
	id: "listJobs",
	tag: "Jobs",
	role: "read",
	method: "get",
	path: "/upkeep",
	request: {},
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				jobs: z.array(
					z
						.strictObject({
							job: z.string(),
							ran_at: dateTime.nullable(),
							done: z.boolean(),
							report: report.nullable(),
						})
						.openapi("Job"),
				),
				silent: silentDatabases,
				database: z
					.strictObject({ bytes: z.int(), limit: z.int(), level: z.enum(DATABASE_LEVELS) })
					.openapi("DatabaseSize"),
			}),
		),
		example: {
			success: true,
			data: {
				jobs: [
					{
						job: "erase-holders",
						ran_at: "2026-11-21T12:00:00.000Z",
						done: true,
						report: { looked_at: 4, holders: 2 },
					},
				],
				silent: [],
				database: { bytes: 7_340_032_000, limit: DATABASE_MAX, level: "high" },
			},
		},
	},
	reasons: [],
});

const run = opsRoute({
	id: "runJob",
	tag: "Jobs",
	role: "operate",
	method: "post",
	path: "/upkeep/{job}",
	request: {
		params: z.object({ job: z.string().max(64).openapi({ example: "reseal-rows" }) }),
		...jsonBody(z.strictObject({}, "object").openapi("JobRun")),
	},
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({ job: z.string(), report, done: z.boolean(), silent: silentDatabases }),
		),
		example: {
			success: true,
			data: { job: "erase-holders", report: { looked_at: 4, holders: 2 }, done: true, silent: [] },
		},
	},
	reasons: [],
});

export const reconcileCursor = databaseCursor<ReconcileCursor>(
	z.strictObject({
		walk: z.enum(["codes", "serials", "batches", "counters"]),
		after: z.array(z.string()).max(2),
	}),
);

const compare = opsRoute({
	id: "reconcile",
	tag: "Jobs",
	role: "operate",
	method: "post",
	path: "/reconcile",
	request: jsonBody(
		z
			.strictObject(
				{ repair: z.boolean("boolean").default(false), cursor: cursorField(reconcileCursor).nullish() },
				"object",
			)
			.openapi("Reconciliation"),
	),
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				looked_at: z.int(),
				counts: z.record(z.string(), z.int()),
				findings: z.array(
					z
						.strictObject({
							kind: z.string(),
							partner_id: z.string(),
							subject: z.string(),
							repaired: z.boolean().nullable(),
						})
						.openapi("Finding"),
				),
				silent: silentDatabases,
				next: z.string().nullable(),
			}),
		),
		example: {
			success: true,
			data: {
				looked_at: 1000,
				counts: { stale_step: 1 },
				findings: [
					{
						kind: "stale_step",
						partner_id: "pt_0f2c6f0c9b1d4a7e",
						subject: "7K3M-9QXT-2B4C-H8WD",
						repaired: true,
					},
				],
				silent: [],
				next: null,
			},
		},
	},
	reasons: [],
});

export const opsJobs = createApi()
	.openapi(list, async (c) => {
		const states = await jobStates(c.get("platform"));
		const jobs = states.jobs.map(({ name, ranAt, done, report }) => ({
			job: name,
			ran_at: timestamp(ranAt),
			done,
			report,
		}));
		return c.json(
			{ success: true as const, data: { jobs, silent: states.silent, database: databaseSize() } },
			200,
		);
	})
	.openapi(run, async (c) => {
		const job = JOBS.find(({ name }) => name === c.req.valid("param").job);
		if (!job) return errorAnswer(c, "not_found");
		const ran = await runJob(opsCaller(c), job);
		return c.json({ success: true as const, data: { job: job.name, ...ran } }, 200);
	})
	.openapi(compare, async (c) => {
		const { repair, cursor } = c.req.valid("json");
		const { looked, findings, silent, next } = await reconcileNext(opsCaller(c), cursor ?? null, repair);
		const counts: Record<string, number> = {};
		for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
		const data = {
			looked_at: looked,
			counts,
			findings: findings.map(({ kind, partnerId, subject, repaired }) => ({
				kind,
				partner_id: partnerId,
				subject,
				repaired,
			})),
			silent,
			next: writeCursor(next),
		};
		return c.json({ success: true as const, data }, 200);
	});
