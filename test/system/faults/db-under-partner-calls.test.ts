import { describe } from "vitest";
import { describeMatrix } from "./describe-matrix.ts";
import { DESK_CALLS } from "./desk-use-cases.ts";
import { PARTNER_CALLS } from "./partner-use-cases.ts";
import { WIDGET_CALLS } from "./widget-use-cases.ts";

describe(
	"partner calls, while D1 or the code's object fails at every round trip",
	{
		tags: ["durable-before-answer"],
	},
	() => describeMatrix("partner calls", { ...PARTNER_CALLS, ...WIDGET_CALLS, ...DESK_CALLS }),
);
