import type { OpsCommand } from "../command.ts";
import { DATABASE, numbered } from "./databases.ts";

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
	{
		name: "authority",
		summary: "where the issuing key is, how its signer is, and what ends by itself",
		takes: [],
		options: {},
		example: "npm run ops -- authority",
		call: (ops) => ops.GET("/ops/v1/authority"),
		shows: "",
		hasFault: ({ signer }) => signer !== null && (signer as { state: string }).state !== "ok",
	},
	{
		name: "mend",
		summary: "after a restore of D1: enter again the certificates and revocations that it has forgotten",
		takes: [],
		options: {
			"restored-to": { help: "the moment it was restored to, RFC 3339", required: true },
			database: DATABASE,
		},
		example: "npm run ops -- mend --restored-to 2026-11-21T03:00:00Z",
		call: (ops, { "restored-to": restored_to, database }, cursor) =>
			ops.POST("/ops/v1/restores/mend", { body: { restored_to, ...numbered(database), ...cursor } }),
		pages: true,
		shows: "",
		hasFault: ({ failed, mending }) => (failed as string[]).length > 0 || mending === true,
	},
];
