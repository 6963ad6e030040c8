import type { Slip } from "./slip.ts";

export const JOBS_SLIPS: readonly Slip[] = [
	{
		what: "pictures are erased while their holder is there",
		file: "src/jobs/retention.ts",
		find: "row.holder === null && ",
		replace: "",
		test: "test/service/jobs/pictures.test.ts",
	},
	{
		what: "a leaf is erased when its certificate expires",
		file: "src/jobs/retention.ts",
		find: "addYears(notAfter, REGISTER_YEARS) <= now",
		replace: "notAfter <= now",
		test: "test/service/jobs/personal-data.test.ts",
	},
	{
		what: "a row is erased before its time",
		file: "src/jobs/retention.ts",
		find: "isPast: (row, now) => keptUntil(row, row.recordedAt) <= now,",
		replace: "isPast: () => true,",
		test: "test/service/jobs/personal-data.test.ts",
	},
	{
		what: "a picture is swept while its validation may still run",
		file: "src/jobs/sweep-stray-pictures.ts",
		find: "uploaded.getTime() + STRAY_PICTURE_MS <= now",
		replace: "uploaded.getTime() <= now",
		test: "test/service/jobs/personal-data.test.ts",
	},
	{
		what: "a picture that a row names is swept",
		file: "src/jobs/sweep-stray-pictures.ts",
		find: "keys.filter((key) => !known.has(key))",
		replace: "keys",
		test: "test/service/jobs/personal-data.test.ts",
	},
	{
		what: "a pass that sealed pictures again reports clean",
		file: "src/jobs/reseal.ts",
		find: "\t\t\t\tpass.stale += 1;\n",
		replace: "",
		test: "test/service/jobs/personal-data.test.ts",
	},
	{
		what: "a pass skips the table after a full page",
		file: "src/jobs/reseal.ts",
		find: "if (page.last === null) Object.assign",
		replace: "if (page.last !== undefined) Object.assign",
		test: "test/service/jobs/personal-data.test.ts",
	},
	{
		what: "a job that fails stops the others",
		file: "src/jobs/run.ts",
		find: '\t\t\tlog("error", "job_failed",',
		replace: '\t\t\tif (error) throw error;\n\t\t\tlog("error", "job_failed",',
		test: "test/service/jobs/personal-data.test.ts",
	},
	{
		what: "a comparison without repairs repairs",
		file: "src/jobs/reconcile.ts",
		find: "repaired: repairs ? await tryToRepair(context, defect) : null",
		replace: "repaired: await tryToRepair(context, defect)",
		test: "test/service/jobs/reconcile.test.ts",
	},
	{
		what: "counters are found wrong and left so",
		file: "src/jobs/reconcile.ts",
		find: "\t\tif (repairs) await recountBlock(db, counted);\n",
		replace: "",
		test: "test/service/jobs/reconcile.test.ts",
	},
];
