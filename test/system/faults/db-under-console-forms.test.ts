import { CONSOLE_FORMS } from "./console-use-cases.ts";
import { describeMatrix } from "./describe-matrix.ts";

describeMatrix("console forms", CONSOLE_FORMS);
