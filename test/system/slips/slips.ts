import { CONSOLE_SLIPS } from "./console-slips.ts";
import { DB_SLIPS } from "./db-slips.ts";
import { JOBS_SLIPS } from "./jobs-slips.ts";
import { OBJECTS_SLIPS } from "./objects-slips.ts";
import { OPS_CONSOLE_SLIPS } from "./ops-console-slips.ts";
import type { Slip } from "./slip.ts";

export const SLIPS: readonly Slip[] = [
	...OBJECTS_SLIPS,
	...DB_SLIPS,
	...JOBS_SLIPS,
	...CONSOLE_SLIPS,
	...OPS_CONSOLE_SLIPS,
];
