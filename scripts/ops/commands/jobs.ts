import type { OpsCommand } from "../command.ts";

export const JOB_COMMANDS: readonly OpsCommand[] = [
	{
		name: "upkeep list",
		summary: "the scheduled jobs, when they ran and what they found",
		takes: [],
		options: {},
		example: "npm run ops -- upkeep list",
		call: (ops) => ops.GET("/ops/v1/upkeep"),
		shows: "jobs",
		columns: ["job", "ran_at", "done", "report"],
	},
	{
		name: "upkeep run",
		summary: "one bounded batch of a job now",
		takes: ["job"],
		options: {},
		example: "npm run ops -- upkeep run reseal-rows",
		call: (ops, { job }) => ops.POST("/ops/v1/upkeep/{job}", { params: { path: { job } }, body: {} }),
		shows: "",
	},
];
