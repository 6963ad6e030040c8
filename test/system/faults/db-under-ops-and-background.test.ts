import { BACKGROUND } from "./background-use-cases.ts";
import { CONSOLE_FORMS } from "./console-use-cases.ts";
import { describeMatrix } from "./describe-matrix.ts";
import { HOLDER_CALLS } from "./holder-use-cases.ts";
import { OPS_CALLS } from "./ops-use-cases.ts";

describeMatrix("forms, ops and background", {
	...CONSOLE_FORMS,
	...OPS_CALLS,
	...BACKGROUND,
	...HOLDER_CALLS,
});
