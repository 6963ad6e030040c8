import { BACKGROUND } from "./background-use-cases.ts";
import { describeMatrix } from "./describe-matrix.ts";
import { HOLDER_CALLS } from "./holder-use-cases.ts";
import { OPS_CALLS } from "./ops-use-cases.ts";

describeMatrix("ops and background", { ...OPS_CALLS, ...BACKGROUND, ...HOLDER_CALLS });
