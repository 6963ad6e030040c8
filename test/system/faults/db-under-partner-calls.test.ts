import { describeMatrix } from "./describe-matrix.ts";
import { PARTNER_CALLS } from "./partner-use-cases.ts";

describeMatrix("partner calls", PARTNER_CALLS);
